// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/ladder/ladder_canvas.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QLocale>
#include <QPainter>
#include <QResizeEvent>
#include <QSaveFile>
#include <QScrollBar>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/ladder/ladder_text.h"
#include "models/words.h"
#include "report/human.h"
#include "views/ladder/ladder_painter.h"
#include "views/local_keys.h"
#include "views/table_actions.h"

namespace iwarpscope::gui {
namespace {

constexpr double kDefaultRow = 3, kMostRow = 6;  // lines of text
constexpr double kTextRow = 2;                   // lines of text; above this height, text is drawn
constexpr double kMostScroll = 1e9;
constexpr int kAgainMs = 50;

}  // namespace

LadderCanvas::LadderCanvas(Selection& selection, MessageStore& store, QWidget* parent)
    : QAbstractScrollArea(parent), selection_(selection), store_(store) {
  setAccessibleName(tr("Ladder of messages"));
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  verticalScrollBar()->setAccessibleName(tr("Position in the ladder"));
  viewport()->setAccessibleName(tr("Ladder of messages"));
  auto* const keys = new LocalKeys(*this);
  connect(keys->add(tr("&Copy as Text"), kCopyRow, QKeySequence::Copy), &QAction::triggered, this, [this] {
    if (!current_) return;
    QGuiApplication::clipboard()->setText(details());
    gui::tell(*this, tr("Row copied to the clipboard."));
  });
  setContextMenuPolicy(Qt::ActionsContextMenu);
  viewport()->setMouseTracking(true);  // marks of findings are links
  again_.setSingleShot(true);
  again_.setInterval(kAgainMs);
  connect(&again_, &QTimer::timeout, this, &LadderCanvas::look_again);
  connect(&store_, &MessageStore::reset, this, &LadderCanvas::forget);
  connect(&store_, &MessageStore::resized, this, &LadderCanvas::resized);
  connect(&store_, &MessageStore::passed, this, [this](const MessageRows& page) {
    change_rows([&] { index_.add(page); });
    if (!again_.isActive()) again_.start();
  });
  const auto again = [this] {
    if (!again_.isActive()) again_.start();
  };
  connect(&store_, &MessageStore::loaded, this, again);
  connect(&store_, &MessageStore::transport_changed, this, again);
  connect(&selection_, &Selection::range_changed, this, [this](const std::optional<TimeRange>& range) {
    wanted_range_ = range;
    look_at_range();
    viewport()->update();
  });
  connect(&selection_, &Selection::focused, this, &LadderCanvas::look_at);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this,
          [this](int value) { at_end_ = value == verticalScrollBar()->maximum(); });
}

LadderCanvas::~LadderCanvas() = default;

void LadderCanvas::set_qp(const live::QpView& qp) {
  qp_ = qp;
  update_life();
  viewport()->update();
}

/// How the connection ended follows its messages, so it is shown when they have arrived.
void LadderCanvas::update_life() {
  const bool is_shown = qp_ && store_.qp() == qp_->record.qp;
  auto life = is_shown ? life_of(qp_->record, store_.progress() >= 1, findings_.all()) : std::vector<LadderLife>();
  change_rows([&] { index_.set_life(std::move(life)); });
  update_scroll_bar();
}

void LadderCanvas::show_transport(bool on) {
  with_transport_ = on;
  viewport()->update();
}

void LadderCanvas::set_findings(std::vector<live::FindingView> findings) {
  findings_.set(std::move(findings));
  look_again();
}

void LadderCanvas::forget() {
  index_.clear();
  update_life();
  findings_.set({});
  current_.reset();
  anchor_.reset();
  if (!wanted_ || wanted_->qp != store_.qp()) wanted_.reset();
  wanted_range_ = selection_.range();
  reported_ = at_end_ = false;
  verticalScrollBar()->setValue(0);
  update_scroll_bar();
  tell();
  viewport()->update();
}

template <class Change>
void LadderCanvas::change_rows(Change change) {
  const auto key_of = [this](const auto& row) { return row ? index_.key_of(*row) : std::nullopt; };
  const auto current = key_of(current_), anchor = key_of(anchor_);
  change();
  if (current) current_ = index_.row_of(*current);
  if (anchor) anchor_ = index_.row_of(*anchor);
}

void LadderCanvas::resized() {
  const bool follows = at_end_ && verticalScrollBar()->maximum() > 0;
  change_rows([this] { index_.forget_before(store_.begin()); });
  if (current_ && *current_ < first_row()) current_ = first_row();
  update_scroll_bar();
  if (follows) verticalScrollBar()->setValue(verticalScrollBar()->maximum());
  viewport()->update();
}

