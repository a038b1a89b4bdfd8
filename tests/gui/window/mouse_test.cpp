// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a person does with the mouse in the window, and the keys of all actions.
#include <QCheckBox>
#include <QCommandLinkButton>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QStatusBar>
#include <QTimer>

#include <map>

#include "gui/window/mouse.h"
#include "models/queue_pairs/qp_model.h"
#include "views/findings/finding_list.h"
#include "views/frame/frame_view.h"
#include "views/frame/hex_view.h"
#include "views/ladder/ladder_painter.h"
#include "views/overview/overview_view.h"
#include "views/summary/verdict_view.h"

namespace iwarpscope::gui::mouse_test {
namespace {

using test::wait_until;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(Mouse, KeysOfTheWindowAreOfOneActionEach) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  std::map<QString, QStringList> by_key;
  for (const QAction* action : window.findChildren<QAction*>()) {
    for (const QKeySequence& key : action->shortcuts()) by_key[key.toString()] << bare(action->text());
  }
  for (const auto* shortcut : window.findChildren<QShortcut*>())
    by_key[shortcut->key().toString()] << shortcut->objectName();
  EXPECT_GT(by_key.size(), 20u);
  for (const auto& [key, texts] : by_key) {
    EXPECT_EQ(texts.size(), 1) << key.toStdString() << ": " << texts.join(QStringLiteral(", ")).toStdString();
  }
}

TEST_F(Mouse, LettersOfAMenuAreOfOneEntryEach) {
  for (const auto* menu : window.findChildren<QMenu*>()) {
    std::map<QString, QStringList> by_letter;
    for (const QAction* action : menu->actions()) {
      const QKeySequence letter = QKeySequence::mnemonic(action->text());
      if (!letter.isEmpty()) by_letter[letter.toString()] << bare(action->text());
    }
    for (const auto& [letter, texts] : by_letter) {
      EXPECT_EQ(texts.size(), 1) << letter.toStdString() << ": " << texts.join(QStringLiteral(", ")).toStdString();
    }
  }
}

TEST_F(Mouse, StartPageOpensSamplesAndRecentFiles) {
  const auto button = [&](const char* name) -> QWidget* {
    for (auto* one : window.findChildren<QCommandLinkButton*>()) {
      if (one->isVisible() && one->accessibleName() == QLatin1String(name)) return one;
    }
    return nullptr;
  };
  for (const char* name : {"A wrong CRC", "Unequal read depths", "A Terminate about an STag", "The connection stalls",
                           "An atomic returns an impossible value"}) {
    ASSERT_NE(button(name), nullptr) << name;
    QTest::mouseClick(button(name), Qt::LeftButton);
    ASSERT_TRUE(wait_until([&] { return window.views() != nullptr; })) << name;
    EXPECT_TRUE(is_read() && is_whole()) << name;
    choose(QStringLiteral("File"), QStringLiteral("Close"));
    ASSERT_EQ(window.views(), nullptr);
  }
  EXPECT_EQ(button("viol-crc-error.pcap"), nullptr) << "samples are no recent files";
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  choose(QStringLiteral("File"), QStringLiteral("Close"));
  ASSERT_TRUE(wait_until([&] { return button("viol-crc-error.pcap") != nullptr; }));
  picture(window, QStringLiteral("start-page"));
  QTest::mouseClick(button("viol-crc-error.pcap"), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return window.views() != nullptr; }));
  EXPECT_EQ(window.views()->session().source().files, QStringList{test::sample("siw/viol-crc-error.pcap")});
}

