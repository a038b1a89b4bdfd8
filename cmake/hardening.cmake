# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes mistakes in memory end a program instead of giving it away: for everything that is built, the plugin too. What it
# costs is in docs/performance.md; tests/install looks for it in the installed files.
include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)

set(hardening -fstack-protector-strong -fstack-clash-protection)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|AMD64|i[3-6]86")
  list(APPEND hardening -fcf-protection)
endif()
foreach(flag IN LISTS hardening)
  string(MAKE_C_IDENTIFIER "IWARPSCOPE_HAS${flag}" accepted)
  check_cxx_compiler_flag(${flag} ${accepted})
  if(${accepted})
    add_compile_options(${flag})
  endif()
endforeach()

# glibc warns of _FORTIFY_SOURCE where nothing is optimised, sanitizers check more than it does, and packagers define it by
# themselves, as dpkg-buildflags does.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
set(flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}")
if(NOT IWARPSCOPE_SANITIZE AND NOT flags MATCHES "_FORTIFY_SOURCE|-fsanitize=" AND flags MATCHES ".*-O([^ ]*)")
  if(NOT CMAKE_MATCH_1 STREQUAL "0") # the last one counts
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  endif()
endif()

# Position-independent programs, whose tables of addresses are read-only before main() begins.
add_compile_options(-fPIC)
add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie>)
check_linker_flag(CXX LINKER:-z,relro,-z,now,-z,noexecstack IWARPSCOPE_HAS_RELRO)
if(IWARPSCOPE_HAS_RELRO)
  add_link_options(LINKER:-z,relro,-z,now,-z,noexecstack)
endif()
