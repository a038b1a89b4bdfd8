// Counts what the test program allocates.
#pragma once

#include <cstddef>

namespace iwarpscope::tcp::test {

/// Calls of the global operator new so far.
[[nodiscard]] std::size_t allocations() noexcept;
/// The octets they asked for.
[[nodiscard]] std::size_t allocated_octets() noexcept;

}  // namespace iwarpscope::tcp::test
