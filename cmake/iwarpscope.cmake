# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
# What every target of this project shares, and the functions that declare targets.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without it, ccache keeps nothing that was compiled with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

option(IWARPSCOPE_WERROR "Treat warnings as errors" OFF)
set(IWARPSCOPE_SANITIZE "" CACHE STRING "Sanitizers for everything, e.g. address,undefined")
include(hardening)

add_library(iwarpscope_options INTERFACE)
target_include_directories(iwarpscope_options INTERFACE ${PROJECT_SOURCE_DIR}/shared)
# -pthread for everything, as gRPC wants it: precompiled headers then fit all targets, as with -fPIC for Qt (hardening.cmake).
target_compile_options(iwarpscope_options INTERFACE -Wall -Wextra -Wconversion -Wshadow -pthread)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(iwarpscope_options INTERFACE -Wno-sign-conversion)  # which GCC's -Wconversion leaves out in C++
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # At -O3 GCC 12 takes libstdc++'s own code for these mistakes: "a" + std::string (GCC bug 105651) and vector <=> vector.
  target_compile_options(iwarpscope_options INTERFACE -Wno-restrict -Wno-stringop-overread -Wno-stringop-overflow
                         -Wno-array-bounds)
  if(CMAKE_UNITY_BUILD)
    # A unity source includes sources: GCC then takes their unnamed namespaces for a header's.
    target_compile_options(iwarpscope_options INTERFACE -Wno-subobject-linkage)
  endif()
endif()
if(IWARPSCOPE_WERROR)
  target_compile_options(iwarpscope_options INTERFACE -Werror)
endif()
if(IWARPSCOPE_SANITIZE)
  add_compile_options(-fsanitize=${IWARPSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${IWARPSCOPE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND IWARPSCOPE_SANITIZE MATCHES "undefined")
    # vptr: Debian's gRPC does not export the type information that it compares with. object-size and null take a sixth and a
    # tenth of the compile time to find what the address sanitizer finds, and return what -Wreturn-type finds.
    add_compile_options(-fno-sanitize=vptr,object-size,null,return)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC documents false positives of this warning under sanitizers; the other presets keep it.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()

# A hundred programs are linked, most of them statically: lld takes a fifth of the time.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=lld IWARPSCOPE_HAS_LLD)
if(IWARPSCOPE_HAS_LLD)
  add_link_options(-fuse-ld=lld)
endif()

option(IWARPSCOPE_FUZZ "Instrument everything for libFuzzer and build the fuzz targets for it; needs clang" OFF)
if(IWARPSCOPE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "IWARPSCOPE_FUZZ needs clang, which includes libFuzzer; this is ${CMAKE_CXX_COMPILER_ID}. "
                        "Use cmake --preset fuzz.")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()

# Precompiled headers: iwarpscope_precompile(TARGET SET). SET is a header of cmake/precompiled/, compiled once for all targets
# with that set. Test sources have options, and so sets, of their own.
function(iwarpscope_precompile target set)
  set(of_core fmt::fmt)
  set(of_tests ${of_core} GTest::gmock)
  set(of_api ${of_core} iwarpscope_api_proto)
  set(of_api_tests ${of_api} ${of_tests})
  set(of_qt ${of_core} Qt6::Core)
  set(of_widgets ${of_qt} Qt6::Widgets)
  set(of_gui_tests ${of_widgets} ${of_tests} Qt6::Test)
  set(owner iwarpscope_precompiled_${set})
  if(NOT TARGET ${owner})
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/precompiled/${set}.cpp CONTENT "// Only the header counts.\n")
    add_library(${owner} OBJECT ${CMAKE_BINARY_DIR}/precompiled/${set}.cpp)
    target_link_libraries(${owner} PRIVATE iwarpscope_options ${of_${set}})
    target_precompile_headers(${owner} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled/${set}.h)
    set_target_properties(${owner} PROPERTIES AUTOMOC OFF)
    if(set MATCHES "tests$")
      iwarpscope_compile_quickly(${owner})
    elseif(set MATCHES "^(api|qt|widgets)$")
      iwarpscope_optimize_less(${owner})
    endif()
  endif()
  if(set MATCHES "^(api|qt|widgets)$")
    iwarpscope_optimize_less(${target})
  endif()
  target_link_libraries(${target} PRIVATE fmt::fmt)  # which all sets include
  target_precompile_headers(${target} REUSE_FROM ${owner})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # so that ccache sees what it contains
  endif()
endfunction()

# One layer of the core: iwarpscope_layer(mpa SOURCES framer.cpp ... USES tcp findings LIBRARIES fmt::fmt)
# USES names layers; LIBRARIES names foreign targets.
function(iwarpscope_layer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LIBRARIES" ${ARGN})
  add_library(iwarpscope_${name} STATIC ${ARG_SOURCES})
  add_library(iwarpscope::${name} ALIAS iwarpscope_${name})
  list(TRANSFORM ARG_USES PREPEND iwarpscope::)
  target_link_libraries(iwarpscope_${name} PUBLIC iwarpscope_options ${ARG_USES} ${ARG_LIBRARIES})
  iwarpscope_precompile(iwarpscope_${name} core)
endfunction()

# Test sources are compiled for long and run for seconds: they are not optimised, as what they test is, and only what a
# sanitizer may have to name has debug information. Every check stays on.
set(IWARPSCOPE_TEST_COMPILER "" CACHE STRING
    "A clang++ for test sources beside GCC for what they test: it takes three fifths of the time")
function(iwarpscope_compile_quickly target)
  if(IWARPSCOPE_TEST_COMPILER)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
                          "${PROJECT_SOURCE_DIR}/cmake/compile_by;${IWARPSCOPE_TEST_COMPILER}")
  endif()
  if(IWARPSCOPE_SANITIZE MATCHES "address")
    target_compile_options(${target} PRIVATE -O0)
  elseif(NOT CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT IWARPSCOPE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0 -g0 "SHELL:-U _FORTIFY_SOURCE")  # which has to be optimised
  endif()
endfunction()

# What only makes the traffic that is analysed is compiled in half the time without sanitizers. What the analysis reads of it
# is checked there.
function(iwarpscope_without_sanitizers target)
  if(IWARPSCOPE_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-sanitize=all -O0)
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # they are compiled with sanitizers
  endif()
endfunction()

# What waits for a network or a person, as the gRPC interface, the command line and the dashboard do, is compiled for long
# and would not be seen to be faster. At -O1 GCC loses track of which std::optional holds a value; the other targets and
# presets keep the warning.
function(iwarpscope_optimize_less target)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT IWARPSCOPE_SANITIZE)
    target_compile_options(${target} PRIVATE -O1 -Wno-maybe-uninitialized)
  endif()
