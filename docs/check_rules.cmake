# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
# Fails if DOCUMENT differs from what PROGRAM prints. OUTPUT is a scratch file.
execute_process(COMMAND ${PROGRAM} OUTPUT_FILE ${OUTPUT} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} failed: ${status}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${DOCUMENT} ${OUTPUT} RESULT_VARIABLE different)
if(NOT different EQUAL 0)
  message(FATAL_ERROR "${DOCUMENT} is not what the catalogue says. Run: ${PROGRAM} > ${DOCUMENT}")
endif()
