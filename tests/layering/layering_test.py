#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests on small made trees that layering.py reports all violations and nothing else."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import layering


class MadeTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, *lines):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def broken(self):
        return layering.check(self.root)

    def assert_broken(self, *fragments):
        lines = self.broken()
        self.assertEqual(len(lines), 1, lines)
        for fragment in fragments:
            self.assertIn(fragment, lines[0])


class Core(MadeTree):
    def test_own_layer_and_layers_above_are_allowed(self):
        self.write("shared/mpa/framer.h", '#include "mpa/fpdu.h"', '#include "tcp/stream.h"', '#include "base/ids.h"',
                   "#include <vector>", "#include <absl/container/flat_hash_map.h>")
        self.assertEqual(self.broken(), [])

    def test_layer_below_is_found_with_file_and_line(self):
        self.write("shared/tcp/stream.h", "#pragma once", '#include "mpa/fpdu.h"')
        self.assert_broken("shared/tcp/stream.h:2", "mpa is below tcp")

    def test_each_layer_below_is_found_and_each_above_is_not(self):
        for own, layer in enumerate(layering.LAYERS):
            for other, included in enumerate(layering.LAYERS):
                self.write(f"shared/{layer}/x.h", f'#include "{included}/y.h"')
                self.assertEqual(len(self.broken()), 1 if other > own else 0, (layer, included))
            (self.root / "shared" / layer / "x.h").unlink()

    def test_layer_below_in_angle_brackets_is_found(self):
        self.write("shared/base/x.cpp", "#  include <report/text.h>")
        self.assert_broken("report is below base")

    def test_foreign_headers_are_found(self):
        for header in ["QString", "QtCore/QObject", "qglobal.h", "pcap.h", "pcap/pcap.h", "epan/packet.h",
                       "wsutil/wmem/wmem.h", "thread", "mutex", "future", "ctime", "time.h", "fstream",
                       "iostream", "filesystem", "cstdio", "unistd.h", "random"]:
            self.write("shared/qp/x.h", f"#include <{header}>")
            self.assert_broken("shared/qp/x.h:1", header, "the core knows no")

    def test_harmless_standard_headers_are_allowed(self):
        self.write("shared/qp/x.h", *[f"#include <{h}>" for h in ["ostream", "queue", "string", "span", "chrono", "fmt/format.h",
                                                                   "isa-l/crc.h", "openssl/evp.h", "atomic"]])
        self.assertEqual(self.broken(), [])

    def test_reading_a_clock_is_found(self):
        for words in ["std::chrono::steady_clock::now()", "system_clock :: now()", "clock_gettime(CLOCK_REALTIME, &t)",
                      "gettimeofday(&t, nullptr)", "std::time(nullptr)", "time( 0 )", "absl::Now()"]:
            self.write("shared/qp/x.cpp", "// a line before", f"auto t = {words};")
            self.assert_broken("shared/qp/x.cpp:2", "reads a clock")

    def test_calendar_and_times_of_packets_are_no_clock(self):
        self.write("shared/qp/x.cpp", "std::chrono::sys_time<std::chrono::nanoseconds> at;", "f(frame.time);",
                   "auto now = uptime(0);", "// unlike steady_clock::now()", "finding.time(frame);")
        self.assertEqual(self.broken(), [])

    def test_header_without_its_layer_is_found(self):
        self.write("shared/mpa/x.cpp", '#include "framer.h"')
        self.assert_broken('spelt "layer/file.h"')

    def test_header_by_relative_path_is_found(self):
        self.write("shared/mpa/x.cpp", '#include "../tcp/stream.h"')
        self.assert_broken('spelt "layer/file.h"')

    def test_face_is_found(self):
        self.write("shared/report/x.cpp", "#include <daemon/cli/options.h>")
        self.assert_broken("the core includes no face")

    def test_unknown_layer_is_found(self):
        self.write("shared/util/x.h", "#pragma once")
        self.assert_broken("shared/util is not in the list of layers")

    def test_include_in_a_comment_is_no_include(self):
        self.write("shared/tcp/x.h", '// #include "mpa/fpdu.h"', "/* like this:", '#include "mpa/fpdu.h"', "*/")
        self.assertEqual(self.broken(), [])


