// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The main window: one session, its views as docks around the table of queue pairs, and the actions on them.
#pragma once

#include <QMainWindow>

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "session/session.h"
#include "session/source.h"
#include "window/file_mark.h"

class QLabel;
class QProgressBar;
class QSettings;
class QStackedWidget;
class QTabBar;
class QTemporaryDir;
class QTimer;
class QToolButton;

namespace iwarpscope::gui {

class Banner;
class ConnectionBanner;
class FailureNotifier;
class HealthBar;
class HelpWindow;
class KeyUnlocker;
class Keyring;
class OutcomeBar;
class QpTableView;
class SessionViews;
class StartPage;

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// The settings must outlive it.
  explicit MainWindow(QSettings& settings, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Closes the previous source. If a key needs a passphrase, it is opened first: with the keyring, or the user is
  /// asked.
  void open(Source source);
  void open_files(const QStringList& files);
  /// Ends the session, also a replay, within a second.
  void close_session();
  /// Null: nothing is open.
  [[nodiscard]] SessionViews* views() noexcept { return views_.get(); }
  /// The overview and the site have the window for themselves; the details are the table and all other views. In the
  /// order of their tabs.
  enum class Page : std::uint8_t { overview, details, site };
  /// The site is shown while a centre answers; else the overview.
  void show_page(Page page);
  /// Replaces the desktop's keyring.
  void set_keyring(std::unique_ptr<Keyring> keyring);

  // Actions of the menus, also for tests. Each shows its result in the status bar.
  void save_packets_as(const QString& file);
  void copy_json();
  void copy_filter();
  void save_report_as(const QString& file, std::optional<std::uint64_t> qp);
  void save_bundle_as(const QString& file, std::uint64_t qp, bool cut_payload);
  void open_wireshark();
  void show_help();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  bool event(QEvent* event) override;

 private:
  static void keep_placeholders_legible();
  void make_center();
  [[nodiscard]] QWidget* make_page_row();
  void make_docks();
  void make_status_bar();
  void make_menus();
  void make_file_menu();
  void make_edit_menu();
  void make_view_menu();
  void add_page_actions(QMenu& menu);
  void make_help_menu();
  /// `icon`: its name in the icon themes of freedesktop.org; null: none.
  QAction* add_action(QMenu* menu, const QString& text, const QKeySequence& keys, void (MainWindow::*slot)(),
                      const char* icon = nullptr);
  void fill_recent();

  void begin(Source source);
  void end_session();
  void show_start();
  void hide_docks();
  void show_docks();
  void offer_site(bool is_centre);
  void go_to_dock(QDockWidget& dock);
  void follow_overview();
  void show_incidents();
  void filter_table(const QString& filter);
  [[nodiscard]] QpTableView* table() const;
  void add_qp_actions();
  void fit_views();
  [[nodiscard]] QSize room_on_screen() const;
  void fit_views_soon();
  void fit_table();
  void fit_verdict();
  [[nodiscard]] int tabs_height(const QDockWidget& dock) const;
  [[nodiscard]] std::pair<int, int> heights() const;
  void see_all_failures();
  void show_views();
  void keep_layout();
  void keep_table();
  void drop_views();
  void count_findings();
  [[nodiscard]] QString time_of_view() const;
  void link_changed(const Link& link);
  void status_changed(const StatusPtr& status);
  void qp_changed();
  void update_actions();
  void show_progress();
  void set_stale(bool stale);
  void tell(const QString& sentence);
  void complain(const QString& sentence);

  [[nodiscard]] const QTemporaryDir& own_folder();
  void open_sample(const QString& resource);
  void open_again();
  void choose_files();
  void choose_server();
  void choose_packets_file();
  void choose_report_file();
  void choose_qp_report_file();
  void ask_for_report(std::optional<std::uint64_t> qp);
  void choose_bundle_file();
  void copy();
  void copy_sentence();
  void set_paused(bool paused);
  void show_all_of_time();
  void reset_layout();
  [[nodiscard]] QList<QDockWidget*> docks_in_order() const;
  void go_round(int step);
  void go_to_filter();
  void go_to_next_view();
  void go_to_previous_view();
  void float_view();
  void close_view();
  [[nodiscard]] static QDockWidget* dock_with_focus();
  void about();
  void cancel();
  void show_rule(const QString& code);

  static constexpr int kLayoutVersion = 1;
  QSettings& settings_;
  QByteArray first_layout_;
  QByteArray views_layout_;  ///< while the start page or the overview is shown: of the views
  QStackedWidget* center_ = nullptr;
  QTabBar* pages_ = nullptr;
  OutcomeBar* outcomes_ = nullptr;
  FailureNotifier* notifier_ = nullptr;
  StartPage* start_ = nullptr;
  ConnectionBanner* link_banner_ = nullptr;
  Banner* loss_banner_ = nullptr;
  HealthBar* health_ = nullptr;
  QLabel* link_label_ = nullptr;
  QLabel* time_label_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QToolButton* cancel_ = nullptr;
  QMenu* recent_ = nullptr;
  QAction* pause_ = nullptr;
  QAction* all_of_time_ = nullptr;
  QAction* again_ = nullptr;
  QAction* see_all_ = nullptr;
  QAction* site_ = nullptr;      ///< leads to the page; visible while a centre answers
  QList<QAction*> of_qp_;        ///< what can be done with the chosen queue pair: in context menus, too
  QAction* qp_title_ = nullptr;  ///< before them: which one
  std::vector<QAction*> needs_session_, needs_qp_;
  std::vector<QAction*> needs_daemon_;
  std::optional<std::pair<int, int>> pressed_;  ///< heights() while the mouse may drag an edge
  bool is_dragged_ = false;                     ///< the user has chosen the heights
  QTimer* fit_soon_ = nullptr;
  std::map<QString, QDockWidget*> docks_;  ///< by the name of their view
  std::unique_ptr<SessionViews> views_;
  QString title_;                          ///< of the window, without the number of new failures
  std::optional<FileMark> mark_;           ///< of the one file that is open
  std::optional<std::int64_t> started_;    ///< when the daemon began, by its clock
  bool is_restarted_ = false;              ///< the daemon was restarted since the session began
  std::unique_ptr<QTemporaryDir> folder_;  ///< packets opened in Wireshark, and captures of the program's own
  HelpWindow* help_ = nullptr;
  KeyUnlocker* unlocker_ = nullptr;
};

}  // namespace iwarpscope::gui
