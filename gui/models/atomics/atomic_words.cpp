// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/atomics/atomic_words.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <utility>

#include "findings/catalogue.h"
#include "models/words.h"

namespace iwarpscope::gui {
namespace {

bool is_number_of_word(int column) {
  return column == AtomicWordsModel::kUses || column == AtomicWordsModel::kInconsistent;
}

std::uint64_t atomics_of(const live::QpView& qp, Direction direction) {
  return qp.record.directions[index(direction)].messages[static_cast<std::size_t>(rdmap::Opcode::atomic_request)];
}

}  // namespace

AtomicWordsModel::AtomicWordsModel(const MessageStore& store, MessageStore::AskMessages ask, QObject* parent)
    : QAbstractTableModel(parent), ask_(std::move(ask)) {
  timer_.setSingleShot(true);
  timer_.setInterval(std::chrono::milliseconds{100});
  connect(&timer_, &QTimer::timeout, this, &AtomicWordsModel::update);
  connect(&store, &MessageStore::reset, this, &AtomicWordsModel::clear);
  connect(&store, &MessageStore::passed, this, &AtomicWordsModel::add);
}

void AtomicWordsModel::clear() {
  cancel();
  beginResetModel();
  history_ = AtomicHistory{};
  words_.clear();
  asked_qps_.clear();
  endResetModel();
  emit changed();
}

bool has_atomics(const live::QpView& qp) noexcept {
  return atomics_of(qp, Direction::a_to_b) != 0 || atomics_of(qp, Direction::b_to_a) != 0;
}

bool is_about_result(const live::FindingView& view) noexcept {
  using enum findings::FindingId;
  const findings::FindingId id = view.finding.id;
  return (id == rdmap_atomic_results_inconsistent || id == rdmap_atomics_not_linearizable) && view.finding.qp &&
         view.finding.direction && view.finding.message;
}

void AtomicWordsModel::set_findings(std::span<const live::FindingView> findings) {
  findings_.clear();
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(findings_), is_about_result);
  if (!words_.empty()) emit dataChanged(index(0, kFindings), index(rowCount() - 1, kFindings));
  emit changed();
}

AtomicFindings AtomicWordsModel::findings(const WordName& word) const {
  AtomicFindings some;
  for (const live::FindingView& view : findings_) {
    const auto place = history_.find(*view.finding.qp, *view.finding.direction, *view.finding.message);
    if (place && place->word == word) some.push_back(view);
  }
  return some;
}

int AtomicWordsModel::row_of(const WordName& word) const {
  const auto found = std::find(words_.begin(), words_.end(), word);
  return found == words_.end() ? -1 : static_cast<int>(found - words_.begin());
}

void AtomicWordsModel::set_qp(const std::optional<live::QpView>& qp) {
  qp_ = qp;
}

void AtomicWordsModel::add(const MessageRows& page) {
  if (!qp_) return;
  history_.add(qp_->record.a.address, qp_->record.b.address, page.messages);
  if (!timer_.isActive()) timer_.start();
}

void AtomicWordsModel::update() {
  if (!words_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
  std::vector<WordName> fresh;
  const std::set<WordName> known(words_.begin(), words_.end());
  for (const auto& [name, word] : history_.words()) {
    if (!known.contains(name)) fresh.push_back(name);
  }
  if (!fresh.empty()) {
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(fresh.size()) - 1);
    words_.insert(words_.end(), fresh.begin(), fresh.end());
    endInsertRows();
  }
  emit changed();
}

std::vector<live::QpView> AtomicWordsModel::others(std::span<const live::QpView> qps) const {
  std::set<net::IpAddress> responders;
  for (const auto& [name, word] : history_.words()) responders.insert(name.responder);
  std::vector<live::QpView> out;
  for (const live::QpView& qp : qps) {
    if (qp_ && qp.record.qp == qp_->record.qp) continue;
    if (std::find(asked_qps_.begin(), asked_qps_.end(), qp.record.qp) != asked_qps_.end()) continue;
    const bool to_b = atomics_of(qp, Direction::a_to_b) != 0 && responders.contains(qp.record.b.address);
    const bool to_a = atomics_of(qp, Direction::b_to_a) != 0 && responders.contains(qp.record.a.address);
    if (to_a || to_b) out.push_back(qp);
  }
  return out;
}

void AtomicWordsModel::ask_others(std::span<const live::QpView> qps) {
  if (asking_) return;
  done_ = all_ = 0;
  for (const live::QpView& qp : others(qps)) {
    questions_.push_back({qp.record.a.address, qp.record.b.address, qp.record.qp, messages_of(qp)});
    all_ += questions_.back().messages;
  }
  asking_ = true;
  ask_next(0);
}