TEST_F(Mouse, RowThatWasClickedIsCopiedByItsKeysAndByTheMenu) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  click(table(), table().model()->index(0, 1));
  QApplication::clipboard()->clear();
  press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_TRUE(wait_until([] { return !clipboard().empty(); }));
  EXPECT_THAT(clipboard(), HasSubstr("CRC mismatch"));
  press(Qt::Key_C, Qt::ControlModifier);
  EXPECT_THAT(clipboard(), HasSubstr("10.77.0.1:46740"));
  EXPECT_THAT(clipboard(), HasSubstr("\t"));
  QApplication::clipboard()->clear();
  choose(QStringLiteral("Edit"), QStringLiteral("Copy"));
  EXPECT_THAT(clipboard(), HasSubstr("10.77.0.1:46740"));
  choose(QStringLiteral("Edit"), QStringLiteral("Copy Sentence"));
  EXPECT_TRUE(wait_until([] { return QString::fromStdString(clipboard()).contains(QLatin1String("CRC mismatch")); }));
}

TEST_F(Mouse, TheWorstIsOnTopAtOnceAndWithTheFirstClickOnAHeader) {
  ASSERT_TRUE(open(QStringList{test::sample("siw/rping-ipv4-crc.pcap"), test::sample("siw/viol-crc-error.pcap")}));
  const auto on_top = [&] { return view<QpTableView>()->model().number_at(table().model()->index(0, 0)); };
  const auto failed = [&] {
    const auto number = on_top();
    const QpRow* row = number ? view<QpTableView>()->model().find(*number) : nullptr;
    return row != nullptr && row->outcome == qp::Outcome::failed;
  };
  EXPECT_TRUE(wait_until(failed)) << "without a click";
  click_header(QpColumn::messages);
  EXPECT_EQ(table().header()->sortIndicatorOrder(), Qt::DescendingOrder);
  EXPECT_FALSE(failed()) << "the other one has more messages";
  click_header(QpColumn::worst);
  EXPECT_TRUE(failed());
  click_header(QpColumn::verdict);
  EXPECT_TRUE(failed());
  click_header(QpColumn::verdict);
  EXPECT_FALSE(failed()) << "the second click turns it round";
}

/// Answers the dialogs of an incident bundle as a person would.
class BundleDialogs : public QObject {
 public:
  explicit BundleDialogs(QString file) : file_(std::move(file)) { startTimer(20); }
  bool has_cut = false;

 protected:
  void timerEvent(QTimerEvent* /*event*/) override {
    QWidget* modal = QApplication::activeModalWidget();
    if (auto* box = qobject_cast<QMessageBox*>(modal)) {
      QTest::mouseClick(box->checkBox(), Qt::LeftButton, {}, QPoint(8, box->checkBox()->height() / 2));
      has_cut = box->checkBox()->isChecked();
      QTest::mouseClick(box->button(QMessageBox::Save), Qt::LeftButton);
    } else if (auto* dialog = qobject_cast<QFileDialog*>(modal)) {
      dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(file_);
      QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save), Qt::LeftButton);
    }
  }

 private:
  const QString file_;
};

TEST_F(Mouse, AnIncidentBundleIsSavedFromTheMenu) {
  QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  const QString file = folder.filePath(QStringLiteral("incident.zip"));
  BundleDialogs dialogs(file);
  choose(QStringLiteral("File"), QStringLiteral("Save Incident Bundle..."));
  EXPECT_TRUE(dialogs.has_cut);
  ASSERT_TRUE(wait_until([&] { return QFile::exists(file); }));
  EXPECT_TRUE(wait_until([&] {
    return window.statusBar()->currentMessage().startsWith(QStringLiteral("Incident bundle with 15 packets saved in "));
  })) << window.statusBar()->currentMessage().toStdString();
  QFile zip(file);
  ASSERT_TRUE(zip.open(QIODevice::ReadOnly));
  const QByteArray octets = zip.readAll();
  EXPECT_TRUE(octets.startsWith("PK"));
  for (const char* name : {"README.txt", "report.html", "report.json", "packets.pcapng", "events.jsonl"}) {
    EXPECT_TRUE(octets.contains(name)) << name;
  }
}

