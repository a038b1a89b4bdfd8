#include "models/ladder_index.h"

#include <algorithm>

namespace iwarpscope::gui {

void LadderIndex::clear() {
  *this = LadderIndex();
}

void LadderIndex::add(const MessageRows& page) {
  if (page.from > end()) clear();  // what lies between was forgotten before it came
  if (frames_.empty()) {
    begin_ = page.from;
    first_bin_ = page.from / kBin;
  }
  const std::uint64_t known = end() - page.from;
  for (std::uint64_t i = known; i < page.messages.size(); ++i) add(page.from + i, page.messages[i]);
  if (frames_.size() > kMost) forget_before(end() - kMost);
}

void LadderIndex::add(std::uint64_t place, const qp::MessageRecord& message) {
  const std::uint64_t before = frames_.empty() ? 0 : frames_.back();
  frames_.push_back(std::max(before, message.last_frame.value));
  if (place / kBin >= first_bin_ + bins_.size()) bins_.emplace_back();
  Bin& bin = bins_.back();
  const std::size_t d = index(message.direction);
  ++bin.messages[d];
  bin.octets[d] += message.length;
  if (!message.complete) ++bin.incomplete;
  bin.last_frame = frames_.back();
  bin.from = std::min(bin.from, message.first_time);
  bin.to = std::max({bin.to, message.first_time, message.delivered_time});
  note_place(of_[d], message.index, place);
}

void LadderIndex::note_place(Of& of, std::uint64_t message, std::uint64_t place) {
  if (of.places.empty()) of.first = message;
  // Messages may be decided in another order than they began in, but not far from it.
  while (message < of.first && of.places.size() < kMost && of.first - message < kBin * kBin) {
    of.places.push_front(kNone);
    --of.first;
  }
  if (message < of.first) return;
  const std::uint64_t within = message - of.first;
  if (within >= kMost + kBin * kBin) return;  // no daemon that can be trusted counts like that
  if (within >= of.places.size()) of.places.resize(within + 1, kNone);
  of.places[within] = place;
}

void LadderIndex::forget_before(std::uint64_t place) {
  if (place <= begin_) return;
  const std::uint64_t count = std::min<std::uint64_t>(place - begin_, frames_.size());
  frames_.erase(frames_.begin(), frames_.begin() + static_cast<std::ptrdiff_t>(count));
  begin_ += count;
  while (!bins_.empty() && (first_bin_ + 1) * kBin <= begin_) {
    bins_.pop_front();
    ++first_bin_;
  }
  for (Of& of : of_) {
    while (!of.places.empty() && (of.places.front() == kNone || of.places.front() < begin_)) {
      of.places.pop_front();
      ++of.first;
    }
  }
}

std::optional<std::uint64_t> LadderIndex::place_of(Direction direction, std::uint64_t message) const {
  const Of& of = of_[index(direction)];
  if (message < of.first || message - of.first >= of.places.size()) return std::nullopt;
  const std::uint64_t place = of.places[message - of.first];
  if (place == kNone || place < begin_) return std::nullopt;
  return place;
}

std::optional<std::uint64_t> LadderIndex::place_of_frame(FrameNumber frame) const {
  const auto at = std::lower_bound(frames_.begin(), frames_.end(), frame.value);
  if (at == frames_.end()) return std::nullopt;
  return begin_ + static_cast<std::uint64_t>(at - frames_.begin());
}

std::uint64_t LadderIndex::place_of_time(TimePoint time) const {
  const auto ends_later = [&](const Bin& bin) { return bin.to >= time; };
  const auto at = std::find_if(bins_.begin(), bins_.end(), ends_later);
  const auto bin = first_bin_ + static_cast<std::uint64_t>(at - bins_.begin());
  return std::clamp(bin * kBin, begin(), end());
}

std::uint64_t LadderIndex::frame_at(std::uint64_t place) const {
  if (place < begin_ || place >= end()) return 0;
  return frames_[place - begin_];
}

const LadderIndex::Bin* LadderIndex::bin_at(std::uint64_t place) const {
  const std::uint64_t bin = place / kBin;
  if (bin < first_bin_ || bin - first_bin_ >= bins_.size()) return nullptr;
  return &bins_[bin - first_bin_];
}

}  // namespace iwarpscope::gui