endfunction()

# A unity build (the presets release and asan) compiles several sources of a target as one, so that a header is read once
# for all of them: names in unnamed namespaces are then unique in a target. Targets of which that is not true, as of those
# that a program generates, are named here.
function(iwarpscope_compile_separately)
  set_target_properties(${ARGN} PROPERTIES UNITY_BUILD OFF)
endfunction()

# One test program: iwarpscope_test(mpa_test SOURCES framer_test.cpp ... LIBRARIES iwarpscope::mpa)
# API: most of its sources use the gRPC interface. ONE_PROCESS: its tests run together, as each process takes long to start.
# LONG: they take the longest, and start first, so that none of them is left to run alone at the end. Under a sanitizer a
# process takes up to a second to start: there, as with IWARPSCOPE_TEST_PROGRAMS, the program runs as one, or as SHARDS. A
# sanitizer leaves out the tests that match NOT_SANITIZED.
option(IWARPSCOPE_TEST_PROGRAMS "Let CTest run whole test programs instead of single tests, in half the processor time" OFF)
function(iwarpscope_test name)
  cmake_parse_arguments(ARG "API;ONE_PROCESS;LONG" "NOT_SANITIZED;SHARDS" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE iwarpscope_options ${ARG_LIBRARIES} GTest::gtest_main GTest::gmock fmt::fmt)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  iwarpscope_compile_quickly(${name})
  if(ARG_API)
    iwarpscope_precompile(${name} api_tests)
  else()
    iwarpscope_precompile(${name} tests)
  endif()
  set(cost 0)
  if(ARG_LONG)
    set(cost 100)
  endif()
  set(filter "")
  if(IWARPSCOPE_SANITIZE AND ARG_NOT_SANITIZED)
    set(filter "GTEST_FILTER=-${ARG_NOT_SANITIZED}")
  endif()
  if((IWARPSCOPE_SANITIZE OR IWARPSCOPE_TEST_PROGRAMS) AND ARG_SHARDS)
    math(EXPR last "${ARG_SHARDS} - 1")
    foreach(shard RANGE ${last})
      add_test(NAME ${name}.${shard} COMMAND ${name})
      set_tests_properties(${name}.${shard} PROPERTIES TIMEOUT 1800 COST 50 ENVIRONMENT
                           "${filter};GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${shard}")
    endforeach()
  elseif(ARG_ONE_PROCESS OR IWARPSCOPE_SANITIZE OR IWARPSCOPE_TEST_PROGRAMS)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT 1800 COST "${cost}" ENVIRONMENT "${filter}")
  else()
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 1800 COST "${cost}")
  endif()
endfunction()
