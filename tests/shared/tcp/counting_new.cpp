#include "shared/tcp/counting_new.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> calls{0};
std::atomic<std::size_t> octets{0};
}  // namespace

void* operator new(std::size_t size) {
  ++calls;
  octets += size;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace iwarpscope::tcp::test {

std::size_t allocations() noexcept {
  return calls;
}
std::size_t allocated_octets() noexcept {
  return octets;
}

}  // namespace iwarpscope::tcp::test
