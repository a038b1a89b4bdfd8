# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
# iwarpscoped@.service, made from iwarpscoped.service, so that both have the same sandbox:
#   cmake -DUNIT=iwarpscoped.service -DTEMPLATE=iwarpscoped@.service -P template_unit.cmake
# Each instance has its own configuration and its own folders.
file(READ "${UNIT}" text)
foreach(line
    "# iwarpscoped(8) as a systemd service.|# One of several daemons: iwarpscoped@NAME reads /etc/iwarpscope/NAME.toml.\n# iwarpscoped(8) as a systemd service."
    "Description=iWARP analyser on mirror ports|Description=iWARP analyser on mirror ports (%i)"
    "/etc/iwarpscope/iwarpscoped.toml|/etc/iwarpscope/%i.toml"
    "RuntimeDirectory=iwarpscope|RuntimeDirectory=iwarpscope-%i"
    "StateDirectory=iwarpscope|StateDirectory=iwarpscope-%i"
    "LogsDirectory=iwarpscope|LogsDirectory=iwarpscope-%i"
    "# iwarpscoped`)|# iwarpscoped@NAME`)")
  string(REPLACE "|" ";" line "${line}")
  list(GET line 0 of_one)
  list(GET line 1 of_several)
  string(FIND "${text}" "${of_one}" any)
  if(any EQUAL -1)
    message(FATAL_ERROR "${UNIT} has no \"${of_one}\"")
  endif()
  string(REPLACE "${of_one}" "${of_several}" text "${text}")
endforeach()
file(WRITE "${TEMPLATE}" "${text}")
