# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
# cmake -DOUTPUT=migrations.cpp "-DSTEPS=0001-a.sql;0002-b.sql" -P embed.cmake: the steps as a C++ source.
set(rows "")
set(number 0)
list(SORT STEPS)
foreach(step IN LISTS STEPS)
  math(EXPR number "${number} + 1")
  get_filename_component(file "${step}" NAME_WE)
  if(NOT file MATCHES "^0*${number}-(.+)$")
    message(FATAL_ERROR "${step}: the steps of the schema are numbered without holes, and this is number ${number}.")
  endif()
  set(name "${CMAKE_MATCH_1}")
  file(READ "${step}" text)
  string(APPEND rows "    {${number}, \"${name}\", R\"iwarpscope(${text})iwarpscope\"},\n")
endforeach()
file(WRITE "${OUTPUT}"
     "#include \"centre/migrate.h\"\n\nnamespace iwarpscope::centre {\n\nconst std::vector<Step>& steps() {\n"
     "  static const std::vector<Step> all{\n${rows}  };\n  return all;\n}\n\n}  // namespace iwarpscope::centre\n")
