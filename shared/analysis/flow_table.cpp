#include "analysis/flow_table.h"

namespace iwarpscope::analysis {

FlowTable::FlowTable(std::size_t limit) : limit_(limit), set_(0, Hash{this}, Equal{this}) {}

std::uint32_t FlowTable::find_or_add(const net::FlowKey& key, bool& fresh) {
  fresh = false;
  if (const auto it = set_.find(key); it != set_.end()) return *it;
  if (set_.size() >= limit_ && !evict_one()) return kNone;
  const std::uint32_t slot = take_slot();
  Flow& flow = at(slot);
  flow = Flow{};
  flow.key = key;
  flow.used = true;
  set_.insert(slot);
  fresh = true;
  return slot;
}

void FlowTable::remove(std::uint32_t index) {
  set_.erase(set_.find(at(index).key));
  at(index).used = false;
  free_.push_back(index);
}

std::uint32_t FlowTable::take_slot() {
  if (!free_.empty()) {
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  if (extent_ == blocks_.size() * kBlock) blocks_.push_back(std::make_unique<Flow[]>(kBlock));
  return extent_++;
}

bool FlowTable::evict_one() {
  // Second chance: the hand passes flows seen lately once, and queue pairs always.
  for (std::uint64_t steps = 0; steps < std::uint64_t{extent_} * 2; ++steps) {
    hand_ = hand_ + 1 < extent_ ? hand_ + 1 : 0;
    Flow& flow = at(hand_);
    if (!flow.used || flow.qp != Flow::kNoQp) continue;
    if (flow.recent) {
      flow.recent = false;
      continue;
    }
    remove(hand_);
    ++evicted_;
    return true;
  }
  return false;
}

}  // namespace iwarpscope::analysis