TEST_F(Mouse, TheMenuOfTheTableHasTheIncidentBundle) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  QStringList texts;
  QTimer::singleShot(200, &window, [&] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_NE(menu, nullptr);
    for (const QAction* action : menu->actions()) texts << bare(action->text());
    menu->close();
  });
  const QModelIndex row = table().currentIndex();
  emit table().customContextMenuRequested(table().visualRect(row).center());
  EXPECT_TRUE(texts.contains(QStringLiteral("Save Incident Bundle..."))) << texts.join(QLatin1Char(',')).toStdString();
}

TEST_F(Mouse, EvidenceThatIsClickedComesToTheFront) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  dock("hosts")->raise();
  ASSERT_TRUE(wait_until([&] { return !is_seen(*view<LadderView>()); }));
  click_link(*view<VerdictView>(), QStringLiteral("frame"));
  EXPECT_TRUE(wait_until([&] { return is_seen(*view<LadderView>()); })) << "its view is covered";
  EXPECT_EQ(window.views()->frame().value, 8u);
}

TEST_F(Mouse, AFindingThatIsClickedChoosesItsQueuePairAndFrame) {
  ASSERT_TRUE(open(QStringList{test::sample("siw/rping-ipv4-crc.pcap"), test::sample("siw/viol-crc-error.pcap")}));
  window.views()->selection().set_qp({});
  dock("findings")->raise();
  QTreeView& findings = *view<FindingList>()->table();
  ASSERT_TRUE(wait_until([&] { return is_seen(findings) && findings.model()->rowCount() != 0; }));
  click(findings, findings.model()->index(0, FindingTable::kText));
  ASSERT_TRUE(wait_until([&] { return window.views()->qp().has_value(); }));
  EXPECT_EQ(window.views()->qp()->record.verdict->outcome, qp::Outcome::failed) << "the worst finding is the first row";
  EXPECT_TRUE(is_seen(findings)) << "a click does not cover the list";
  EXPECT_NE(window.views()->frame().value, 0u);
}

/// The first row becomes the current one then.
TEST_F(Mouse, FindingsThatGetTheFocusChangeNoOtherView) {
  ASSERT_TRUE(open(QStringList{test::sample("siw/viol-crc-error.pcap"), test::sample("siw/rping-ipv4-crc.pcap")}));
  const auto completed = [&](const live::QpView& row) { return row.record.verdict->outcome == qp::Outcome::completed; };
  const QpRows& rows = window.views()->qps();
  const auto other = std::find_if(rows.begin(), rows.end(), completed);
  ASSERT_NE(other, rows.end());
  const std::uint64_t chosen = other->record.qp;
  window.views()->selection().set_qp(chosen);
  ASSERT_TRUE(is_whole());
  press(Qt::Key_8, Qt::AltModifier);
  QTreeView& findings = *view<FindingList>()->table();
  ASSERT_TRUE(wait_until([&] { return findings.hasFocus() && findings.currentIndex().isValid(); }));
  EXPECT_EQ(window.views()->selection().qp(), chosen);
  press(Qt::Key_Down);
  press(Qt::Key_Up);
  EXPECT_NE(window.views()->selection().qp(), chosen) << "a key in the table chooses";
}

TEST_F(Mouse, AFindingOfNoQueuePairSaysWhyItsFrameIsNotShown) {
  ASSERT_TRUE(open("siw/many-100-rping-crc.pcap.gz"));
  window.views()->selection().set_qp(37);  // which did not fail
  ASSERT_TRUE(is_whole());
  dock("findings")->raise();
  QTreeView& findings = *view<FindingList>()->table();
  ASSERT_TRUE(wait_until([&] { return is_seen(findings) && findings.model()->rowCount() != 0; }));
  const QModelIndex first = findings.model()->index(0, FindingTable::kRule);
  ASSERT_TRUE(first.data().toString().contains(QStringLiteral("SX-10"))) << first.data().toString().toStdString();
  click(findings, first);
  const auto note = [&] {
    for (const auto* label : view<FrameView>()->findChildren<QLabel*>()) {
      if (label->text().contains(QStringLiteral("cannot be shown"))) return label->text().toStdString();
    }
    return std::string();
  };
  ASSERT_TRUE(wait_until([&] { return !note().empty(); }));
  EXPECT_THAT(note(), testing::MatchesRegex("This frame cannot be shown: Frame [0-9]+ is not a packet of queue pair "
                                            "[0-9]+\\."));
}