class Faces(MadeTree):
    def setUp(self):
        super().setUp()
        self.write("daemon/api/client.h")
        self.write("daemon/engine/shard.h")
        self.write("shared/analysis/analyzer.h")

    def test_core_own_files_and_daemon_api_are_allowed(self):
        self.write("gui/models/table.h")
        self.write("gui/main.cpp", '#include "analysis/analyzer.h"', '#include "daemon/api/client.h"',
                   '#include "api/client.h"', '#include "models/table.h"', "#include <QApplication>")
        self.assertEqual(self.broken(), [])

    def test_another_face_is_found_by_its_full_path(self):
        self.write("gui/main.cpp", '#include "daemon/engine/shard.h"')
        self.assert_broken("gui/main.cpp:1", "of daemon/")

    def test_another_face_is_found_by_its_short_path(self):
        self.write("plugin/main.cpp", '#include "engine/shard.h"')
        self.assert_broken("plugin/main.cpp:1", "of daemon/")

    def test_another_face_is_found_by_a_relative_path(self):
        self.write("plugin/main.cpp", '#include "../daemon/engine/shard.h"')
        self.assert_broken("of daemon/")

    def test_own_file_of_the_same_name_is_no_other_face(self):
        self.write("plugin/session/session.h")
        self.write("gui/session/session.h")
        self.write("gui/main.cpp", '#include "session/session.h"')
        self.assertEqual(self.broken(), [])


class FoldersOfFaces(MadeTree):
    def test_each_folder_includes_itself_and_earlier_steps_only(self):
        for face, steps in layering.FACES.items():
            order = {folder: step for step, folders in enumerate(steps) for folder in folders}
            for folder in order:
                self.write(f"{face}/{folder}/there.h")
            for own in order:
                for other in order:
                    path = f"{face}/{own}/x.cpp"
                    self.write(path, f'#include "{other}/there.h"')
                    allowed = own == other or order[other] < order[own]
                    self.assertEqual(len(self.broken()), 0 if allowed else 1, (face, own, other))
                    (self.root / path).unlink()

    def test_later_step_is_found_with_file_and_line(self):
        self.write("daemon/live/hub.h")
        self.write("daemon/capture/ring.cpp", "// The ring", '#include "live/hub.h"')
        self.assert_broken("daemon/capture/ring.cpp:2", "live does not come before capture")

    def test_file_of_the_face_itself_may_include_every_folder(self):
        self.write("gui/window/main_window.h")
        self.write("gui/main.cpp", '#include "window/main_window.h"')
        self.assertEqual(self.broken(), [])

    def test_unknown_folder_is_found_whatever_it_includes(self):
        self.write("gui/window/main_window.h")
        self.write("gui/dialogs/x.cpp", "#include <vector>")
        self.assert_broken("gui/dialogs is not in the order of folders")
        self.write("gui/dialogs/x.cpp", '#include "window/main_window.h"')
        self.assert_broken("gui/dialogs is not in the order of folders")


class Synthesiser(MadeTree):
    def test_decoder_of_the_core_is_found_and_base_is_allowed(self):
        self.write("shared/mpa/fpdu.h")
        self.write("shared/base/ids.h")
        self.write("tests/synth/wire/mpa.cpp", '#include "base/ids.h"', '#include "mpa/fpdu.h"')
        self.assert_broken("tests/synth/wire/mpa.cpp:2", "mpa/fpdu.h")


class Program(MadeTree):
    def run_main(self):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return layering.main([str(self.root)])

    def test_exit_status_differs_for_clean_broken_and_empty(self):
        self.assertEqual(self.run_main(), 2)
        self.write("shared/tcp/x.h", '#include "base/ids.h"')
        self.assertEqual(self.run_main(), 0)
        self.write("shared/tcp/x.h", '#include "mpa/fpdu.h"')
        self.assertEqual(self.run_main(), 1)


if __name__ == "__main__":
    unittest.main()
