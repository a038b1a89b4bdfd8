#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests on small made trees that functions.py counts parameters and lines as they are, and reports what is out of
bounds."""

import tempfile
import unittest
from pathlib import Path

import functions


def read(*lines):
    return functions.Reader("x.cpp", "\n".join(lines) + "\n").read()


class Counting(unittest.TestCase):
    """What is found in a source: (name, parameters)."""

    def assert_found(self, source, *expected):
        self.assertEqual([(f.name, f.parameters) for f in read(source)], list(expected))

    def test_declarations_and_definitions(self):
        self.assert_found("void f(int a, int b);", ("f", 2))
        self.assert_found("int f() { return 1; }", ("f", 0))
        self.assert_found("int f(void);", ("f", 0))
        self.assert_found("auto f(int a) noexcept(noexcept(g(1, 2))) -> std::map<int, int> { return {}; }", ("f", 1))
        self.assert_found("[[nodiscard]] constexpr Long::Type<int, 2>& A::B::f(int a, ...) const&;", ("A::B::f", 2))
        self.assert_found("extern \"C\" {\nvoid f(int a, int b);\n}", ("f", 2))
        self.assert_found("namespace a::b { inline namespace c { void f(int a); } }", ("f", 1))

    def test_commas_inside_brackets_separate_no_parameters(self):
        self.assert_found("void f(const std::array<Sink*, 2>& a, std::map<int, std::pair<int, int>> b);", ("f", 2))
        self.assert_found("void f(std::function<void(int, int)> a, int (&b)[2], int c = g(1, 2), A d = {1, 2});", ("f", 4))
        self.assert_found("template <class A, class B = C<A, int>> void f(A a, B b) {}", ("f", 2))
        self.assert_found("template <class A> requires Fits<A, int> && (sizeof(A) < 4) void f(A a, int b) {}", ("f", 2))
        self.assert_found("bool f(int a, bool b = 1 < 2, bool c = 2 > 1);", ("f", 3))

    def test_members(self):
        self.assert_found("class A final : public B<C, D> {\n public:\n  explicit A(int a, int b) : B<C, D>(a), b_{b} {}\n"
                          "  ~A() = default;\n  virtual void f(int a, std::array<int, 2> b) = 0;\n"
                          "  A& operator=(const A&) = delete;\n  bool operator()(int a, int b) const { return a < b; }\n"
                          "  explicit operator bool() const;\n private:\n  int b_ = f(1, 2), c_ : 3;\n};",
                          ("A", 2), ("~A", 0), ("f", 2), ("operator=", 1), ("operator()", 2), ("operatorbool", 0))
        self.assert_found("struct A {\n  struct alignas(8) B { void g(int a); } b;\n  enum class C : int { d, e };\n};", ("g", 1))
        self.assert_found("A::A(int a) try : b(a) {} catch (const E& e) { f(e, 1); }\nvoid h();", ("A::A", 1), ("h", 0))
        self.assert_found("struct A { Q_OBJECT\n signals:\n  void changed(int a);\n};", ("changed", 1))

    def test_lambdas(self):
        self.assert_found("auto f() {\n  const auto g = [&](int a, int b) { return a; };\n  return [x = h(1, 2)]() mutable { };\n}",
                          ("f", 0), ("g (lambda)", 2), ("lambda", 0))
        self.assert_found("const auto f = []<class T>(T a, T b) -> std::pair<T, T> { return {a, b}; };", ("f (lambda)", 2))
        self.assert_found("int f(int a) { return call(a, [=] { g([](int b, int c) {}); }); }",
                          ("f", 1), ("lambda", 0), ("lambda", 2))
        self.assert_found("A::A() : f_([](int a, int b) {}), g_{1} {}", ("lambda", 2), ("A::A", 0))
        self.assert_found("std::array f{[](int a) { return a; }, [](int a, int b) { return b; }};", ("lambda", 1), ("lambda", 2))

    def test_a_class_in_a_function(self):
        self.assert_found("void f() {\n  struct A { void g(int a, int b) {} };\n  struct A a = h(1, 2);\n}", ("f", 0), ("g", 2))

    def test_what_is_no_function(self):
        self.assert_found("static_assert(f(1, 2, 3, 4, 5, 6));\nusing F = void (*)(int, int);\ntypedef int g(int);")
        self.assert_found("void (*f)(int, int, int) = nullptr;\nconst int a = f(b, c), d[] = {1, 2};\nFoo foo(\"a\", 2);")
        self.assert_found("enum class A { b, c };\nstruct B;\nextern int x;\nQ_DECLARE_METATYPE(a::B)")
        self.assert_found("void f() {\n  a[g(1, 2)] = b[1];\n  auto& [x, y] = z;\n  delete[] p;\n  if (h(1, 2)) { }\n}", ("f", 0))

    def test_comments_strings_and_directives_are_no_code(self):
        self.assert_found("// void f(int a) {\n/* void f(int a) { */\n#define F(a, b) \\\n  void f(int a, int b) {\n"
                          "const char* a = \"{ void f(int a);\", b = '{', *c = R\"x({ )\" )x\";\n"
                          "const int d = 1'000'000; void g(int /*a, b*/, char c = ',');", ("g", 2))

    def test_brackets_that_do_not_match_cannot_be_read(self):
        for source in ("void f( {", "void f() {", "}", "int a[2;"):
            with self.assertRaises(functions.Unreadable):
                read(source)


class Lines(unittest.TestCase):
    def test_lines_between_the_braces_count(self):
        self.assertEqual([f.lines for f in read("void f() {", "  a();", "", "  b();", "}")], [3])
        self.assertEqual([f.lines for f in read("void f() {}", "void g() {", "}", "void h();")], [0, 0, None])
        self.assertEqual([f.lines for f in read("A::A(int a)", "    : b(a),", "      c(a) {", "  f();", "}")], [1])
        self.assertEqual([f.lines for f in read('auto f = R"(', "", '};)";', "void g() {", " /*", "*/", "}")], [2])
        self.assertEqual([(f.name, f.lines) for f in read("void f() {", "  g([] {", "    h();", "  });", "}")],
                         [("f", 3), ("lambda", 1)])


class Checking(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, *lines):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def broken(self):
        return functions.check(self.root)[0]

    def assert_broken(self, *fragments):
        lines = self.broken()
        self.assertEqual(len(lines), 1, lines)
        for fragment in fragments:
            self.assertIn(fragment, lines[0])

    def parameters(self, count):
        return f"void f({', '.join(f'int p{number}' for number in range(count))});"

    def body(self, lines):
        return ["void f() {", *["  g();"] * lines, "}"]

    def test_five_parameters_are_allowed_and_six_are_not_in_each_folder(self):
        for folder in functions.FOLDERS:
            for suffix in functions.SUFFIXES:
                self.write(f"{folder}/a/x{suffix}", "#pragma once", self.parameters(5))
                self.assertEqual(self.broken(), [])
                self.write(f"{folder}/a/x{suffix}", "#pragma once", self.parameters(6))
                self.assert_broken(f"{folder}/a/x{suffix}:2: f: takes 6 parameters")
                self.write(f"{folder}/a/x{suffix}")

    def test_six_parameters_of_constructors_lambdas_and_members_are_found(self):
        for source in ("struct A { A(int a, int b, int c, int d, int e, int f) : a_(a) {} };",
                       "void g() { const auto l = [](int a, int b, int c, int d, int e, int f) {}; }",
                       "struct A { virtual void g(int a, int b, int c, int d, int e, int f) = 0; };"):
            self.write("gui/x.h", source)
            self.assert_broken("gui/x.h:1", "takes 6 parameters")

    def test_60_lines_are_allowed_and_61_are_not(self):
        self.write("shared/a/x.cpp", *self.body(60))
        self.assertEqual(self.broken(), [])
        self.write("shared/a/x.cpp", *self.body(61))
        self.assert_broken("shared/a/x.cpp:1: f: has 61 lines")

    def test_a_reason_directly_above_is_accepted(self):
        for reason in (["// Six parameters: a library gives them."], ["/// What it does.", "// Six parameters: given."],
                       ["// 6 parameters: given.", "template <class T>"], ["// Six parameters: given", "// by a library."]):
            self.write("shared/a/x.cpp", "int a;", *reason, self.parameters(6))
            self.assertEqual(self.broken(), [], reason)
        self.write("shared/a/x.cpp", "// More than 60 lines: a table.", *self.body(61))
        self.assertEqual(self.broken(), [])

    def test_a_reason_elsewhere_or_without_words_or_of_another_number_is_not(self):
        for lines in (["// Six parameters: given.", ""], ["// Six parameters: given.", "int a;"], ["// Six parameters"],
                      ["// Six parameters: "], ["// Seven parameters: given."], ["// Many parameters: given."],
                      ["// More than 60 lines: a table."]):
            self.write("shared/a/x.cpp", *lines, self.parameters(6))
            self.assertNotEqual(self.broken(), [], lines)
        self.write("shared/a/x.cpp", "// Six parameters: given.", *self.body(61))
        self.assertNotEqual(self.broken(), [])

    def test_a_reason_that_none_needs_is_reported(self):
        self.write("shared/a/x.cpp", "// Six parameters: given.", self.parameters(5))
        self.assert_broken("another number")
        self.write("shared/a/x.cpp", "// More than 60 lines: a table.", *self.body(60))
        self.assert_broken("is not longer than 60 lines")

    def test_declaration_and_definition_need_the_reason_once(self):
        self.write("shared/a/x.h", "class A {", "// Six parameters: given.", self.parameters(6), "};")
        self.write("shared/a/x.cpp", self.parameters(6).replace("f(", "A::f(").replace(";", " {}"))
        self.assertEqual(self.broken(), [])
        self.write("shared/b/x.cpp", self.parameters(6))
        self.assert_broken("shared/b/x.cpp:1")

    def test_a_source_that_cannot_be_read_is_reported(self):
        self.write("shared/a/x.cpp", "void f() {")
        self.assert_broken("shared/a/x.cpp:1", "not closed")

    def test_other_folders_are_not_looked_at(self):
        self.write("tests/x.cpp", self.parameters(9))
        self.assertEqual(self.broken(), [])

    def test_a_tree_without_functions_is_an_error(self):
        self.assertEqual(functions.main([str(self.root)]), 2)


if __name__ == "__main__":
    unittest.main()
