#!/bin/bash
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds targets of a configured folder. Prints one line of progress; all of the output if the build fails.
#
#   cmake/build.sh FOLDER TARGET...
set -uo pipefail
folder=$1 log=$1/build.log
shift

# Lines like "[12/71] Building ...": prints each tenth of the whole once.
progress() {
  local line tenth last=0
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    tenth=$((10 * BASH_REMATCH[1] / BASH_REMATCH[2]))
    [[ $tenth -gt $last ]] && printf ' %d%%' $((10 * (last = tenth)))
  done
  echo
}

printf 'Building %s ...' "$*"
cmake --build "$folder" --parallel "$(nproc)" --target "$@" 2>&1 | tee "$log" | progress
status=${PIPESTATUS[0]}
[[ $status -eq 0 ]] || cat "$log" >&2
exit "$status"