void AtomicWordsModel::cancel() {
  if (!asking_) return;
  end_asking(tr("Cancelled. The remaining messages were not read."));
}

void AtomicWordsModel::ask_next(std::uint64_t from) {
  if (questions_.empty()) return end_asking({});
  if (done_ >= kMostAsked) return end_asking(tr("There are too many messages: not all were read."));
  ask_(questions_.front().qp, from, MessageStore::kPage, this,
       [this, of = questions_.front(), g = generation_](const auto& answer) {
         if (g == generation_) take(of, answer);
       });
}

void AtomicWordsModel::take(const Question& of, const tl::expected<MessageRows, api::Failure>& answer) {
  if (!answer) return end_asking(QString::fromStdString(answer.error().sentence));
  history_.add(of.a, of.b, answer->messages);
  done_ += answer->messages.size();
  emit progressed(std::min(done_, all_), all_);
  if (!timer_.isActive()) timer_.start();
  const std::uint64_t behind = answer->from + answer->messages.size();
  if (answer->next && !answer->messages.empty()) return ask_next(behind);
  asked_qps_.push_back(of.qp);
  questions_.pop_front();
  ask_next(0);
}

void AtomicWordsModel::end_asking(const QString& trouble) {
  ++generation_;
  asking_ = false;
  // Messages of a partly read queue pair are not requested again: each message is added once.
  if (!questions_.empty()) asked_qps_.push_back(questions_.front().qp);
  questions_.clear();
  emit asked(trouble);
}

int AtomicWordsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(words_.size());
}

int AtomicWordsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant AtomicWordsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role == Qt::TextAlignmentRole) return alignment_of(is_number_of_word(index.column()));
  if (role == kValueRole) return value(word(index.row()), index.column());
  if (role != Qt::DisplayRole) return {};
  const WordName& name = word(index.row());
  const WordHistory& history = history_.words().at(name);
  const std::size_t wrong = history.count("inconsistent");
  switch (index.column()) {
    case kResponder: return QString::fromStdString(name.responder.text());
    case kStag: return stag_text(name.stag);
    case kOffset: return word_text(name.to.value);
    case kUses: return QLocale().toString(static_cast<qulonglong>(history.uses.size()));
    case kInconsistent: return QLocale().toString(static_cast<qulonglong>(wrong));
    case kAnalysis:
      if (wrong != 0) return tr("contradiction");
      if (history.count("undecidable") != 0) return tr("not all can be judged");
      return history.count("verified") != 0 ? tr("consistent") : tr("not enough data to judge");
    case kFindings: {
      QStringList codes;
      for (const live::FindingView& view : findings(name)) {
        const findings::Rule& rule = findings::rule(view.finding.id);
        codes << tr("%1 %2").arg(severity_sign(rule.severity), QString::fromLatin1(rule.code.data()));
      }
      codes.removeDuplicates();
      return codes.join(tr(", "));
    }
    default: return {};
  }
}

QVariant AtomicWordsModel::value(const WordName& name, int column) const {
  const WordHistory& history = history_.words().at(name);
  switch (column) {
    case kUses: return static_cast<qulonglong>(history.uses.size());
    case kInconsistent: return static_cast<qulonglong>(history.count("inconsistent"));
    default: return data(index(row_of(name), column));
  }
}

QVariant AtomicWordsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == Qt::TextAlignmentRole) return alignment_of(is_number_of_word(section));
  const std::array<std::pair<QString, QString>, kColumns> heads{{
      {tr("Responder"), tr("The end whose memory holds the word")},
      {tr("STag"), tr("Steering Tag (RFC 5041 §4.2)")},
      {tr("TO"), tr("Tagged Offset of the word (RFC 5041 §4.2)")},
      {tr("Operations"), tr("Atomic Requests on this word (RFC 7306 §5)")},
      {tr("Contradicting"), tr("Results that the analysis found impossible (RFC 7306 §5.3)")},
      {tr("Analysis"), tr("Verdict of the analysis on all results of this word")},
      {tr("Findings"), tr("Findings on impossible results: AT-14, AT-15")},
  }};
  const auto& [name, tip] = heads[static_cast<std::size_t>(section)];
  const std::array keys{"responder", "stag", "to", "operations", "contradicting", "analysis", "findings"};
  if (role == kValueRole) return QString::fromLatin1(keys[static_cast<std::size_t>(section)]);
  if (role == Qt::DisplayRole) return name;
  return role == Qt::ToolTipRole ? QVariant(tip) : QVariant();
}

}  // namespace iwarpscope::gui
