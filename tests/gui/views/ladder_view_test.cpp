// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The ladder as users operate it: keys, mouse, jumps, pictures; and with a real daemon.
#include "views/ladder/ladder_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QFile>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>

#include "gui/models/ladder_samples.h"
#include "gui/wait.h"
#include "models/ladder/ladder_text.h"
#include "session/session.h"
#include "views/ladder/ladder_canvas.h"
#include "views/ladder/ladder_painter.h"

namespace iwarpscope::gui::ladder_view_test {
namespace {

using findings::FindingId;
using test::wait_until;
using testing::HasSubstr;

/// A queue pair with this number of messages, answered from memory, and its ladder.
struct Shown {
  explicit Shown(std::vector<qp::MessageRecord> all)
      : messages(std::move(all)),
        store([this](std::uint64_t, std::uint64_t from, std::uint32_t most, QObject* asker,
                     const Session::Then<MessageRows>& then) { answer(from, most, asker, then); },
              [](std::uint64_t, std::uint64_t, std::uint32_t, QObject*, const Session::Then<TransportRows>&) {}),
        view(selection, store),
        canvas(view.canvas()) {
    qp.record.qp = 7;
    qp.record.roles = qp::Roles::mpa;
    view.resize(900, 600);
    view.show();
    grow();
    store.open(qp);
    view.set_qp(qp);
  }
  void answer(std::uint64_t from, std::uint32_t most, QObject* asker, const Session::Then<MessageRows>& then) {
    QTimer::singleShot(0, asker, [this, from, most, then] {
      MessageRows rows{.from = from, .messages = {}};
      const std::uint64_t end = std::min<std::uint64_t>(messages.size(), from + most);
      for (std::uint64_t i = from; i < end; ++i) rows.messages.push_back(messages[i]);
      if (end < messages.size()) rows.next = end;
      then(rows);
    });
  }
  void grow() {
    qp.record.directions[0].messages[0] = messages.size();
    store.follow(qp);
  }
  [[nodiscard]] bool is_passed() {
    return wait_until([this] { return store.progress() >= 1 && store.at(store.end() - 1) != nullptr; });
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) { QTest::keyClick(&canvas, key, modifiers); }
  [[nodiscard]] bool says(const char* words) {
    return wait_until([&] { return canvas.accessibleDescription().contains(QString::fromUtf8(words)); });
  }

