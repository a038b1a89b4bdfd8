// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Opening, saving and exporting from the window.
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QTemporaryDir>
#include <QUrl>

#include "models/words.h"
#include "report/json.h"
#include "views/banner.h"
#include "views/local_keys.h"
#include "window/edit_menu.h"
#include "window/help_window.h"
#include "window/key_unlocker.h"
#include "window/main_window.h"
#include "window/recent_files.h"
#include "window/report.h"
#include "window/server_dialog.h"
#include "window/session_views.h"
#include "window/wireshark.h"

namespace iwarpscope::gui {
namespace {

QStringList local_files(const QMimeData* data) {
  QStringList files;
  for (const QUrl& url : data->urls()) {
    // Not toLocalFile(): it drops octets that are not UTF-8.
    if (url.isLocalFile()) files << name_of(QByteArray::fromPercentEncoding(url.path(QUrl::FullyEncoded).toLatin1()));
  }
  return files;
}

}  // namespace

void MainWindow::complain(const QString& sentence) {
  QMessageBox box(QMessageBox::Warning, tr("iwarpscope"), sentence, QMessageBox::Ok, this);
  box.setAccessibleName(tr("Warning"));
  box.exec();
}

void MainWindow::open_files(const QStringList& files) {
  if (files.isEmpty()) return;
  RecentFiles(settings_).note(files);
  open({.files = files});
}

/// Ends with the window.
const QTemporaryDir& MainWindow::own_folder() {
  const QString name = QDir::tempPath() + QStringLiteral("/iwarpscope-packets-XXXXXX");
  if (!folder_) folder_ = std::make_unique<QTemporaryDir>(name);
  return *folder_;
}

/// The daemon reads files, and the resources are none.
void MainWindow::open_sample(const QString& resource) {
  const QString file = own_folder().filePath(QFileInfo(resource).fileName());
  if (!QFile::exists(file) && !QFile::copy(resource, file)) {
    return complain(tr("%1 cannot be written.").arg(file));
  }
  open({.files = {file}});
}

void MainWindow::open_again() {
  if (!views_ || !views_->session().source().is_file()) return;
  Source source{.files = views_->session().source().files};
  open(std::move(source));
}

void MainWindow::choose_files() {
  open_files(QFileDialog::getOpenFileNames(
      this, tr("Open Captures"), {},
      tr("Captures (*.pcap *.pcapng *.cap *.pcap.gz *.pcapng.gz *.pcap.zst *.pcapng.zst);;All files (*)")));
}

void MainWindow::choose_server() {
  ServerDialog dialog(settings_, this);
  connect(&dialog, &ServerDialog::key_unused, this,
          [this](const QString& key) { unlocker_->forget(key.toStdString()); });
  if (dialog.exec() == QDialog::Accepted) open(dialog.source());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!local_files(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  open_files(local_files(event->mimeData()));
}

void MainWindow::choose_packets_file() {
  const QString name = QStringLiteral("qp-%1.pcapng").arg(views_->qp()->record.qp);
  const QString file = QFileDialog::getSaveFileName(this, tr("Save Packets"), name, tr("pcapng files (*.pcapng)"));
  if (!file.isEmpty()) save_packets_as(file);
}

void MainWindow::save_packets_as(const QString& file) {
  if (!views_ || !views_->qp()) return;
  tell(tr("Saving packets..."));
  const PacketsWanted wanted{.qp = views_->qp()->record.qp};
  views_->session().save_packets(wanted, file, this, [this](const tl::expected<PacketsSaved, api::Failure>& saved) {
    tell(saved ? tr("%Ln packet(s) saved in %1.", nullptr, plural(saved->packets)).arg(saved->file)
               : QString::fromStdString(saved.error().sentence));
  });
}

void MainWindow::choose_report_file() {
  ask_for_report({});
}

void MainWindow::choose_qp_report_file() {
  if (views_ && views_->qp()) ask_for_report(views_->qp()->record.qp);
}

void MainWindow::ask_for_report(std::optional<std::uint64_t> qp) {
  const QString name = qp ? QStringLiteral("qp-%1.html").arg(*qp) : tr("report.html");
  const QString file = QFileDialog::getSaveFileName(this, tr("Export Report"), name, tr("HTML files (*.html)"));
  if (!file.isEmpty()) save_report_as(file, qp);
}

void MainWindow::save_report_as(const QString& file, std::optional<std::uint64_t> qp) {
  if (!views_) return;
  tell(tr("Writing the report..."));
  views_->session().make_report(qp, this, [this, file](const tl::expected<QByteArray, api::Failure>& html) {
    if (!html) return tell(QString::fromStdString(html.error().sentence));
    const QString trouble = write_report(*html, file);
    tell(trouble.isEmpty() ? tr("Report saved in %1.").arg(file) : trouble);
  });
}

void MainWindow::choose_bundle_file() {
  if (!views_ || !views_->qp()) return;
  const std::uint64_t qp = views_->qp()->record.qp;
  QMessageBox box(QMessageBox::Question, tr("Save Incident Bundle"),
                  tr("The bundle is a zip file with the report, the packets, the JSON records and the log lines of QP "
                     "%1, for another person to look at.")
                      .arg(qp),
                  QMessageBox::Save | QMessageBox::Cancel, this);
  auto* cut = new QCheckBox(tr("&Cut ULP payload and private data from the packets"), &box);
  cut->setToolTip(
      tr("Each packet ends before its first octet of ULP payload or private data. The headers before it, "
         "from Ethernet to RDMAP, are kept."));
  box.setCheckBox(cut);
  if (box.exec() != QMessageBox::Save) return;
  const QString file = QFileDialog::getSaveFileName(this, tr("Save Incident Bundle"),
                                                    QStringLiteral("qp-%1.zip").arg(qp), tr("zip files (*.zip)"));
  if (!file.isEmpty()) save_bundle_as(file, qp, cut->isChecked());
}

void MainWindow::save_bundle_as(const QString& file, std::uint64_t qp, bool cut_payload) {
  if (!views_) return;
  tell(tr("Writing the incident bundle..."));
  views_->session().save_bundle(
      qp, cut_payload, file, this, [this, file](const tl::expected<bundle::Result, api::Failure>& made) {
        if (!made) return tell(QString::fromStdString(made.error().sentence));
        QString sentence =
            tr("Incident bundle with %Ln packet(s) saved in %1.", nullptr, plural(made->packets)).arg(file);
        for (const std::string& remark : made->remarks) sentence += QLatin1Char(' ') + QString::fromStdString(remark);
        tell(sentence);
      });
}

/// A single unchanged file is opened itself, at the frame. Otherwise the packets are fetched first: their frame numbers
/// are different then, but their times are the same.
void MainWindow::open_wireshark() {
  if (!views_ || !views_->qp()) return;
  const Source& source = views_->session().source();
  const auto now = source.files.size() == 1 ? FileMark::of(source.files.front()) : std::nullopt;
  const bool is_replaced = now && mark_ && !mark_->is_still(*now);
  if (now && !is_replaced) {
    const QString file = QFileInfo(source.files.front()).absoluteFilePath();
    const QString trouble = open_in_wireshark(file, views_->frame());
    return tell(trouble.isEmpty() ? tr("Opening %1 in Wireshark.").arg(file) : trouble);
  }
  const QTemporaryDir& folder = own_folder();
  const std::uint64_t qp = views_->qp()->record.qp;
  const QString wanted = folder.filePath(QStringLiteral("qp-%1.pcapng").arg(qp));
  const QString replaced = is_replaced ? source.title() : QString();
  tell(tr("Fetching packets..."));
  views_->session().save_packets(
      {.qp = qp}, wanted, this,
      [this, replaced, time = views_->time()](const tl::expected<PacketsSaved, api::Failure>& saved) {
        if (!saved) return tell(QString::fromStdString(saved.error().sentence));
        const QString trouble = open_in_wireshark(saved->file, time);
        if (!trouble.isEmpty()) return tell(trouble);
        tell(replaced.isEmpty() ? tr("Opening %1 in Wireshark.").arg(saved->file)
                                : tr("%1 was replaced after it was opened. Opening the packets that were read from it "
                                     "in Wireshark: %2.")
                                      .arg(replaced, saved->file));
      });
}

void MainWindow::copy() {
  if (copy_from_focus() || trigger_in_focus(kCopySentence)) return;
  tell(tr("Nothing to copy: select a row or some text."));
}

/// For the focused row; otherwise for the verdict.
void MainWindow::copy_sentence() {
  if (trigger_in_focus(kCopySentence)) return;
  QApplication::clipboard()->setText(views_->sentence());
  tell(tr("Sentence copied to the clipboard."));
}

void MainWindow::copy_json() {
  if (!views_ || !views_->qp()) return;
  std::string json;
  const std::string& id = views_->qp()->name.community_id;  // with the seed of the daemon; of a file: empty
  report::append_json(json, views_->qp()->record, id.empty() ? std::nullopt : std::optional<std::string_view>(id));
  QApplication::clipboard()->setText(QString::fromStdString(json).trimmed());
  tell(tr("JSON record of QP %1 copied to the clipboard.").arg(views_->qp()->record.qp));
}

void MainWindow::copy_filter() {
  if (!views_ || !views_->qp()) return;
  const qp::QpRecord& record = views_->qp()->record;
  QApplication::clipboard()->setText(wireshark_filter(record.a, record.b, record.sctp_stream.has_value()));
  tell(tr("Display filter of QP %1 for Wireshark copied to the clipboard.").arg(record.qp));
}

void MainWindow::set_paused(bool paused) {
  if (!views_) return;
  views_->session().set_paused(paused);
  tell(paused ? tr("The view is paused. No data is lost: it is shown when the view continues.")
              : tr("The view continues."));
}

void MainWindow::show_all_of_time() {
  if (views_) views_->selection().set_range({});
}

void MainWindow::show_help() {
  help_->explain_widget(QApplication::focusWidget());
}

void MainWindow::show_rule(const QString& code) {
  help_->explain(tr("Rule %1").arg(code), rule_help_html(code));
}

void MainWindow::about() {
  QMessageBox::about(this, tr("About iwarpscope"),
                     tr("iwarpscope %1: an analyser for iWARP. It shows what MPA, DDP and RDMAP did on each queue "
                        "pair, and what went wrong.")
                         .arg(QCoreApplication::applicationVersion()));
}

}  // namespace iwarpscope::gui
