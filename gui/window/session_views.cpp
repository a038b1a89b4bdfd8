// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/session_views.h"

#include <QBoxLayout>
#include <QDockWidget>
#include <QMainWindow>

#include <algorithm>
#include <iterator>
#include <utility>

#include "iwarpscope/v1/status.pb.h"
#include "session/forget_oldest.h"
#include "views/atomics/atomic_view.h"
#include "views/buffers/buffer_view.h"
#include "views/findings/finding_list.h"
#include "views/frame/frame_view.h"
#include "views/hosts/host_view.h"
#include "views/ladder/ladder_canvas.h"
#include "views/ladder/ladder_view.h"
#include "views/logs/log_view.h"
#include "views/overview/overview_view.h"
#include "views/plots/latency_view.h"
#include "views/plots/time_note.h"
#include "views/plots/timeline_view.h"
#include "views/plots/track_view.h"
#include "views/queue_pairs/qp_table_view.h"
#include "views/site/site_view.h"
#include "views/summary/handshake_view.h"
#include "views/summary/verdict_view.h"

namespace iwarpscope::gui {
namespace {

/// Null: it is in none.
QDockWidget* dock_of(QWidget& view) {
  for (QWidget* around = view.parentWidget(); around != nullptr; around = around->parentWidget()) {
    if (auto* const dock = qobject_cast<QDockWidget*>(around)) return dock;
  }
  return nullptr;
}

/// To the front, if it is in a dock.
void to_front(QWidget& view) {
  QDockWidget* const dock = dock_of(view);
  if (dock == nullptr) return;
  dock->show();
  dock->raise();
}

/// Both are tabs of one place of the window.
bool covers(QWidget& one, QWidget& other) {
  const auto* const window = qobject_cast<QMainWindow*>(other.window());
  QDockWidget *const its = dock_of(one), *const place = dock_of(other);
  if (window == nullptr || its == nullptr || place == nullptr || its->isFloating()) return false;
  return window->tabifiedDockWidgets(place).contains(its);
}

void bring_up(QWidget& view) {
  to_front(view);
  view.setFocus();
}

}  // namespace

SessionViews::SessionViews(Source source, QObject* parent, std::size_t most_qps)
    : QObject(parent),
      most_qps_(most_qps),
      session_(std::move(source)),
      messages_([this](auto qp, auto from, auto most, QObject* asker,
                       auto then) { session_.ask_messages(qp, from, most, asker, std::move(then)); },
                [this](auto qp, auto from, auto most, QObject* asker, auto then) {
                  session_.ask_transport(qp, from, most, asker, std::move(then));
                }),
      overview_(
          qps_, [this](auto qp, QObject* asker, auto then) { session_.ask_qp(qp, asker, std::move(then)); },
          !session_.source().is_file()),
      site_([this](const SiteQuestion& question, QObject* asker, auto then) {
        session_.ask_site(question, asker, std::move(then));
      }) {
  findings_.follow(session_);
  constexpr int kAskAgainMs = 2'000;
  ask_again_.setSingleShot(true);
  ask_again_.setInterval(kAskAgainMs);
  connect(&ask_again_, &QTimer::timeout, this, &SessionViews::fetch);
  connect(&session_, &Session::qps_replaced, this, &SessionViews::replace);
  connect(&session_, &Session::qps_changed, this, &SessionViews::change);
  connect(&session_, &Session::status_changed, this, &SessionViews::choose_first);
  connect(&session_, &Session::status_changed, this,
          [this](const StatusPtr& status) { overview_.set_started(status->started_time_ns()); });
  connect(&selection_, &Selection::qp_changed, this, &SessionViews::choose);
  connect(&selection_, &Selection::focused, this, [this](const Focus& focus) { focus_ = focus; });
}

SessionViews::~SessionViews() = default;

template <class Widget>
Widget* SessionViews::tie(Widget* widget) {
  shows_.emplace_back([shown = QPointer<Widget>(widget)](const live::QpView* qp) {
    if (!shown) return;
    if constexpr (requires { shown->set_qp(std::optional<live::QpView>()); }) {
      shown->set_qp(qp != nullptr ? std::optional(*qp) : std::nullopt);
    } else if (qp != nullptr) {
      shown->set_qp(*qp);
    } else if constexpr (requires { shown->clear(); }) {
      shown->clear();
    }
  });
  return widget;
}

/// The views of one session, while they are made and connected.
struct SessionViews::Panes {
  std::vector<View> views;  ///< in the order of the menu
  QpTableView* table = nullptr;
  OverviewView* overview = nullptr;
  LadderView* ladder = nullptr;
  FrameView* frame = nullptr;
  AtomicView* atomics = nullptr;
  FindingList* findings = nullptr;
  /// Beside the view that was clicked, which stays: a person goes from one finding to the next.
  std::function<void(QWidget& clicked, const Focus& focus)> show_beside;