TEST_F(Mouse, AViewThatIsPutBackByADoubleClickIsInFront) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  QDockWidget& hosts = *dock("hosts");
  hosts.raise();
  ASSERT_TRUE(wait_until([&] { return is_seen(*hosts.widget()); }));
  const auto double_click = [&] { QTest::mouseDClick(&hosts, Qt::LeftButton, {}, QPoint(hosts.width() / 2, 8)); };
  double_click();
  ASSERT_TRUE(wait_until([&] { return hosts.isFloating() && hosts.isVisible(); }));
  double_click();
  ASSERT_TRUE(wait_until([&] { return !hosts.isFloating(); }));
  EXPECT_TRUE(wait_until([&] { return is_seen(*hosts.widget()); })) << "another view covers it";
}

TEST_F(Mouse, LadderShowsTheWholeLifeOfAHandshakeThatFailed) {
  ASSERT_TRUE(open("made/questions/ird-too-small.pcapng"));
  dock("ladder")->raise();
  ASSERT_TRUE(wait_until([&] { return ladder_rows().join(QLatin1Char('\n')).contains(QStringLiteral("TCP RST")); }))
      << ladder_rows().join(QLatin1Char('\n')).toStdString();
  const QStringList rows = ladder_rows();
  const auto row_of = [&](const char* text) {
    for (qsizetype i = 0; i < rows.size(); ++i) {
      if (rows[i].contains(QLatin1String(text))) return i;
    }
    ADD_FAILURE() << "no row " << text;
    return qsizetype{-1};
  };
  EXPECT_EQ(row_of("TCP SYN,"), 0);
  EXPECT_EQ(row_of("TCP SYN-ACK"), 1);
  EXPECT_EQ(row_of("MPA Request"), 2);
  EXPECT_EQ(row_of("MPA Reply"), 3);
  const qsizetype reset = row_of("TCP RST");
  EXPECT_GT(reset, 3);
  // A click on a row shows its frame.
  const double header = ladder_header(QFontMetricsF(ladder().font()));
  const QPoint at(20, static_cast<int>(header + (static_cast<double>(reset) + 0.5) * ladder().row()));
  QTest::mouseClick(ladder().viewport(), Qt::LeftButton, {}, at);
  ASSERT_TRUE(shows_frame(window.views()->frame().value));
  const FrameModel& model = view<FrameView>()->model();
  const bool is_reset =
      std::any_of(model.frame().fields.begin(), model.frame().fields.end(), [](const DecodedField& f) {
        return f.name == QStringLiteral("Flags") && f.value.contains(QStringLiteral("RST"));
      });
  EXPECT_TRUE(is_reset) << "frame " << model.frame().number.value;
}

TEST_F(Mouse, LadderShowsTheStartOfAnSctpAssociation) {
  ASSERT_TRUE(open("sctp/sctp-linux-ping-pong.pcap"));
  dock("ladder")->raise();
  ASSERT_TRUE(wait_until([&] { return ladder_rows().join(QLatin1Char('\n')).contains(QStringLiteral("INIT ACK")); }))
      << ladder_rows().join(QLatin1Char('\n')).toStdString();
  const QStringList rows = ladder_rows();
  ASSERT_GE(rows.size(), 4);
  EXPECT_THAT(rows[0].toStdString(), HasSubstr("SCTP INIT,"));
  EXPECT_THAT(rows[1].toStdString(), HasSubstr("SCTP INIT ACK,"));
  EXPECT_THAT(rows[2].toStdString(), HasSubstr("Session Initiate"));
  const double header = ladder_header(QFontMetricsF(ladder().font()));
  QTest::mouseClick(ladder().viewport(), Qt::LeftButton, {},
                    QPoint(20, static_cast<int>(header + 0.5 * ladder().row())));
  ASSERT_TRUE(shows_frame(window.views()->frame().value));
  EXPECT_THAT(rows[0].toStdString(), HasSubstr("frame " + std::to_string(window.views()->frame().value)));
}