void LadderCanvas::look_again() {
  update_life();
  findings_.locate(index_, store_.progress() >= 1);
  if (wanted_) look_at(Focus(*wanted_));
  look_at_range();
  if (!reported_) tell();
  viewport()->update();
}

void LadderCanvas::look_at(const Focus& focus) {
  wanted_.reset();
  if (focus.qp && focus.qp != store_.qp()) {
    wanted_ = focus;  // the window opens that queue pair next
    return;
  }
  std::optional<std::uint64_t> place;
  if (focus.message && focus.direction) place = index_.row_of(*focus.direction, *focus.message);
  // The frame counts more: a finding about a Terminate also names the frame of the message that it refuses.
  if (place && !index_.holds(*place, focus.frame)) {
    const auto other = index_.row_of_frame(focus.frame);
    if (other && index_.holds(*other, focus.frame)) place = other;
  }
  const bool all_passed = store_.progress() >= 1;
  if (!place && (!focus.message || all_passed)) place = index_.row_of_frame(focus.frame);
  // A row after the frame: what is in the frame may still come, as requests without an answer come last.
  if (place && !all_passed && index_.frame_at(*place) > focus.frame.value) place.reset();
  if (!place && all_passed && !is_empty()) place = last_row() - 1;
  if (place) {
    set_current(*place);
  } else {
    wanted_ = focus;
  }
}

void LadderCanvas::look_at_range() {
  if (!wanted_range_ || wanted_) return;
  constexpr std::uint64_t kBin = LadderIndex::kBin;
  const auto go = [this](std::uint64_t row) { set_top(static_cast<double>(row - first_row()) * row_); };
  const std::uint64_t begin = first_row(), end = std::min(last_row(), index_.end());
  for (std::uint64_t row = begin; row < end; row = (row / kBin + 1) * kBin) {
    const LadderIndex::Bin* const bin = index_.bin_at(row);
    if (bin == nullptr || !wanted_range_->touches(bin->from, bin->to)) continue;
    // Late rows may have moved others to the next row.
    for (std::uint64_t one = row; one < std::min(end, (row / kBin + 2) * kBin); ++one) {
      if (index_.life_at(one) != nullptr) continue;
      const qp::MessageRecord* const message = at(one);
      if (message == nullptr) return go(one);  // it is being fetched
      if (!lies_in(*wanted_range_, *message)) continue;
      wanted_range_.reset();
      return go(one);
    }
  }
  if (store_.progress() >= 1) wanted_range_.reset();
}

void LadderCanvas::go_to_frame(FrameNumber frame) {
  Focus focus;
  focus.qp = store_.qp();
  focus.frame = frame;
  look_at(focus);
}

bool LadderCanvas::jump_to_finding(bool forward) {
  findings_.locate(index_, store_.progress() >= 1);
  const LadderFinding* found = nullptr;
  if (!current_ && forward) {
    found = findings_.located().empty() ? nullptr : &findings_.located().front();
  } else if (current_) {
    found = forward ? findings_.next(*current_) : findings_.previous(*current_);
  }
  if (found == nullptr) return false;
  set_current(found->place);
  return true;
}

void LadderCanvas::set_current(std::uint64_t place, bool extends) {
  if (is_empty()) return;
  place = std::clamp(place, first_row(), last_row() - 1);
  if (!extends) anchor_.reset();
  wanted_range_.reset();
  if (extends && !anchor_) anchor_ = current_.value_or(place);
  current_ = place;
  show_place(place);
  tell();
  viewport()->update();
}

void LadderCanvas::choose(std::uint64_t place, bool extends) {
  set_current(place, extends);
  if (const auto focus = current_ ? focus_of(*current_) : std::nullopt) emit frame_chosen(*focus);
}

std::optional<Focus> LadderCanvas::focus_of(std::uint64_t row) {
  if (const LadderLife* life = index_.life_at(row)) return Focus{store_.qp(), life->frame, life->time, life->direction};
  const qp::MessageRecord* const m = at(row);
  if (m == nullptr) return std::nullopt;
  return Focus{store_.qp(), m->first_frame, m->first_time, m->direction, m->index};
}

void LadderCanvas::tell() {
  const QString text = details();
  reported_ = !current_ || index_.life_at(*current_) != nullptr || at(*current_) != nullptr;
  setAccessibleDescription(text);
  viewport()->setAccessibleDescription(text);
  emit details_changed(text);
}

