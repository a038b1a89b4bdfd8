#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks how many parameters functions take and how long they are: functions.py [ROOT]

A function, constructor or lambda of shared/, daemon/, plugin/ and gui/ takes at most 5 parameters, and at most 60 lines are
between the braces of its body. A comment directly above gives the reason for an exception, in one of these forms:

    // Six parameters: the signature is that of libpcap's handler.
    // More than 60 lines: one row for each option.

The number must be the one counted; a reason above a function that needs none is reported, too. A declaration and its
definition need the reason once. Prints one line for each violation and exits 1; exits 0 without a violation.

The sources are read without a compiler: comments, strings and directives are taken out, brackets are matched, and
declarations are followed through namespaces and classes. A file that cannot be read in this way is a violation.
"""

import re
import sys
from collections import namedtuple
from pathlib import Path

FOLDERS = ("shared", "daemon", "plugin", "gui")
SUFFIXES = {".h", ".hpp", ".cpp", ".cc", ".ipp"}
MOST_PARAMETERS = 5
MOST_LINES = 60
NUMBERS = ("Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen "
           "Twenty").split()

# A function as written: `lines` is None for a declaration, `comment` is the text directly above.
Function = namedtuple("Function", "path line name parameters lines comment")
Token = namedtuple("Token", "text line")

LEXEME = re.compile(r"""
    (?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)
  | (?P<directive>^[ \t]*\#(?:\\\n|/\*.*?\*/|(?!//)[^\n])*)
  | (?P<raw>(?:u8|[uUL])?R"(?P<end>[^()\\\s]*)\(.*?\)(?P=end)")
  | (?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
  | (?P<number>\.?[0-9](?:'?[\w.]|(?<=[eEpP])[+-])*)
  | (?P<character>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
  | (?P<word>[A-Za-z_]\w*)
  | (?P<mark>::|->\*?|\.\.\.|<=>|<<=?|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\+\+|--|[^\w\s])
""", re.VERBOSE | re.DOTALL | re.MULTILINE)
WORD = re.compile(r"[A-Za-z_]\w*$")
PAIRS = {")": "(", "]": "[", "}": "{"}

# Words before a ( that is no list of parameters, in a declaration.
NO_NAME = {"alignas", "decltype", "noexcept", "explicit", "requires", "__attribute__", "sizeof", "typeof", "throw"}
# Words after which [ opens a lambda, although they are words.
BEFORE_LAMBDA = {"return", "co_return", "co_yield", "case", "else", "throw", "in", "do"}
REASON = re.compile(r"///?\s*(?:(?P<many>[A-Z][a-z]+|[0-9]+) parameters|(?P<long>More than %d lines)): \w" % MOST_LINES)


class Unreadable(Exception):
    """A source whose brackets do not match."""


def lex(text):
    """The tokens of a source, and its comments as {line: text of the comment that is on this line alone}."""
    tokens, comments, line, at = [], {}, 1, 0
    for match in LEXEME.finditer(text):
        line, at = line + text.count("\n", at, match.start()), match.start()
        kind, words = match.lastgroup, match.group()
        if kind == "end":
            kind = "raw"
        if kind == "comment":
            if not text[text.rfind("\n", 0, at) + 1:at].strip():
                for number, part in enumerate(words.split("\n")):
                    comments[line + number] = part.strip()
        elif kind in ("raw", "string"):
            tokens.append(Token('""', line))
        elif kind == "character":
            tokens.append(Token("' '", line))
        elif kind != "directive":
            tokens.append(Token(words, line))
    return tokens, comments


def matched(tokens):
    """Where the bracket that closes the one at an index is: {index of the opening: index of the closing}."""
    partner, opened = {}, []
    for index, token in enumerate(tokens):
        if token.text in ("(", "[", "{"):
            opened.append(index)
        elif token.text in PAIRS:
            if not opened or tokens[opened[-1]].text != PAIRS[token.text]:
                raise Unreadable(f"{token.line}: {token.text} closes nothing")
            partner[opened.pop()] = index
    if opened:
        raise Unreadable(f"{tokens[opened[-1]].line}: {tokens[opened[-1]].text} is not closed")
    return partner


class Reader:
    """Follows the declarations of one source."""

    def __init__(self, path, text):
        self.path = path
        self.tokens, self.comments = lex(text)
        self.tokens.append(Token("", self.tokens[-1].line if self.tokens else 1))
        self.partner = matched(self.tokens[:-1])
        self.functions = []
        self.code_lines = {token.line for token in self.tokens[:-1]}

    def text(self, index):
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def read(self):
        self.declarations(0, len(self.tokens) - 1)
        return self.functions

    def after_angles(self, at, end):
        """The index after the > that closes the < at `at`, or None if it is no bracket."""
        depth = 0
        while at < end:
            text = self.text(at)
            if text in ("(", "[", "{"):
                at = self.partner[at]
            elif text == "<":
                depth += 1
            elif text == ">":
                depth -= 1
                if depth == 0:
                    return at + 1
            elif text == ";":
                return None
            at += 1
        return None

    def parameters(self, opening):
        """Where each of the parameters begins that are between the bracket at `opening` and its partner."""
        at, end = opening + 1, self.partner[opening]
        if at == end or (self.text(at) == "void" and at + 1 == end):
            return []
        begins = [at]
        while at < end:
            text = self.text(at)
            if text in ("(", "[", "{"):
                at = self.partner[at]
            elif text == "<" and WORD.match(self.text(at - 1)):
                after = self.after_angles(at, end)
                at = after - 1 if after else at
            elif text == ",":
                begins.append(at + 1)
            at += 1
        return begins

    def comment_above(self, *lines):
        """The comments directly above the first of these lines that has one."""
        for line in lines:
            above = []
            while line - 1 in self.comments and line - 1 not in self.code_lines:
                line -= 1
                above.insert(0, self.comments[line])
            if above:
                return above
        return []

    def add(self, start, name, opening, body, title):
        parameters = len(self.parameters(opening)) if opening is not None else 0
        lines = None
        if body is not None:
            lines = max(self.tokens[self.partner[body]].line - self.tokens[body].line - 1, 0)
        place = self.tokens[name].line
        comment = self.comment_above(self.tokens[start].line, place)
        self.functions.append(Function(self.path, place, title, parameters, lines, comment))

    # Declarations: of a namespace or a class.

    def declarations(self, at, end):
        while at < end:
            at = self.declaration(at, end)

    def declaration(self, at, end):
        """Reads one declaration; returns the index after it."""
        text = self.text(at)
        if text in ("public", "private", "protected", "signals", "Q_SIGNALS", "slots", "Q_SLOTS"):
            while self.text(at) != ":" and at < end:
                at += 1
            return at + 1
        if text in (";", "}") or text.startswith("Q_OBJECT") or text == "Q_GADGET":
            return at + 1
        start = at
        at = self.after_prefix(at, end)
        text = self.text(at)
        if text == "namespace" or (text == "inline" and self.text(at + 1) == "namespace"):
            return self.block(at, end, self.declarations)
        if text == "extern" and self.text(at + 1) == '""' and self.text(at + 2) == "{":
            return self.block(at, end, self.declarations)
        if text in ("using", "typedef", "static_assert", "enum"):
            return self.statement(at, end)
        return self.declarator(start, at, end)

    def after_prefix(self, at, end):
        """The index after template<...>, its requires-clause and attributes."""
        while at < end:
            if self.text(at) == "template" and self.text(at + 1) == "<":
                at = self.after_angles(at + 1, end) or end
            elif self.text(at) == "[" and self.text(at + 1) == "[":
                at = self.partner[at] + 1
            elif self.text(at) == "requires":
                at = self.after_requires(at + 1, end)
            else:
                return at
        return at

    def after_requires(self, at, end):
        """The index after the constraint that begins at `at`: operands joined by && and ||."""
        while at < end:
            if self.text(at) == "requires":
                at += 1
                at = self.partner[at] + 1 if self.text(at) == "(" else at
            while self.text(at) == "!":
                at += 1
            if self.text(at) in ("(", "{"):
                at = self.partner[at] + 1
            else:
                while WORD.match(self.text(at)) or self.text(at) == "::":
                    at += 1
                    if self.text(at) == "<":
                        at = self.after_angles(at, end) or end
                        if self.text(at) != "::":
                            break
                    elif self.text(at) != "::" and self.text(at - 1) != "::":
                        break
            if self.text(at) not in ("&&", "||"):
                return at
            at += 1
        return at

    def block(self, at, end, inside):
        while at < end and self.text(at) not in ("{", ";"):
            at += 1
        if self.text(at) == "{":
            inside(at + 1, self.partner[at])
            return self.partner[at] + 1
        return at + 1

    def statement(self, at, end):
        """Reads code to the ; that ends it; lambdas in it count."""
        start = at
        while at < end and self.text(at) != ";":
            at = self.partner[at] + 1 if at in self.partner else at + 1
        self.code(start, at)
        return at + 1

    def declarator(self, start, at, end):
        """Reads a class, a variable or a function."""
        while at < end:
            text = self.text(at)
            if text == ";":
                return at + 1
            if text in ("class", "struct", "union") and self.is_class(at, end):
                at = self.block(at, end, self.declarations)
                continue
            if text == "operator":
                return self.function(start, at, self.after_operator(at), end)
            if text == "=":
                return self.statement(at, end)
            if text == "[" and self.text(at + 1) == "[":
                at = self.partner[at]
            elif text == "{":
                self.code(at + 1, self.partner[at])
                at = self.partner[at]
            elif text == "<" and WORD.match(self.text(at - 1)):
                after = self.after_angles(at, end)
                at = after - 1 if after else at
            elif text == "(":
                before = self.text(at - 1)
                if before in NO_NAME or not (WORD.match(before) or before == ">") or self.text(at + 1) in ("*", "&"):
                    at = self.partner[at]
                elif at - 1 == start and before.isupper() and "_" in before:
                    return self.after_macro(at)
                else:
                    return self.function(start, self.name_before(at), at, end)
            at += 1
        return at

    def after_macro(self, at):
        """The index after MACRO(...), with the block or the ; that follows."""
        at = self.partner[at] + 1
        if self.text(at) == "{":
            self.code(at + 1, self.partner[at])
            return self.partner[at] + 1
        return at

    def is_class(self, at, end):
        """Whether the class at `at` has its members here; not if it is named as a type only."""
        at += 1
        while at < end:
            text = self.text(at)
            if text == "{":
                return True
            if text in ("(", ")", ";", "=", ",", ">", "*", "&") and not self.text(at - 1) == "alignas":
                return False
            if text == ":":
                return self.after_bases(at, end)
            if text in ("(", "["):
                at = self.partner[at]
            elif text == "<":
                after = self.after_angles(at, end)
                at = after - 1 if after else at
            at += 1
        return False

    def after_bases(self, at, end):
        while at < end and self.text(at) not in ("{", ";", ")"):
            at = self.partner[at] + 1 if self.text(at) == "(" else at + 1
        return self.text(at) == "{"

    def after_operator(self, at):
        """The index of the ( of the parameters of the operator at `at`."""
        at += 1
        if self.text(at) == "(":  # operator()
            return self.partner[at] + 1
        while self.text(at) not in ("(", "", ";"):
            at += 1
        return at

    def name_before(self, at):
        """The index of the name before the ( at `at`; arguments of a template are passed over."""
        at -= 1
        depth = 0
        while at > 0 and (depth or self.text(at) == ">"):
            depth += {">": 1, "<": -1}.get(self.text(at), 0)
            at -= 1
        return at

    def title(self, name):
        words = self.text(name)
        if words == "operator":
            at = name + 1
            while self.text(at) not in ("(", "") or at == name + 1:
                words += self.text(at)
                at += 1
            return words
        if self.text(name - 1) == "~":
            words, name = "~" + words, name - 1
        while self.text(name - 1) == "::" and WORD.match(self.text(name - 2)):
            words, name = f"{self.text(name - 2)}::{words}", name - 2
        return words

    def function(self, start, name, opening, end):
        """Reads a function from the ( of its parameters; returns the index after its body or its ;."""
        if self.text(opening) != "(":
            return self.statement(opening, end)
        self.code(opening + 1, self.partner[opening])
        at = self.after_qualifiers(self.partner[opening] + 1, end)
        if self.text(at) == ":":
            at = self.after_initialisers(at + 1, end)
        if self.text(at) == "{":
            self.add(start, name, opening, at, self.title(name))
            self.code(at + 1, self.partner[at])
            at = self.partner[at] + 1
            while self.text(at) == "catch":  # of a function try block
                at = self.partner[self.partner[at + 1] + 1] + 1
            return at
        if not self.is_call(opening):
            self.add(start, name, opening, None, self.title(name))
        return self.statement(at, end)

    def is_call(self, opening):
        """Whether the brackets hold arguments of a variable's constructor: a literal is no parameter."""
        return any(self.text(at) in ('""', "' '", "nullptr", "true", "false", "{") or self.text(at)[:1].isdigit()
                   for at in self.parameters(opening))

    def after_qualifiers(self, at, end):
        """The index of what follows const, noexcept, override, -> type, requires and try."""
        while at < end:
            text = self.text(at)
            if text in ("const", "volatile", "override", "final", "&", "&&", "try", "mutable", "constexpr", "consteval"):
                at += 1
            elif text == "noexcept" or text == "throw" or text == "__attribute__":
                at = self.partner[at + 1] + 1 if self.text(at + 1) == "(" else at + 1
            elif text == "[" and self.text(at + 1) == "[":
                at = self.partner[at] + 1
            elif text == "requires":
                at = self.after_requires(at, end)
            elif text == "->":
                at += 1
                while at < end and self.text(at) not in ("{", ";", "=", "requires", ",", ")"):
                    if self.text(at) == "<":
                        at = self.after_angles(at, end) or end
                    else:
                        at = self.partner[at] + 1 if at in self.partner else at + 1
            else:
                return at
        return at

    def after_initialisers(self, at, end):
        """The index of the { of the body, after the members that a constructor initialises."""
        while at < end:
            while at < end and self.text(at) not in ("(", "{"):
                at = (self.after_angles(at, end) or end) if self.text(at) == "<" else at + 1
            if at >= end:
                return end
            self.code(at + 1, self.partner[at])
            at = self.partner[at] + 1
            if self.text(at) == "...":
                at += 1
            if self.text(at) != ",":
                return at
            at += 1
        return at

    # Code: lambdas and classes in it.

    def code(self, at, end):
        start = at
        while at < end:
            text = self.text(at)
            if text in (";", "{", "}"):
                start = at + 1
            if text in ("class", "struct", "union") and self.text(at - 1) not in ("enum", "<", ",") and self.is_class(at, end):
                at = self.block(at, end, self.declarations)
                continue
            if text == "[":
                at = self.bracket(start, at, end)
            else:
                at += 1

    def bracket(self, start, at, end):
        """Reads the lambda that begins at `at`, or passes over [...] of another kind; returns where code goes on."""
        before = self.text(at - 1)
        follows = self.partner[at] + 1
        if self.text(at + 1) == "[" or before in (")", "]", '""') or (WORD.match(before) and before not in BEFORE_LAMBDA):
            return at + 1
        if self.text(follows) == "<":
            follows = self.after_angles(follows, end) or end
        opening = follows if self.text(follows) == "(" else None
        if opening is not None:
            follows = self.partner[opening] + 1
        body = self.after_qualifiers(follows, end)
        if self.text(body) != "{":
            return at + 1
        named = before == "=" and WORD.match(self.text(at - 2))
        self.add(start, at, opening, body, f"{self.text(at - 2)} (lambda)" if named else "lambda")
        self.code(at + 1, self.partner[at])
        if opening is not None:
            self.code(opening + 1, self.partner[opening])
        self.code(body + 1, self.partner[body])
        return self.partner[body] + 1


def functions_of(root):
    """All functions of the tree, and what could not be read: ([Function], [line of text])."""
    functions, unreadable = [], []
    for folder in FOLDERS:
        for path in sorted(p for p in (root / folder).rglob("*") if p.is_file() and p.suffix in SUFFIXES):
            name = str(path.relative_to(root))
            try:
                functions += Reader(name, path.read_text(encoding="utf-8", errors="replace")).read()
            except Unreadable as fault:
                unreadable.append(f"{name}:{fault}")
    return functions, unreadable


def reasons(function):
    """What the comment above gives a reason for: a number of parameters (None if none), and whether the length."""
    many, long = None, False
    for line in function.comment:
        match = REASON.match(line)
        if match and match["long"]:
            long = True
        elif match:
            word = match["many"]
            many = NUMBERS.index(word) + 6 if word in NUMBERS else int(word) if word.isdigit() else 0
    return many, long


def same(function):
    """What a declaration and its definition have in common."""
    return Path(function.path).parent, function.name.split("::")[-1], function.parameters


def check(root):
    functions, broken = functions_of(root.resolve())
    allowed = {same(f) for f in functions if reasons(f)[0] == f.parameters and "lambda" not in f.name}
    for f in functions:
        where = f"{f.path}:{f.line}: {f.name}"
        many, long = reasons(f)
        if many is not None and (f.parameters <= MOST_PARAMETERS or many != f.parameters):
            broken.append(f"{where}: takes {f.parameters} parameters, but the reason above is for another number")
        elif f.parameters > MOST_PARAMETERS and many is None and same(f) not in allowed:
            broken.append(f"{where}: takes {f.parameters} parameters, more than {MOST_PARAMETERS} and without a reason")
        if long and (f.lines is None or f.lines <= MOST_LINES):
            broken.append(f"{where}: is not longer than {MOST_LINES} lines, but the comment above gives a reason")
        elif f.lines is not None and f.lines > MOST_LINES and not long:
            broken.append(f"{where}: has {f.lines} lines, more than {MOST_LINES} and without a reason")
    return broken, len(functions)


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[2]
    broken, checked = check(root)
    if checked == 0:
        print(f"{root}: no functions in {', '.join(FOLDERS)}", file=sys.stderr)
        return 2
    for line in broken:
        print(line)
    print(f"{checked} functions checked, {len(broken)} are out of bounds")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
