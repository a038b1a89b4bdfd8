// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// All views of one session, and their connections.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "models/findings/finding_table.h"
#include "models/ladder/message_store.h"
#include "models/overview/overview_model.h"
#include "models/plots/track_list.h"
#include "models/queue_pairs/qp_model.h"
#include "models/selection.h"
#include "models/site/site_model.h"
#include "session/session.h"

namespace iwarpscope::gui {

class LadderView;
class OverviewView;
class QpTableView;
class SiteView;
class TrackView;
class VerdictView;

/// Owns the session, the selection and the models. The widgets belong to their receiver, which must delete them before
/// this object. Fetches the complete chosen queue pair, again whenever it changes, and shows it in all views.
class SessionViews : public QObject {
  Q_OBJECT

 public:
  /// If there are more queue pairs than `most_qps` and an eighth, the oldest are discarded; their table does and shows
  /// the same.
  explicit SessionViews(Source source, QObject* parent = nullptr, std::size_t most_qps = QpModel::kMost);
  ~SessionViews() override;

  struct View {
    QString name;   ///< for settings: never changes
    QString title;  ///< for people
    QWidget* widget = nullptr;
  };
  /// Creates the widgets, without parents. The table, the overview and the
  /// site are for the middle of the window. Call it once.
  [[nodiscard]] std::vector<View> make_views();

  [[nodiscard]] Session& session() noexcept { return session_; }
  [[nodiscard]] Selection& selection() noexcept { return selection_; }
  [[nodiscard]] const FindingTable& findings() const noexcept { return findings_; }
  /// Findings of the chosen queue pair.
  [[nodiscard]] const MessageStore& messages() const noexcept { return messages_; }
  [[nodiscard]] OverviewModel& overview() noexcept { return overview_; }
  /// Rows of all that are kept.
  [[nodiscard]] const QpRows& qps() const noexcept { return qps_; }
  /// The chosen queue pair, complete; empty: none is chosen, or it has not arrived yet.
  [[nodiscard]] const std::optional<live::QpView>& qp() const noexcept { return qp_; }
  /// The frame that the user looked at last in the chosen queue pair; else its first evidence, or its first frame. 0:
  /// none.
  [[nodiscard]] FrameNumber frame() const;
  /// The time of that frame, or of the last frame before it with a known time; empty: not known.
  [[nodiscard]] std::optional<TimePoint> time() const;
  /// Sets the text of the views while no queue pair is chosen.
  void set_hint(const QString& hint);
  /// The sentence of the verdict; empty: no queue pair is chosen.
  [[nodiscard]] QString sentence() const;
  /// The table is shown: if nothing was chosen yet, the worst queue pair is chosen. That of a file, when it was read.
  void want_choice();

 signals:
  /// qp() is another one, or has changed.
  void qp_changed();
  void rule_wanted(const QString& code);
  /// The table and the views around it are to be seen.
  void details_wanted();
  /// For the status bar.
  void reported(const QString& sentence);

 private:
  /// Shows the chosen queue pair in a view.
  template <class Widget>
  Widget* tie(Widget* widget);
  void choose(const std::optional<std::uint64_t>& qp);
  void choose_first();
  /// A file, to its end.
  [[nodiscard]] bool is_read() const;
  // The parts of make_views(), in this order.
  struct Panes;
  void make_summary(Panes& panes);
  void make_frames(Panes& panes);
  void make_plots(Panes& panes);
  void make_memory(Panes& panes);
  void make_findings(Panes& panes);
  void make_rest(Panes& panes);
  [[nodiscard]] SiteView* make_site(const Panes& panes);
  void choose_shown(const QpTableView& table);
  [[nodiscard]] OverviewView* make_overview(QpTableView& table);
  [[nodiscard]] TrackView* make_tracks(QpTableView& table);
  void show_evidence(QpTableView& table, const Focus& focus);
  void fetch();
  void take(std::uint64_t wanted, const tl::expected<live::QpView, api::Failure>& answer);
  void say_trouble(const QString& sentence);
  void replace(const QpRows& rows);
  void change(const QpRows& rows);
  void show();
  void show_findings(LadderView& ladder) const;
  template <class Widget>
  void give_findings(Widget& view);

  const std::size_t most_qps_;
  Session session_;
  Selection selection_;
  MessageStore messages_;
  FindingTable findings_;
  QpRows qps_;
  std::map<std::uint64_t, std::size_t> places_;  ///< in qps_, by number
  OverviewModel overview_;
  SiteModel site_;
  std::unique_ptr<TrackList> tracks_;
  std::optional<live::QpView> qp_;
  std::optional<Focus> focus_;
  std::optional<Focus> wanted_;  ///< to be shown when its queue pair has arrived
  bool has_chosen_ = false;      ///< the user, or this object for the user
  bool choice_wanted_ = false;
  bool fetching_ = false, fetch_again_ = false;
  std::vector<std::function<void(const live::QpView*)>> shows_;  ///< null: none is chosen
  QTimer ask_again_;                                             ///< after a failure
  QString hint_text_;
  QPointer<VerdictView> verdict_;
  std::function<void(const QString&)> hint_, trouble_;
  std::function<void(const Focus&)> show_frame_;
};

}  // namespace iwarpscope::gui