QString LadderCanvas::details() const {
  if (!current_) return {};
  const LadderLife* const life = index_.life_at(*current_);
  const qp::MessageRecord* const message = life != nullptr ? nullptr : store_.at(index_.place(*current_));
  if (life == nullptr && message == nullptr) return tr("This message is being fetched.");
  const TimePoint start = qp_ ? qp_->record.first_time : life != nullptr ? life->time : message->first_time;
  QString text =
      life != nullptr ? life_details(*life, start) : ladder_details(*message, start, index_.end_of(message->direction));
  const auto [first, last] = findings_.between(*current_, *current_ + 1);
  for (const LadderFinding* f = first; f != last; ++f) {
    const live::FindingView& view = findings_.of(*f);
    text += QLatin1Char('\n') +
            (message != nullptr ? ladder_finding_details(view, *message) : ladder_finding_details(view));
  }
  return text;
}

double LadderCanvas::line() const {
  return QFontMetricsF(font()).height();
}

double LadderCanvas::body_height() const {
  return std::max(0.0, viewport()->height() - ladder_header(QFontMetricsF(font())));
}

/// All rows fit into the visible part.
double LadderCanvas::least_row() const {
  return std::max(1.0, body_height()) / std::max(1.0, row_count());
}

double LadderCanvas::top() const {
  const double rows = row_count() * row_;
  return verticalScrollBar()->value() * std::max(1.0, rows / kMostScroll);
}

void LadderCanvas::set_top(double top) {
  const double rows = row_count() * row_;
  const double value = std::max(0.0, top) / std::max(1.0, rows / kMostScroll);
  verticalScrollBar()->setValue(static_cast<int>(std::min(value, kMostScroll)));
}

void LadderCanvas::update_scroll_bar() {
  if (row_ <= 0) row_ = kDefaultRow * line();
  const double rows = row_count() * row_;
  const double scale = std::max(1.0, rows / kMostScroll);
  const double body = body_height();
  verticalScrollBar()->setPageStep(std::max(1, static_cast<int>(body / scale)));
  verticalScrollBar()->setSingleStep(std::max(1, static_cast<int>(std::max(row_, line()) / scale)));
  verticalScrollBar()->setRange(0, static_cast<int>(std::max(0.0, std::ceil((rows - body) / scale))));
}

void LadderCanvas::set_row(double row) {
  // The current position stays where it is.
  const std::uint64_t fixed = current_.value_or(place_at(question(top(), body_height()), body_height() / 2));
  const double middle = (static_cast<double>(fixed - first_row()) + 0.5) * row_ - top();
  const double kept = std::clamp(middle, 0.0, body_height());
  row_ = row;
  update_scroll_bar();
  set_top((static_cast<double>(fixed - first_row()) + 0.5) * row_ - kept);
  viewport()->update();
}

void LadderCanvas::zoom(int steps) {
  if (!is_empty()) set_row(zoomed(row_, steps, least_row(), kMostRow * line()));
}

void LadderCanvas::zoom_to_all() {
  if (!is_empty()) set_row(std::min(least_row(), kMostRow * line()));
}

void LadderCanvas::show_place(std::uint64_t place) {
  const double y = static_cast<double>(place - first_row()) * row_;
  if (y < top()) set_top(y);
  if (y + row_ > top() + body_height()) set_top(std::ceil(y + row_ - body_height()));
}

LadderQuestion LadderCanvas::question(double from, double height) {
  LadderQuestion q{.top = from, .height = height, .row = row_, .band = std::max(1.0, line() / 8)};
  q.with_text = row_ >= kTextRow * line();
  q.with_transport = with_transport_;
  q.begin = first_row();
  q.end = last_row();
  if (qp_) q.start = qp_->record.first_time;
  if (qp_ && qp_->record.startup && qp_->record.startup->rtr) q.rtr = qp_->record.startup->rtr->frame;
  if (qp_ && qp_->ended && store_.progress() >= 1) q.last = last_known();
  q.range = selection_.range();
  q.at = [this](std::uint64_t row) { return at(row); };
  q.index = &index_;
  q.findings = &findings_;
  q.events = &store_.transport();
  return q;
}