  void add(const char* name, const QString& title, QWidget* widget) {
    // Chapters of the guide with more text on a view.
    static const std::map<QString, QString> chapters{
        {QStringLiteral("queue-pairs"), QStringLiteral("Reading a report")},
        {QStringLiteral("verdict"), QStringLiteral("Reading a report")},
        {QStringLiteral("findings"), QStringLiteral("Questions that operators ask")},
        {QStringLiteral("tracks"), QStringLiteral("Questions that operators ask")},
        {QStringLiteral("hosts"), QStringLiteral("Questions that operators ask")},
        {QStringLiteral("log"), QStringLiteral("Questions that operators ask")},
    };
    const auto chapter = chapters.find(QString::fromLatin1(name));
    if (chapter != chapters.end()) widget->setProperty("chapter", chapter->second);
    views.push_back({QString::fromLatin1(name), title, widget});
  }
};

std::vector<SessionViews::View> SessionViews::make_views() {
  Panes panes;
  make_summary(panes);
  make_frames(panes);
  make_plots(panes);
  make_memory(panes);
  make_findings(panes);
  make_rest(panes);
  return std::move(panes.views);
}

void SessionViews::make_summary(Panes& panes) {
  panes.table = new QpTableView(session_, selection_);
  connect(panes.table, &QpTableView::message, this, &SessionViews::reported);
  panes.table->setWhatsThis(
      tr("Lists all queue pairs, one per row: ends, state, verdict, worst finding and traffic. The filter above the "
         "table accepts fields and operators. Example: host == 10.0.0.1 and errors > 0. It offers completions and "
         "shows at once whether the filter is valid. Enter chooses a queue pair for all other views. The tooltip of a "
         "column heading explains the column."));
  panes.add("queue-pairs", tr("Queue pairs"), panes.table);
  panes.overview = make_overview(*panes.table);
  panes.add("overview", tr("Overview"), panes.overview);
  verdict_ = tie(new VerdictView(selection_, findings_));
  connect(verdict_, &VerdictView::rule_wanted, this, &SessionViews::rule_wanted);
  connect(&messages_, &MessageStore::passed, verdict_, &VerdictView::note);
  panes.add("verdict", tr("Verdict"), verdict_);
}

void SessionViews::make_frames(Panes& panes) {
  auto* handshake = tie(new HandshakeView);
  panes.add("handshake", tr("Handshake"), handshake);
  auto* const ladder = panes.ladder = tie(new LadderView(selection_, messages_));
  hint_ = [overview = QPointer(panes.overview)](const QString& hint) {
    if (overview) overview->set_hint(hint);
  };
  trouble_ = [verdict = verdict_, handshake = QPointer(handshake), ladder = QPointer(ladder)](const QString& hint) {
    if (verdict) verdict->set_hint(hint);
    if (handshake) handshake->set_hint(hint);
    if (ladder) ladder->canvas().set_hint(hint);
  };
  auto* const frame = panes.frame =
      tie(new FrameView(selection_, [this](auto qp, auto number, QObject* asker, auto then) {
        session_.ask_frame(qp, number, asker, std::move(then));
      }));
  give_findings(*frame);
  show_frame_ = [this, frame, ladder](const Focus& focus) {
    selection_.look_at(focus);
    to_front(*frame);
    bring_up(*ladder);
  };
  panes.show_beside = [this, frame, ladder](QWidget& clicked, const Focus& focus) {
    selection_.look_at(focus);
    if (!covers(*frame, clicked)) to_front(*frame);
    if (!covers(*ladder, clicked)) to_front(*ladder);
  };
  connect(&ladder->canvas(), &LadderCanvas::frame_chosen, frame, [this, frame](const Focus& focus) {
    focus_ = focus;
    frame->show_frame(focus.frame);
  });
  connect(verdict_, &VerdictView::frame_wanted, ladder, show_frame_);
  for (const auto change : {&Session::findings_replaced, &Session::findings_added}) {
    connect(&session_, change, ladder, [this, ladder] { show_findings(*ladder); });
  }
  shows_.emplace_back([this, shown = QPointer<LadderView>(ladder)](const live::QpView*) {
    if (shown) show_findings(*shown);
  });
  panes.add("ladder", tr("Ladder"), ladder);
  panes.add("frame", tr("Frame"), frame);
}

void SessionViews::make_plots(Panes& panes) {
  panes.add("timeline", tr("Timeline"), tie(new TimelineView(messages_, selection_)));
  TrackView* const tracks = make_tracks(*panes.table);
  connect(tracks, &TrackView::flag_clicked, panes.frame,
          [show_beside = panes.show_beside, tracks](const Focus& focus) { show_beside(*tracks, focus); });
  panes.add("tracks", tr("Tracks"), tracks);
  auto* latency = tie(new LatencyView(messages_, selection_));
  if (auto* const column = qobject_cast<QBoxLayout*>(latency->layout())) {
    const auto says = [] { return tr("Only requests sent in this time are counted."); };
    column->insertWidget(0, new TimeNote(selection_, says, latency));
  }
  panes.add("latency", tr("Latency"), latency);
}

void SessionViews::make_memory(Panes& panes) {
  auto* buffers = tie(new BufferView(messages_, selection_));
  give_findings(*buffers);
  panes.add("buffers", tr("Buffers"), buffers);
  const MessageStore::AskMessages ask = [this](auto qp, auto from, auto most, QObject* asker, auto then) {
    session_.ask_messages(qp, from, most, asker, std::move(then));
  };
  auto* const atomics = panes.atomics = tie(new AtomicView(messages_, ask, selection_));
  give_findings(*atomics);
  for (const auto change : {&Session::qps_replaced, &Session::qps_changed}) {
    connect(&session_, change, atomics, [this, atomics] {
      QpRows some;
      std::copy_if(qps_.begin(), qps_.end(), std::back_inserter(some), has_atomics);
      atomics->set_all(std::move(some));
    });
  }
  panes.add("atomics", tr("Atomics"), atomics);
}

void SessionViews::make_findings(Panes& panes) {
  auto* findings = panes.findings = new FindingList(selection_, findings_);
  connect(&session_, &Session::status_changed, findings, &FindingList::set_status);
  const auto show_finding = [findings](quint64 sequence) {
    findings->show_finding(sequence);
    bring_up(*findings);
  };
  connect(panes.atomics, &AtomicView::finding_wanted, findings, show_finding);
  connect(verdict_, &VerdictView::finding_wanted, findings, show_finding);
  connect(&panes.ladder->canvas(), &LadderCanvas::finding_clicked, findings, show_finding);
  connect(findings, &FindingList::frame_wanted, panes.ladder, show_frame_);
  connect(findings, &FindingList::finding_clicked, panes.frame,
          [show_beside = panes.show_beside, findings](const Focus& focus) { show_beside(*findings, focus); });
  connect(findings, &FindingList::atomics_wanted, panes.atomics, [this, atomics = panes.atomics](const Focus& focus) {
    selection_.look_at(focus);
    bring_up(*atomics);
  });
  panes.add("findings", tr("Findings"), findings);
  connect(panes.overview, &OverviewView::findings_wanted, findings, [this, findings] {
    emit details_wanted();
    bring_up(*findings);
  });
  connect(panes.overview, &OverviewView::finding_wanted, findings, [this, show_finding](quint64 sequence) {
    emit details_wanted();
    show_finding(sequence);
  });
}

void SessionViews::make_rest(Panes& panes) {
  auto* hosts = new HostView(session_, selection_);
  connect(hosts, &HostView::filter_wanted, panes.table,
          [table = panes.table](const QString& filter) { table->filter_bar().set_text(filter); });
  panes.add("hosts", tr("Hosts"), hosts);
  connect(panes.overview, &OverviewView::hosts_wanted, hosts, [this, hosts] {
    emit details_wanted();
    bring_up(*hosts);
  });
  auto* log = new LogView(session_, selection_, findings_, [this]() -> const QpRows& { return qps_; });
  connect(log, &LogView::rule_wanted, this, &SessionViews::rule_wanted);
  panes.add("log", tr("Log Lines"), log);
  panes.add("site", tr("Site"), make_site(panes));
}

SiteView* SessionViews::make_site(const Panes& panes) {
  auto* const site = new SiteView(site_);
  connect(&session_, &Session::status_changed, site, &SiteView::set_status);
  connect(&session_, &Session::link_changed, &site_, [this](const Link& link) {
    if (link.state == Link::State::connected) site_.set_connected();
  });
  const auto show_qps = [this, table = panes.table](const QString& filter) {
    emit details_wanted();
    table->show_counted(filter);
    choose_shown(*table);
    table->setFocus();
  };
  connect(site, &SiteView::qps_wanted, panes.table, show_qps);
  connect(site, &SiteView::qp_wanted, panes.table, [this, show_qps](quint64 qp) {
    show_qps({});
    selection_.set_qp(qp);
  });
  connect(site, &SiteView::rule_wanted, panes.findings, [this, findings = panes.findings](const QString& rule) {
    emit details_wanted();
    findings->show_rule(rule);
    selection_.set_qp(findings->first_qp());
    bring_up(*findings);
  });
  return site;
}

/// The other views are about a queue pair that the table shows.
void SessionViews::choose_shown(const QpTableView& table) {
  const QpModel& model = table.model();
  if (selection_.qp() && model.index_of(*selection_.qp()).isValid()) return;
  const std::vector<std::uint64_t> first = model.first(1);
  selection_.set_qp(first.empty() ? std::nullopt : std::optional(first.front()));
}

OverviewView* SessionViews::make_overview(QpTableView& table) {
  auto* overview = new OverviewView(overview_, session_.source().is_file());
  connect(&session_, &Session::status_changed, overview, &OverviewView::set_status);
  connect(overview, &OverviewView::qps_wanted, &table, [this, &table](const QString& filter, quint64 qp) {
    emit details_wanted();
    table.filter_bar().set_text(filter);
    selection_.set_qp(qp);
    table.setFocus();
  });
  connect(overview, &OverviewView::qp_chosen, &selection_, [this](quint64 qp) { selection_.set_qp(qp); });
  connect(overview, &OverviewView::frame_wanted, &table,
          [this, &table](const Focus& focus) { show_evidence(table, focus); });
  for (const auto change : {&Session::findings_replaced, &Session::findings_added}) {
    connect(&session_, change, overview, [this, overview] {
      constexpr std::size_t kMostOfNoQp = 3;
      overview->set_findings_of_no_qp(findings_.of_no_qp(findings::Severity::warning, kMostOfNoQp));
    });
  }
  return overview;
}

TrackView* SessionViews::make_tracks(QpTableView& table) {
  const QpModel& model = table.model();
  TrackList::Sources sources;
  sources.rows = [this]() -> const QpRows& { return qps_; };
  sources.order = [&model](std::size_t most) { return TrackList::Order{model.first(most), model.shown()}; };
  sources.ask_qp = [this](auto qp, QObject* asker, auto then) { session_.ask_qp(qp, asker, std::move(then)); };
  sources.ask_messages = [this](auto qp, auto from, auto most, QObject* asker, auto then) {
    session_.ask_messages(qp, from, most, asker, std::move(then));
  };
  sources.ask_transport = [this](auto qp, auto from, auto most, QObject* asker, auto then) {
    session_.ask_transport(qp, from, most, asker, std::move(then));
  };
  tracks_ = std::make_unique<TrackList>(std::move(sources), findings_, selection_);
  connect(&model, &QpModel::rearranged, tracks_.get(), &TrackList::touch);
  connect(&session_, &Session::qps_replaced, tracks_.get(), &TrackList::forget);
  connect(&session_, &Session::qps_changed, tracks_.get(), &TrackList::touch);
  auto* const view = new TrackView(*tracks_, selection_);
  connect(view, &TrackView::frame_wanted, this, [this, &table](const Focus& focus) { show_evidence(table, focus); });
  return view;
}

/// When the queue pair is complete, its views can show the frame.
void SessionViews::show_evidence(QpTableView& table, const Focus& focus) {
  emit details_wanted();
  if (!table.model().index_of(*focus.qp).isValid()) table.filter_bar().set_text({});
  selection_.set_qp(focus.qp);
  wanted_ = focus;
  if (qp_) show();
}

/// Shows the findings of the chosen queue pair in a view, and later ones.
template <class Widget>
void SessionViews::give_findings(Widget& view) {
  const auto give = [this, shown = QPointer<Widget>(&view)] {
    if (!shown) return;
    const std::vector<live::FindingView> some =
        selection_.qp() ? findings_.of_qp(*selection_.qp()) : std::vector<live::FindingView>();
    shown->set_findings(some);
  };
  for (const auto change : {&Session::findings_replaced, &Session::findings_added}) {
    connect(&session_, change, &view, give);
  }
  connect(&selection_, &Selection::qp_changed, &view, give);
}

void SessionViews::set_hint(const QString& hint) {
  hint_text_ = hint;
  if (hint_) hint_(hint);
  say_trouble({});
}

/// Why the chosen queue pair is not shown; empty: it is, or it is being fetched.
void SessionViews::say_trouble(const QString& sentence) {
  if (trouble_) trouble_(sentence.isEmpty() ? hint_text_ : sentence);
}

void SessionViews::show_findings(LadderView& ladder) const {
  if (qp_) ladder.set_findings(findings_.of_qp(qp_->record.qp));
}

FrameNumber SessionViews::frame() const {
  if (focus_) return focus_->frame;
  if (!qp_) return {};
  const auto& verdict = qp_->record.verdict;
  return verdict && !verdict->evidence.empty() ? verdict->evidence.back() : qp_->record.first_frame;
}

std::optional<TimePoint> SessionViews::time() const {
  if (focus_ && focus_->time != TimePoint{}) return focus_->time;
  return verdict_ ? verdict_->clock().up_to(frame()) : std::nullopt;
}

QString SessionViews::sentence() const {
  return verdict_ ? verdict_->sentence() : QString();
}

void SessionViews::choose(const std::optional<std::uint64_t>& qp) {
  has_chosen_ = has_chosen_ || qp;
  qp_.reset();
  focus_.reset();
  messages_.open({});
  say_trouble({});
  show();
  if (qp) fetch();
}

/// One request at a time; later changes are requested again.
void SessionViews::fetch() {
  ask_again_.stop();
  fetch_again_ = fetching_;
  if (fetching_ || !selection_.qp()) return;
  fetching_ = true;
  const std::uint64_t wanted = *selection_.qp();
  session_.ask_qp(wanted, this, [this, wanted](const tl::expected<live::QpView, api::Failure>& answer) {
    fetching_ = false;
    if (selection_.qp() == wanted) take(wanted, answer);
    if (fetch_again_ || selection_.qp() != wanted) fetch();
  });
}

/// A failure is said where the queue pair would be, and it is asked for again.
void SessionViews::take(std::uint64_t wanted, const tl::expected<live::QpView, api::Failure>& answer) {
  if (!answer) {
    if (!qp_) {
      say_trouble(tr("QP %1 is not shown: %2").arg(wanted).arg(QString::fromStdString(answer.error().sentence)));
      show();
    }
    if (session_.link().state != Link::State::failed) ask_again_.start();
    return;
  }
  const bool is_new = !qp_;
  qp_ = *answer;
  is_new ? messages_.open(qp_) : messages_.follow(*qp_);
  say_trouble({});
  show();
}

void SessionViews::show() {
  for (const auto& in_view : shows_) in_view(qp_ ? &*qp_ : nullptr);
  emit qp_changed();
  if (!qp_ || !wanted_ || wanted_->qp != qp_->record.qp) return;
  const Focus focus = *std::exchange(wanted_, std::nullopt);
  if (show_frame_) show_frame_(focus);
}

void SessionViews::replace(const QpRows& rows) {
  qps_ = rows;
  places_.clear();
  for (std::size_t i = 0; i < qps_.size(); ++i) places_.emplace(qps_[i].record.qp, i);
  overview_.replaced();
  if (const auto chosen = selection_.qp(); chosen && !places_.contains(*chosen)) return selection_.set_qp({});
  choose_first();
  fetch();
}

bool SessionViews::is_read() const {
  const StatusPtr& status = session_.status();
  if (!session_.source().is_file() || !status || status->capturing()) return false;
  const auto has_ended = [](const live::QpView& row) { return row.ended; };
  const auto all = std::min<std::uint64_t>(status->totals().qps_opened(), most_qps_);
  return qps_.size() >= all && std::all_of(qps_.begin(), qps_.end(), has_ended);
}

void SessionViews::want_choice() {
  choice_wanted_ = true;
  choose_first();
}

/// The worst queue pair, unless the user has chosen another one: of a file, when it was read to its end; of a daemon,
/// when the table is shown.
void SessionViews::choose_first() {
  if (has_chosen_ || qps_.empty()) return;
  if (session_.source().is_file() ? !is_read() : !choice_wanted_) return;
  const auto worst = std::min_element(qps_.begin(), qps_.end(), [](const live::QpView& one, const live::QpView& other) {
    return badness(one) < badness(other);
  });
  selection_.set_qp(worst->record.qp);
}

void SessionViews::change(const QpRows& rows) {
  bool is_chosen = false;
  for (const live::QpView& row : rows) {
    const auto [place, is_new] = places_.emplace(row.record.qp, qps_.size());
    is_new ? qps_.push_back(row) : void(qps_[place->second] = row);
    is_chosen = is_chosen || selection_.qp() == row.record.qp;
  }
  static_cast<void>(forget_oldest(qps_, places_, most_qps_));
  overview_.touch();
  if (is_chosen) fetch();
  choose_first();
}

}  // namespace iwarpscope::gui