TEST_F(Mouse, LadderShowsWhatAnotherProgramAnswered) {
  ASSERT_TRUE(open("made/questions/answered-by-another-program.pcapng"));
  dock("ladder")->raise();
  const auto said = [&] { return ladder_rows().join(QLatin1Char('\n')).toStdString(); };
  ASSERT_TRUE(wait_until([&] {
    return said().find("Not an MPA Reply: HTTP/1.1 400 Bad, frame 5") != std::string::npos;
  })) << said();
  ASSERT_TRUE(wait_until([&] { return mark_of_a_finding().has_value(); }));
  const QPoint mark = *mark_of_a_finding();
  EXPECT_THAT(ladder().tip_at(mark.y() - ladder_header(QFontMetricsF(ladder().font()))).toStdString(),
              HasSubstr("frame 5"))
      << "its row has the finding";
}

TEST_F(Mouse, MarkOfAFindingInTheLadderChoosesTheFinding) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  dock("ladder")->raise();
  ASSERT_TRUE(wait_until([&] { return mark_of_a_finding().has_value(); }));
  const QPoint at = *mark_of_a_finding();
  const std::uint64_t sequence = ladder().finding_at(QPointF(at))->sequence;
  QTest::mouseClick(ladder().viewport(), Qt::LeftButton, {}, at);
  QTreeView& findings = *view<FindingList>()->table();
  ASSERT_TRUE(wait_until([&] { return is_seen(findings) && findings.currentIndex().isValid(); }));
  const auto& proxy = dynamic_cast<const FindingFilter&>(*findings.model());
  EXPECT_EQ(proxy.at(findings.currentIndex()).sequence, sequence);
}

TEST_F(Mouse, FrameLinkShowsTheHeaderWithTheWrongFieldMarked) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  click_link(*view<VerdictView>(), QStringLiteral("frame"));
  EXPECT_TRUE(is_seen(*view<FrameView>()));
  ASSERT_TRUE(shows_frame(window.views()->frame().value));
  ASSERT_TRUE(wait_until([&] { return chosen_field(FrameModel::kField) == QStringLiteral("CRC"); }))
      << chosen_field(FrameModel::kField).toStdString();
  EXPECT_THAT(chosen_field(FrameModel::kFinding).toStdString(), HasSubstr("MF-04"));
  HexView& octets = view<FrameView>()->octets();
  const OctetRange crc = view<FrameView>()->model().octets(view<FrameView>()->tree().currentIndex());
  EXPECT_EQ(crc.end - crc.begin, 4u);
  EXPECT_EQ(octets.chosen(), crc);
  // An octet chooses its field, a field its octets.
  const auto in_view = [&](std::uint32_t octet) { return octets.place_of(octet).center().toPoint(); };
  octets.choose({0, 6});
  QTest::mouseClick(octets.viewport(), Qt::LeftButton, {}, in_view(13));
  EXPECT_EQ(chosen_field(FrameModel::kField), QStringLiteral("Type"));
  EXPECT_EQ(octets.chosen(), (OctetRange{12, 14}));
  QTreeView& tree = view<FrameView>()->tree();
  const QModelIndex destination = tree.model()->index(0, 0, tree.model()->index(0, 0));
  click(tree, destination);
  EXPECT_EQ(octets.chosen(), (OctetRange{0, 6}));
  picture(*view<FrameView>(), QStringLiteral("frame"));
}