  std::vector<qp::MessageRecord> messages;
  live::QpView qp;
  Selection selection;
  MessageStore store;
  LadderView view;
  LadderCanvas& canvas;
};

TEST(LadderView, OfNoQueuePairSaysWhatToDo) {
  Shown shown({});
  shown.store.open(std::nullopt);
  shown.key(Qt::Key_Down);
  shown.key(Qt::Key_N);
  shown.canvas.zoom(1);
  EXPECT_FALSE(shown.canvas.current());
  EXPECT_FALSE(shown.canvas.save(QStringLiteral("/tmp/never.svg")));
  shown.view.grab();
}

TEST(LadderView, IsDrivenByKeys) {
  Shown shown(ladder_with_read(5000, 2, 6));
  ASSERT_TRUE(shown.is_passed());
  shown.key(Qt::Key_Down);
  EXPECT_EQ(shown.canvas.current(), 0u);
  shown.key(Qt::Key_Down);
  shown.key(Qt::Key_Down);
  EXPECT_EQ(shown.canvas.current(), 2u);
  EXPECT_TRUE(shown.says("RDMA Read Request")) << shown.canvas.accessibleDescription().toStdString();
  EXPECT_TRUE(shown.says("RFC 5040 §5.2.1"));
  shown.key(Qt::Key_PageDown);
  EXPECT_GT(*shown.canvas.current(), 5u);
  shown.key(Qt::Key_End);
  EXPECT_EQ(shown.canvas.current(), 4999u);
  EXPECT_EQ(shown.canvas.verticalScrollBar()->value(), shown.canvas.verticalScrollBar()->maximum());
  shown.key(Qt::Key_Up);
  shown.key(Qt::Key_Home);
  EXPECT_EQ(shown.canvas.current(), 0u);
  EXPECT_EQ(shown.canvas.verticalScrollBar()->value(), 0);
}

TEST(LadderView, ZoomsFromOneMessageToAllOfThem) {
  Shown shown(ladder_with_read(5000, 2, 6));
  ASSERT_TRUE(shown.is_passed());
  const double before = shown.canvas.row();
  shown.key(Qt::Key_Plus);
  EXPECT_GT(shown.canvas.row(), before);
  for (int i = 0; i < 60; ++i) shown.key(Qt::Key_Minus);
  EXPECT_TRUE(shown.canvas.is_density());
  EXPECT_EQ(shown.canvas.verticalScrollBar()->maximum(), 0) << "all is seen";
  QWheelEvent wheel(QPointF(50, 100), QPointF(50, 100), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                    Qt::NoScrollPhase, false);
  const double least = shown.canvas.row();
  QCoreApplication::sendEvent(shown.canvas.viewport(), &wheel);
  EXPECT_GT(shown.canvas.row(), least);
}

TEST(LadderView, JumpsFromFindingToFinding) {
  Shown shown(ladder_with_read(9000, 2, 6));
  shown.view.set_findings(
      {ladder_finding(FindingId::mpa_crc_mismatch, 50, 40), ladder_finding(FindingId::mpa_pad_not_zero, 8000, 7000)});
  ASSERT_TRUE(shown.is_passed());
  shown.key(Qt::Key_N);
  EXPECT_EQ(shown.canvas.current(), 41u) << "message 40 of A: one of B is before it";
  EXPECT_TRUE(shown.says("error MF-04 in frame 50: The CRC is wrong."));
  shown.key(Qt::Key_N);
  EXPECT_EQ(shown.canvas.current(), 7001u);
  EXPECT_FALSE(shown.canvas.jump_to_finding(true));
  shown.key(Qt::Key_P);
  EXPECT_EQ(shown.canvas.current(), 41u);
}

TEST(LadderView, GoesToAFrameAndFollowsTheFocus) {
  Shown shown(ladder_with_read(9000, 2, 6));
  Focus focus;
  focus.qp = 7;
  focus.frame = FrameNumber{8010};
  shown.selection.look_at(focus);
  ASSERT_TRUE(wait_until([&] { return shown.canvas.current() == 8000u; })) << "before it had come";
  ASSERT_TRUE(shown.is_passed());
  QTest::keyClick(&shown.canvas, Qt::Key_G, Qt::ControlModifier);
  auto* frame = shown.view.findChild<QLineEdit*>();
  frame->setText(QStringLiteral("110"));
  QTest::keyClick(frame, Qt::Key_Return);
  EXPECT_EQ(shown.canvas.current(), 100u);
  focus.direction = Direction::b_to_a;
  focus.message = 0;
  shown.selection.look_at(focus);
  EXPECT_EQ(shown.canvas.current(), 8000u) << "as a Terminate names the frame of the message that it refuses";
  focus.frame = {};
  shown.selection.look_at(focus);
  EXPECT_EQ(shown.canvas.current(), 6u);
}

TEST(LadderView, FollowsAQueuePairThatGrowsWhenAtItsEnd) {
  Shown shown(ladder_with_read(3000, 2, 6));
  ASSERT_TRUE(shown.is_passed());
  auto* bar = shown.canvas.verticalScrollBar();
  shown.messages = ladder_with_read(3500, 2, 6);
  shown.grow();
  ASSERT_TRUE(shown.is_passed());
  EXPECT_EQ(bar->value(), 0) << "a user who looks at the beginning stays there";
  shown.key(Qt::Key_End);
  const int before = bar->maximum();
  shown.messages = ladder_with_read(4000, 2, 6);
  shown.grow();
  ASSERT_TRUE(shown.is_passed());
  EXPECT_GT(bar->maximum(), before);
  EXPECT_EQ(bar->value(), bar->maximum());
}

TEST(LadderView, TheMouseChoosesMessagesAndPicturesShowThem) {
  Shown shown(ladder_with_read(3000, 2, 6));
  ASSERT_TRUE(shown.is_passed());
  QTest::mouseClick(shown.canvas.viewport(), Qt::LeftButton, {}, QPoint(200, 120));
  ASSERT_TRUE(shown.canvas.current());
  const std::uint64_t first = *shown.canvas.current();
  QTest::mouseClick(shown.canvas.viewport(), Qt::LeftButton, Qt::ShiftModifier, QPoint(200, 300));
  EXPECT_GT(*shown.canvas.current(), first);
  const QTemporaryDir folder;
  const QString svg = folder.filePath(QStringLiteral("part.svg")), png = folder.filePath(QStringLiteral("part.png"));
  ASSERT_TRUE(shown.canvas.save(svg));
  ASSERT_TRUE(shown.canvas.save(png));
  QFile file(svg);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_THAT(file.readAll().toStdString(), HasSubstr("<svg"));
  EXPECT_GT(QImage(png).height(), 100);
  shown.key(Qt::Key_End, Qt::ShiftModifier);
  const auto too_much = shown.canvas.save(png);
  ASSERT_FALSE(too_much);
  EXPECT_THAT(too_much.error().toStdString(), HasSubstr("too many"));
  EXPECT_FALSE(shown.canvas.save(QStringLiteral("/nowhere/at/all.svg")));
}

QPalette dark() {
  QPalette palette(QColor(45, 45, 45), QColor(35, 35, 35));
  palette.setColor(QPalette::Base, QColor(30, 30, 30));
  palette.setColor(QPalette::Text, Qt::white);
  palette.setColor(QPalette::WindowText, Qt::white);
  palette.setColor(QPalette::Highlight, QColor(60, 120, 200));
  return palette;
}

TEST(LadderView, GoesToTheFirstMessageOfTheMarkedTime) {
  Shown shown(ladder_with_read(500, 9999, 9999));
  ASSERT_TRUE(shown.is_passed());
  const auto* const bar = shown.canvas.verticalScrollBar();
  EXPECT_EQ(bar->value(), 0);
  const auto first = [&] { return static_cast<int>(bar->value() / shown.canvas.row() + 0.5); };
  shown.selection.set_range(TimeRange{TimePoint{310'000}, TimePoint{320'000}});  // frame 310 is the 301st message
  EXPECT_TRUE(wait_until([&] { return first() == 300; })) << first();
  shown.key(Qt::Key_Home);
  EXPECT_EQ(bar->value(), 0) << "it does not return";
  shown.selection.set_range({});
  EXPECT_EQ(bar->value(), 0);
}

TEST(LadderView, WhatWasStalledToTheEndIsMarkedUnlessItWasClosed) {
  Shown shown(ladder_with_read(3, 99, 99));
  ASSERT_TRUE(shown.is_passed());
  shown.canvas.show_transport(true);
  auto finding = ladder_finding(FindingId::mpa_crc_mismatch, 11, 1);
  finding.finding.time = TimePoint{20'000'000'000};
  shown.view.set_findings({finding});
  const auto painted = [&](bool is_closed) {
    shown.qp.ended = true;
    shown.qp.record.last_time = TimePoint{12'000};
    shown.qp.record.closed_by = is_closed ? std::optional<std::string_view>("fin") : std::nullopt;
    shown.view.set_qp(shown.qp);
    return shown.canvas.viewport()->grab().toImage();
  };
  const QImage closed = painted(true);
  EXPECT_EQ(painted(true), closed);
  const QImage open = painted(false);
  EXPECT_NE(open, closed);
  // The length of a pause always fits, also in a narrow ladder: it is in the column of times.
  const LadderColumns at(QFontMetricsF(shown.canvas.font()), open.width());
  const QRect times(0, 0, qFloor(at.initiator - at.line), open.height());
  EXPECT_NE(open.copy(times), closed.copy(times));
}

TEST(LadderView, OfNoMessageHasNoLineThroughItsWords) {
  const LadderLook look{.palette = dark(), .font = QApplication::font(), .left = {}, .right = {}};
  QImage image(600, 300, QImage::Format_RGB32);
  QPainter painter(&image);
  paint_ladder(painter, image.rect(), LadderScene{}, 40, look);
  painter.end();
  const int top = qCeil(ladder_header(QFontMetricsF(look.font))) + 2;
  for (int x = 0; x < image.width(); ++x) ASSERT_EQ(image.pixelColor(x, top), look.palette.color(QPalette::Base)) << x;
}

TEST(LadderView, LabelsEndAtAPartWhereThereIsLittleRoom) {
  const QFontMetricsF metrics(QApplication::font());
  const QString label = QStringLiteral("RDMA Write, 16,384 octets, STag 0x00000010");
  const auto in_room_of = [&](const char* text) {
    return parts_that_fit(label, metrics, metrics.horizontalAdvance(QString::fromUtf8(text))).toStdString();
  };
  EXPECT_EQ(in_room_of("RDMA Write, 16,384 octets, STag 0x00000010"), label.toStdString());
  EXPECT_EQ(in_room_of("RDMA Write, 16,384 octets, STag 0x000000"), "RDMA Write, 16,384 octets, …");
  EXPECT_EQ(in_room_of("RDMA Write, 16,384 oct"), "RDMA Write, …");
  EXPECT_EQ(in_room_of("RDMA"), "RDMA Write, …") << "what is left is cut by the painter";
}

TEST(LadderView, LabelsTakeTwoLinesWhereOneIsTooShort) {
  const QFontMetricsF metrics(QApplication::font());
  const auto in_room_of = [&](const char* text) {
    const QString label = QStringLiteral("MPA Request, Rev 2, CRC, IRD 16, ORD 16");
    return lines_that_fit(label, metrics, metrics.horizontalAdvance(QString::fromUtf8(text))).join(u'|').toStdString();
  };
  EXPECT_EQ(in_room_of("MPA Request, Rev 2, CRC, IRD 16, ORD 16"), "MPA Request, Rev 2, CRC, IRD 16, ORD 16");
  EXPECT_EQ(in_room_of("MPA Request, Rev 2, CRC,"), "MPA Request, Rev 2, CRC,|IRD 16, ORD 16");
  EXPECT_EQ(in_room_of("MPA Request, Rev"), "MPA Request,|Rev 2, CRC, …");
  EXPECT_EQ(in_room_of("MPA"), "MPA Request, …") << "what is left is cut by the painter";
}

/// As at 200 %: both lines are above the arrow, in rows that have the height for them.
TEST(LadderView, ALabelOfTwoLinesIsAboveItsArrow) {
  const QFontMetricsF metrics(QApplication::font());
  const LadderColumns narrow(metrics, 400);
  LadderScene scene;
  scene.rows.resize(1);
  const LadderLife life;
  LadderRow& row = scene.rows[0];
  row.life = &life;
  row.y = 3 * metrics.height();
  const LadderLook look{.palette = dark(), .font = QApplication::font(), .left = {}, .right = {}};
  const auto lines_of = [&](const char* label, double high) {
    row.label = QString::fromUtf8(label);
    QImage image(400, qCeil(6 * metrics.height()), QImage::Format_RGB32);
    QPainter painter(&image);
    paint_ladder(painter, image.rect(), scene, high, look);
    painter.end();
    // Beside the line of the tap, down to the arrow.
    const int arrow = qFloor(ladder_header(metrics) + row.y + 0.5 * metrics.height());
    int lines = 0;
    bool was_drawn = false;
    for (int y = qCeil(ladder_header(metrics)) + 2; y < arrow; ++y) {
      bool is_drawn = false;
      for (int x = qCeil(narrow.initiator) + 3; x < qFloor(narrow.tap) - 2; ++x) {
        is_drawn = is_drawn || image.pixelColor(x, y) != look.palette.color(QPalette::Base);
      }
      lines += is_drawn && !was_drawn ? 1 : 0;
      was_drawn = is_drawn;
    }
    return lines;
  };
  constexpr const char* kLong = "HHHHHHHHHH, HHHHHHHHHH, HHHHHHHHHH";
  EXPECT_EQ(lines_of(kLong, 3 * metrics.height()), 2);
  EXPECT_EQ(lines_of(kLong, 2 * metrics.height()), 1) << "the row is too low";
  EXPECT_EQ(lines_of("HHHHH", 3 * metrics.height()), 1);
}

TEST(LadderView, TheLineOfTheTapLeavesRoomForLabels) {
  const LadderLook look{.palette = QPalette(), .font = QApplication::font(), .left = {}, .right = {}};
  const LadderLife life;
  LadderScene scene;
  scene.rows.resize(1);
  scene.rows[0].life = &life;
  scene.rows[0].label = QStringLiteral(" ");  // so that only the line could be seen there
  scene.rows[0].y = 100;
  QImage image(900, 400, QImage::Format_RGB32);
  QPainter painter(&image);
  paint_ladder(painter, image.rect(), scene, 40, look);
  painter.end();
  const QFontMetricsF metrics(look.font);
  const LadderColumns at(metrics, image.width());
  const auto is_drawn = [&](double from, double to) {
    for (int y = qCeil(ladder_header(metrics) + from); y < ladder_header(metrics) + to; ++y) {
      for (const int x : {-1, 0, 1}) {
        if (image.pixelColor(qFloor(at.tap) + x, y) != look.palette.color(QPalette::Base)) return true;
      }
    }
    return false;
  };
  const double middle = 100 - at.line * 0.35;
  EXPECT_FALSE(is_drawn(middle - at.line / 2 + 1, middle + at.line / 2 - 1));
  EXPECT_TRUE(is_drawn(0, middle - at.line / 2));
  EXPECT_TRUE(is_drawn(100 + at.line, 300));
}

TEST(LadderView, NamesOfEndsAreShorterWhereThereIsLittleRoom) {
  const QFontMetricsF metrics(QApplication::font());
  const QStringList forms{QStringLiteral("Initiator 10.77.0.1:46659"), QStringLiteral("Initiator"),
                          QStringLiteral("Init."), QStringLiteral("A")};
  for (const double width : {300.0, 480.0, 700.0, 960.0, 1400.0}) {
    const double room = LadderColumns(metrics, width).name_room();
    EXPECT_LE(metrics.horizontalAdvance(first_that_fits(forms, metrics, room)), room) << width;
  }
  const QStringList right{QStringLiteral("Responder, long"), QStringLiteral("Responder of it"),
                          QStringLiteral("Resp.,"), QStringLiteral("B")};
  const double room = metrics.horizontalAdvance(forms[2]);
  EXPECT_EQ(names_that_fit(forms, right, metrics, room), std::pair(forms[3], right[3])) << "both are as short";
  EXPECT_EQ(names_that_fit(forms, right, metrics, 1e4), std::pair(forms[0], right[0]));
  EXPECT_EQ(first_that_fits(forms, metrics, 1e4), forms.front());
  EXPECT_EQ(first_that_fits(forms, metrics, 0), forms.back());
  Shown shown({ladder_with_read(5, 99, 99)});
  ASSERT_TRUE(shown.is_passed());
  QHelpEvent help(QEvent::ToolTip, QPoint(50, 3), shown.canvas.viewport()->mapToGlobal(QPoint(50, 3)));
  QApplication::sendEvent(shown.canvas.viewport(), &help);
  EXPECT_TRUE(QToolTip::text().startsWith(QStringLiteral("Initiator "))) << QToolTip::text().toStdString();
}

/// As at 200 % in a window of 1920 pixels: the names of messages need the room more than the times.
TEST(LadderView, InANarrowLadderTheArrowsHaveMoreRoomThanTheTimes) {
  const QFontMetricsF metrics(QApplication::font());
  const LadderColumns narrow(metrics, 400), wide(metrics, 940);
  EXPECT_TRUE(narrow.two_lines);
  EXPECT_GT(narrow.responder - narrow.initiator, 0.75 * narrow.initiator);
  EXPECT_FALSE(wide.two_lines) << "at 1400 pixels there is room for both beside each other";
  const LadderColumns scaled(metrics, 36 * metrics.height());
  EXPECT_TRUE(scaled.two_lines);
  const double room = scaled.responder - scaled.initiator - scaled.line;
  EXPECT_TRUE(parts_that_fit(QStringLiteral("MPA Request, Rev 2, CRC, IRD 4, ORD 4"), metrics, room)
                  .startsWith(QStringLiteral("MPA Request, Rev 2")))
      << room;
  // The time since the previous row is below the time, in rows that have the height for it.
  LadderScene scene;
  scene.rows.resize(1);
  scene.rows[0].label = QStringLiteral(" ");
  const LadderLife life;
  scene.rows[0].life = &life;
  scene.rows[0].time = QStringLiteral("+0.000000000");
  scene.rows[0].delta = QStringLiteral("20.0 us");
  scene.rows[0].y = 60;
  const LadderLook look{.palette = dark(), .font = QApplication::font(), .left = {}, .right = {}};
  const auto lines_of_times = [&](double row) {
    QImage image(400, 160, QImage::Format_RGB32);
    QPainter painter(&image);
    paint_ladder(painter, image.rect(), scene, row, look);
    painter.end();
    int lines = 0;
    bool was_drawn = false;
    for (int y = qCeil(ladder_header(metrics)) + 2; y < image.height(); ++y) {
      bool is_drawn = false;
      for (int x = qCeil(narrow.times); x < qFloor(narrow.initiator - narrow.lane * LadderBracket::kLanes); ++x) {
        is_drawn = is_drawn || image.pixelColor(x, y) != look.palette.color(QPalette::Base);
      }
      lines += is_drawn && !was_drawn ? 1 : 0;
      was_drawn = is_drawn;
    }
    return lines;
  };
  EXPECT_EQ(lines_of_times(3 * metrics.height()), 2);
  EXPECT_EQ(lines_of_times(1.5 * metrics.height()), 1);
}

TEST(LadderView, TipsHaveTheWholeTextBesideMarks) {
  Shown shown({ladder_with_read(5, 99, 99)});
  ASSERT_TRUE(shown.is_passed());
  std::vector<live::FindingView> findings{ladder_finding(FindingId::mpa_crc_off, 13),
                                          ladder_finding(FindingId::mpa_crc_mismatch, 13)};
  for (live::FindingView& one : findings) one.finding.direction = Direction::b_to_a;  // no message of B begins there
  shown.view.set_findings(findings);
  const double row = shown.canvas.row();
  const std::string at_mark = shown.canvas.tip_at(3 * row + 1).toStdString();
  EXPECT_THAT(at_mark, testing::StartsWith("E MF-04; N MS-37\n"));
  EXPECT_THAT(at_mark, HasSubstr("frame 13 (RFC 5040"));
  EXPECT_THAT(shown.canvas.tip_at(1.5 * row).toStdString(), testing::Not(HasSubstr("MF-04")));
}

/// Also in the outermost lane.
TEST(LadderView, ALatencyDoesNotRunIntoTheFindings) {
  for (const char* words : {"10.2 ms", "888.88 us", "the capture has the response first"}) {
    for (const unsigned lane : {0u, LadderBracket::kLanes - 1}) {
      SCOPED_TRACE(words + (" in lane " + std::to_string(lane)));
      LadderScene scene;
      scene.brackets.push_back({.from = 20, .to = 180, .direction = Direction::b_to_a, .lane = lane});
      const LadderLook look{.palette = dark(), .font = QApplication::font(), .left = {}, .right = {}};
      const QFontMetricsF metrics(look.font);
      const LadderColumns at(metrics, 1000);
      const auto painted = [&](int from, int to) {
        QImage image(1000, 240, QImage::Format_RGB32);
        QPainter painter(&image);
        paint_ladder(painter, image.rect(), scene, 40, look);
        painter.end();
        int count = 0;
        for (int y = qCeil(ladder_header(metrics)) + 2; y < image.height(); ++y) {
          for (int x = from; x < to; ++x) count += image.pixelColor(x, y) == look.palette.color(QPalette::Base) ? 0 : 1;
        }
        return count;
      };
      const int life = qCeil(at.responder) + 2, notes = qFloor(at.notes);
      const int bare = painted(life, notes);
      scene.brackets.front().latency = QString::fromLatin1(words);
      EXPECT_GT(painted(life, notes), bare) << "it is not there";
      EXPECT_EQ(painted(notes, 1000), 0);
    }
  }
}

TEST(LadderView, EveryControlHasAName) {
  Shown shown({});
  EXPECT_FALSE(shown.canvas.accessibleName().isEmpty());
  for (const auto* button : shown.view.findChildren<QToolButton*>()) EXPECT_FALSE(button->accessibleName().isEmpty());
  for (const auto* edit : shown.view.findChildren<QLineEdit*>()) EXPECT_FALSE(edit->accessibleName().isEmpty());
}

/// IWARPSCOPE_SCREENSHOTS keeps the pictures there.
void keep(QWidget& widget, const QString& name) {
  const QString folder = qEnvironmentVariable("IWARPSCOPE_SCREENSHOTS");
  const QPixmap picture = widget.grab();
  if (folder.isEmpty()) return;
  EXPECT_TRUE(picture.save(folder + QLatin1Char('/') + name + QStringLiteral(".png")));
}

class LadderOfSample : public testing::TestWithParam<const char*> {};

TEST_P(LadderOfSample, ShowsItsMessagesAndEachFinding) {
  const QString name = QString::fromLatin1(GetParam());
  Session session({.files = {QStringLiteral(IWARPSCOPE_SAMPLES "/") + name}});
  std::optional<live::QpView> qp;
  FindingRows findings;
  const auto take = [&](const QpRows& rows) {
    for (const live::QpView& row : rows) {
      if (row.record.qp == 0) qp = row;
    }
  };
  QObject::connect(&session, &Session::qps_replaced, &session, take);
  QObject::connect(&session, &Session::qps_changed, &session, take);
  const auto take_findings = [&](const FindingRows& rows) {
    for (const live::FindingView& row : rows) {
      if (row.finding.qp == 0u) findings.push_back(row);
    }
  };
  QObject::connect(&session, &Session::findings_replaced, &session, take_findings);
  QObject::connect(&session, &Session::findings_added, &session, take_findings);
  session.start();
  ASSERT_TRUE(wait_until([&] { return qp && qp->ended && !findings.empty(); }));
  Selection selection;
  MessageStore store([&](auto... a) { session.ask_messages(a...); }, [&](auto... a) { session.ask_transport(a...); });
  LadderView view(selection, store);
  view.resize(1200, 700);
  view.show();
  store.open(qp);
  view.set_qp(*qp);
  view.set_findings(findings);
  ASSERT_TRUE(wait_until([&] { return store.progress() >= 1 && store.at(0) != nullptr; }));
  LadderCanvas& canvas = view.canvas();
  ASSERT_TRUE(canvas.jump_to_finding(true));
  QTest::qWait(200);
  QString picture = QStringLiteral("ladder-") + name.section(QLatin1Char('/'), 1).section(QLatin1Char('.'), 0, 0);
  keep(view, picture);
  view.setPalette(dark());
  keep(view, picture + QStringLiteral("-dark"));
  QFont large = view.font();
  large.setPointSizeF(large.pointSizeF() * 2);
  view.setFont(large);
  QTest::qWait(50);
  keep(view, picture + QStringLiteral("-large"));
  canvas.zoom_to_all();
  keep(view, picture + QStringLiteral("-all"));
  EXPECT_FALSE(canvas.details().isEmpty());
}

INSTANTIATE_TEST_SUITE_P(Samples, LadderOfSample,
                         testing::Values("siw/viol-crc-error.pcap", "siw/lossy-senderview-send-64k-crc.pcap.gz",
                                         "made/network/effects.pcapng"),
                         [](const auto& one) { return "sample" + std::to_string(one.index); });

}  // namespace
}  // namespace iwarpscope::gui::ladder_view_test