/// If a queue pair was not closed, findings report how long it was stalled.
TimePoint LadderCanvas::last_known() const {
  TimePoint last = qp_->record.last_time;
  if (qp_->record.closed_by) return last;
  for (const live::FindingView& view : findings_.all()) last = std::max(last, view.finding.time);
  return last;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> LadderCanvas::chosen() const {
  if (!anchor_ || !current_) return std::nullopt;
  return std::minmax(*anchor_, *current_);
}

LadderLook LadderCanvas::look() const {
  LadderLook look{.palette = palette(), .font = font(), .left = {}, .right = {}};
  if (qp_ && store_.qp()) {
    const bool is_mpa = qp_->record.roles == qp::Roles::mpa;
    const auto end = [](const net::Endpoint& e) { return QString::fromStdString(e.text()); };
    look.left = QStringList{(is_mpa ? tr("Initiator %1") : tr("A %1")).arg(end(qp_->record.a))};
    look.right = QStringList{(is_mpa ? tr("Responder %1") : tr("B %1")).arg(end(qp_->record.b))};
    if (is_mpa) {
      look.left << tr("Initiator") << tr("Init.");
      look.right << tr("Responder") << tr("Resp.");
    }
    look.left << QStringLiteral("A");
    look.right << QStringLiteral("B");
  }
  look.current = current_;
  look.chosen = chosen();
  look.focused = hasFocus();
  return look;
}

void LadderCanvas::set_hint(const QString& hint) {
  hint_ = hint;
  viewport()->update();
}

void LadderCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  const LadderScene scene = lay_out(question(top(), body_height()));
  paint_ladder(painter, viewport()->rect(), scene, row_, look());
  if (!is_empty()) return;
  painter.setFont(font());
  painter.setPen(palette().color(QPalette::PlaceholderText));
  painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap,
                   store_.qp()       ? store_.progress() < 1
                                           ? tr("Messages are being fetched.")
                                           : tr("The capture has no startup and no messages of this queue pair.")
                         : hint_.isEmpty() ? tr("Choose a queue pair.")
                                     : hint_);
}

/// If the current row was in sight, it stays there: the text below the ladder grows with what it says about the row.
void LadderCanvas::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  const double y = current_ ? static_cast<double>(*current_ - first_row()) * row_ - top() : 0;
  const double before = body_height() + event->oldSize().height() - event->size().height();
  const bool was_seen = current_ && row_ > 0 && y + row_ > 0 && y < before;
  update_scroll_bar();
  if (was_seen) show_place(*current_);
}

void LadderCanvas::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) {
    row_ = 0;
    update_scroll_bar();
  }
  QAbstractScrollArea::changeEvent(event);
}

void LadderCanvas::focusInEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
}

void LadderCanvas::focusOutEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusOutEvent(event);
  viewport()->update();
}

tl::expected<void, QString> LadderCanvas::save(const QString& file) {
  if (is_empty()) return tl::unexpected(tr("Nothing to save: no messages are shown."));
  const double header = ladder_header(QFontMetricsF(font()));
  double from = top(), height = body_height();
  if (const auto part = chosen(); part && !is_density()) {
    if (part->second - part->first >= kMostExported) {
      return tl::unexpected(tr("More than %1 messages are chosen. This is too many for a picture.")
                                .arg(QLocale().toString(static_cast<qulonglong>(kMostExported))));
    }
    from = static_cast<double>(part->first - first_row()) * row_;
    height = static_cast<double>(part->second - part->first + 1) * row_;
  }
  const LadderScene scene = lay_out(question(from, height));
  const auto is_absent = [](const LadderRow& row) { return row.message == nullptr && row.life == nullptr; };
  if (std::any_of(scene.rows.begin(), scene.rows.end(), is_absent)) {
    return tl::unexpected(tr("Some of these messages are still being fetched. Try again in a moment."));
  }
  LadderLook look = this->look();
  if (chosen()) look.chosen.reset(), look.current.reset();
  const QRectF area(0, 0, viewport()->width(), std::ceil(header + height));
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly)) return tl::unexpected(tr("%1: %2.").arg(file, out.errorString()));
  if (file.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
    QSvgGenerator svg;
    svg.setOutputDevice(&out);
    svg.setViewBox(area);
    svg.setSize(area.size().toSize());
    svg.setTitle(tr("Ladder of messages"));
    svg.setDescription(details());
    QPainter painter(&svg);
    paint_ladder(painter, area, scene, row_, look);
  } else {
    const double ratio = devicePixelRatioF();
    QImage image((area.size() * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull()) return tl::unexpected(tr("The picture would be too large."));
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    paint_ladder(painter, area, scene, row_, look);
    painter.end();
    if (!image.save(&out, "PNG")) return tl::unexpected(tr("%1: the picture cannot be written.").arg(file));
  }
  if (!out.commit()) return tl::unexpected(tr("%1: %2.").arg(file, out.errorString()));
  return {};
}

}  // namespace iwarpscope::gui