/// Also when the text about it takes some of the room.
TEST_F(Mouse, RowOfALowLadderThatWasGoneToIsInSight) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  window.tabifyDockWidget(dock("verdict"), dock("frame"));  // as on a low screen
  window.resize(960, 500);
  ASSERT_TRUE(wait_until([&] { return window.size() == QSize(960, 500); }));
  press_button("ladder", QStringLiteral("Next finding"));
  ASSERT_TRUE(shows_frame(8));
  (void)settled(window);
  const QStringList rows = ladder_rows();
  EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const QString& row) {
    return row.contains(QStringLiteral("frame 8"));
  })) << rows.join(QStringLiteral(" | ")).toStdString();
}

TEST_F(Mouse, FrameKeepsTheFieldsThatAreLookedAtWhenItIsResized) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  click_link(*view<VerdictView>(), QStringLiteral("frame"));
  ASSERT_TRUE(wait_until([&] { return chosen_field(FrameModel::kField) == QStringLiteral("CRC"); }));
  QTreeView& tree = view<FrameView>()->tree();
  HexView& octets = view<FrameView>()->octets();
  const auto is_in_sight = [&] {
    return tree.viewport()->rect().contains(tree.visualRect(tree.currentIndex()).center());
  };
  const auto resize_to = [&](int height) {
    const int before = tree.height();
    window.resize(kWidth, height);
    ASSERT_TRUE(wait_until([&] { return window.height() == height && tree.height() != before; }));
    (void)settled(window);
  };
  resize_to(kHeight - 50);
  EXPECT_TRUE(is_in_sight());
  // Away from the chosen field.
  tree.verticalScrollBar()->setValue(0);
  octets.verticalScrollBar()->setValue(0);
  ASSERT_FALSE(is_in_sight());
  resize_to(kHeight - 80);
  EXPECT_EQ(tree.verticalScrollBar()->value(), 0);
  EXPECT_EQ(octets.verticalScrollBar()->value(), 0);
}

TEST_F(Mouse, FrameFollowsAClickInTheFindings) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  dock("findings")->raise();
  QTreeView& findings = *view<FindingList>()->table();
  ASSERT_TRUE(wait_until([&] { return is_seen(findings) && findings.model()->rowCount() != 0; }));
  dock("frame")->close();
  click(findings, findings.model()->index(0, FindingTable::kText));
  EXPECT_TRUE(wait_until([&] { return is_seen(*view<FrameView>()); }));
  ASSERT_TRUE(shows_frame(window.views()->frame().value));
  EXPECT_TRUE(is_seen(findings));
  // With a place of its own it comes to the front, too.
  dock("ladder")->setFloating(true);
  dock("ladder")->hide();
  click(findings, findings.model()->index(0, FindingTable::kText));
  EXPECT_TRUE(wait_until([&] { return is_seen(*view<LadderView>()); }));
}

TEST_F(Mouse, FileThatCannotBeReadIsSaidInPlainWordsEverywhere) {
  const QString file = folder.filePath(QStringLiteral("none.pcap"));
  ASSERT_TRUE(QFile(file).open(QIODevice::WriteOnly));
  window.open_files({file});
  ASSERT_TRUE(wait_until([&] { return window.views()->session().link().state == Link::State::failed; }));
  const std::string said = window.views()->session().link().sentence.toStdString();
  EXPECT_THAT(said, testing::Not(HasSubstr("iwarpscoped:")));
  EXPECT_THAT(said, HasSubstr("none.pcap"));
  EXPECT_THAT(view<VerdictView>()->plain_text().toStdString(), HasSubstr("There is nothing to show"));
  EXPECT_THAT(view<VerdictView>()->plain_text().toStdString(), testing::Not(HasSubstr("none.pcap")))
      << "the banner says it, once";
  EXPECT_THAT(view<OverviewView>()->plain_text().toStdString(), testing::Not(HasSubstr("none.pcap")));
}

}  // namespace
}  // namespace iwarpscope::gui::mouse_test
