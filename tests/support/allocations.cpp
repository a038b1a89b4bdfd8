// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "support/allocations.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

constinit iwarpscope::test::Allocations counts;

void* counted(std::size_t size) noexcept {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) return nullptr;
  ++counts.calls;
  counts.live += ::malloc_usable_size(memory);
  counts.most = std::max(counts.most, counts.live);
  return memory;
}

void* counted_or_throw(std::size_t size) {
  if (void* memory = counted(size)) return memory;
  throw std::bad_alloc();
}

void give_back(void* memory) noexcept {
  if (memory != nullptr) counts.live -= ::malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

// All of them: a form left to a sanitizer's runtime would be freed by another allocator than it came from.
void* operator new(std::size_t size) {
  return counted_or_throw(size);
}
void* operator new[](std::size_t size) {
  return counted_or_throw(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size);
}
void operator delete(void* memory) noexcept {
  give_back(memory);
}
void operator delete[](void* memory) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  give_back(memory);
}

namespace iwarpscope::test {

Allocations& allocations() noexcept {
  return counts;
}

}  // namespace iwarpscope::test
