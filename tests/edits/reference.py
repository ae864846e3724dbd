"""A second engine that places hunks, written to be read, not to be fast.

It tries every window of the file at every rung whose lines are equal by a key (exact, trailing space, punctuation,
indentation, trimmed, white space), and says what must come of a hunk there. Of the looser rungs (cosmetic, elision, gaps,
fuzzy) it only says what no rung may do: change a line that the hunk does not remove, or write one that it does not add.
The rules are those of edits/align/align.h, anchors.h, overlaps.h.
"""
import unicodedata
from dataclasses import dataclass, field

SPACE = " \t\r\f\v"
TYPOGRAPHIC = {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "\u00a0": " ", "\u200b": ""}
NEAR = 20  # lines that a number may be off


@dataclass
class Hunk:
    lines: list  # of (" ", "-" or "+", text)
    hint: int = None  # the line, from 0, that its header names
    literal: bool = False  # of a diff

    @property
    def old(self):
        return [text for sign, text in self.lines if sign != "+"]

    @property
    def added(self):
        return [text for sign, text in self.lines if sign == "+"]

    @property
    def removed(self):
        return [text for sign, text in self.lines if sign == "-"]


@dataclass
class Verdict:
    """What must come of a hunk. Without `first`: it is refused, or placed by a rung looser than all that are here."""
    rung: str = None
    first: int = None
    refused: str = None  # the kind
    may_be_there: bool = False  # its new text stands in the file: then it may also be refused, or need no change
    may_be_refused: bool = False
    may_be_placed: bool = False  # though it is refused: a neighbour that only a looser rung places may say where
    removes: set = field(default_factory=set)  # lines of the file
    keeps: set = field(default_factory=set)
    inserts: dict = field(default_factory=dict)  # before this line of the file -> lines
    runs: list = field(default_factory=list)  # (begin, end) of the lines that change


# --- keys -------------------------------------------------------------------------------------------------------------

def exact(line):
    return line


def trailing(line):
    return line.rstrip(SPACE)


def punctuation(line):
    return unicodedata.normalize("NFC", "".join(TYPOGRAPHIC.get(c, c) for c in trailing(line))).rstrip(SPACE)


def trimmed(line):
    return line.strip(SPACE)


def whitespace(line):
    out, quote, skip = "", "", False
    for c in trimmed(line):
        if quote:
            out += c
            if skip:
                skip = False
            elif c == "\\":
                skip = True
            elif c == quote:
                quote = ""
        elif c in " \t":
            out += "" if out.endswith(" ") else " "
        else:
            quote = c if c in "\"'`" else ""
            out += c
    return out


def is_blank(line):
    return not trimmed(line)


def has_word(line):
    return any(ord(c) >= 0x80 or c.isalnum() for c in line)


def says_where(line):
    """Does it say more than that a block ends?"""
    return has_word(line) and trimmed(line) not in ("end", "fi", "done", "esac", "endif")


def indentation(line):
    return line[:len(line) - len(line.lstrip(" \t"))]


# --- rungs ------------------------------------------------------------------------------------------------------------

def windows(file, old, key):
    """Every first line at which the old lines stand under the key."""
    count = len(old)
    return [first for first in range(len(file) - count + 1)
            if all(key(old[i]) == key(file[first + i]) for i in range(count))]


def is_uniform(theirs, ours):
    """Is `ours` `theirs` with one prefix for another, or with tabs for blanks level by level?"""
    pairs = [(indentation(a), indentation(b)) for a, b in zip(theirs, ours) if not is_blank(a)]
    if not pairs:
        return True
    base, base_ours = min((a for a, _ in pairs), key=len), min((b for _, b in pairs), key=len)
    if all(a.startswith(base) and b.startswith(base_ours) and a[len(base):] == b[len(base_ours):] for a, b in pairs):
        return True
    tabs = [any("\t" in pair[side] for pair in pairs) for side in (0, 1)]
    if tabs[0] == tabs[1]:
        return False
    spaced, tabbed = (1, 0) if tabs[0] else (0, 1)
    widths = sorted({len(pair[spaced]) for pair in pairs})
    steps = [b - a for a, b in zip([0] + widths, widths) if b > a]
    for unit in [4, 2, 8, 3] + ([min(steps)] if steps else []):
        shifts = {pair[tabbed].count("\t") - len(pair[spaced]) // unit for pair in pairs}
        rests = all(len(pair[spaced]) % unit == len(pair[tabbed]) - pair[tabbed].count("\t") for pair in pairs)
        if len(shifts) == 1 and rests:
            return True
    return False


def punctuation_misaligned(file, hunk, first):
    """Is a line that only ends a block removed, or next to an addition, that is not moved as the lines with words are?"""
    old = hunk.old

    def depth(i):
        return len(indentation(old[i]))

    def shift(i):
        return len(indentation(file[first + i])) - depth(i)
    words = [i for i in range(len(old)) if says_where(old[i])]
    shifts = {shift(i) for i in words}
    at = 0
    for k, (sign, text) in enumerate(hunk.lines):
        if sign == "+":
            continue
        i, at = at, at + 1
        beside = any(0 <= n < len(hunk.lines) and hunk.lines[n][0] == "+" for n in (k - 1, k + 1))
        if not (sign == "-" or beside) or is_blank(text) or says_where(text):
            continue
        as_deep = {shift(j) for j in words if depth(j) == depth(i)}
        if shift(i) not in shifts or (as_deep and shift(i) not in as_deep):
            return True
    return False


def places(file, hunk):
    """(rung, first lines) of the strictest rung that has any."""
    old = hunk.old
    if not old or len(old) > len(file):
        return None, []
    ladder = [("exact", exact), ("trailing_space", trailing), ("punctuation", punctuation), ("indentation", trimmed),
              ("trimmed", trimmed), ("whitespace", whitespace)]
    for rung, key in ladder[:2] if all(map(is_blank, old)) else ladder:
        found = windows(file, old, key)
        if rung in ("indentation", "trimmed", "whitespace") and not any(map(says_where, old)):
            return None, []  # ends of blocks alone are placed only as they are written
        if rung == "indentation":
            found = [first for first in found if is_uniform(old, file[first:first + len(old)])]
        if rung in ("trimmed", "whitespace"):
            found = [first for first in found if not punctuation_misaligned(file, hunk, first)]
        if found:
            return rung, found
    return None, []


# --- evidence ---------------------------------------------------------------------------------------------------------

def only_within(found, count, begin, end):
    inside = [first for first in found if begin <= first and first + count <= end]
    return inside[0] if len(inside) == 1 else None


def chosen(hunk, found, selection):
    """The place that a line number or the person's selection points to, if any."""
    if hunk.hint is not None:
        nearest = sorted(found, key=lambda first: abs(first - hunk.hint))
        near, second = (abs(first - hunk.hint) for first in nearest[:2])
        return nearest[0] if near <= NEAR and second > 0 and second // 2 >= near else None
    return only_within(found, len(hunk.old), *selection) if selection else None


def contradicted(file, hunk, rung, place, selection):
    """Does the line number or the selection stand on another place that differs in white space only?"""
    old, count = hunk.old, len(hunk.old)

    def stands(first):
        apart = first + count <= place or place + count <= first
        return apart and 0 <= first <= len(file) - count and \
            all(whitespace(old[i]) == whitespace(file[first + i]) for i in range(count))

    def mostly(first):
        if not 0 <= first <= len(file) - count or not (first + count <= place or place + count <= first):
            return False
        solid = [i for i in range(count) if has_word(old[i])]
        equal = sum(whitespace(old[i]) == whitespace(file[first + i]) for i in solid)
        return equal >= 3 and equal * 10 >= len(solid) * 7
    if hunk.hint is not None and hunk.hint < len(file):
        if stands(hunk.hint) or (rung != "exact" and mostly(hunk.hint)):
            return True
    if not selection or (place < selection[1] and selection[0] < place + count):
        return False
    last = max(0, selection[1] - count)
    return any(stands(first) for first in range(min(selection[0], last), max(selection[0], last) + 1))


# --- writing ----------------------------------------------------------------------------------------------------------

def signs(text):
    return [c for c in text if c in TYPOGRAPHIC]


def unbent(file, hunk, first):
    """The added lines where the quote has typographic signs that the file spells plainly; None: nobody can say."""
    bends = {TYPOGRAPHIC[c] for i, line in enumerate(hunk.old) for c in signs(line)
             if line.count(c) > file[first + i].count(c)}
    out = []
    for line in hunk.added:
        if bends and any(TYPOGRAPHIC[c] not in bends and not any(c in other for other in file) for c in signs(line)):
            return None
        out.append("".join(TYPOGRAPHIC[c] if TYPOGRAPHIC.get(c) in bends else c for c in line))
    return out


def only_quote_has_trailing_space(file, hunk, first):
    pairs = [(line, file[first + i]) for i, line in enumerate(hunk.old) if not is_blank(line)]
    return len(pairs) > 1 and all(line != line.rstrip() and own == own.rstrip() for line, own in pairs)


def write(file, hunk, verdict):
    """Fills in which lines go, and which come where."""
    added = hunk.added
    if verdict.rung == "punctuation":
        added = unbent(file, hunk, verdict.first)
        if added is None:
            verdict.refused = "not_found"
            return
    if verdict.rung != "exact" and only_quote_has_trailing_space(file, hunk, verdict.first):
        added = [line.rstrip() for line in added]
    added, at, run = list(added), verdict.first, None
    for sign, _ in hunk.lines:
        if sign == " ":
            verdict.keeps.add(at)
            at, run = at + 1, None
            continue
        if run is None:
            run = [at, at]
            verdict.runs.append(run)
        if sign == "-":
            verdict.removes.add(at)
            at = run[1] = at + 1
        else:
            verdict.inserts.setdefault(run[0], []).append(added.pop(0))
    for begin, end in list(verdict.runs):  # what is written as it was is no change
        if verdict.inserts.get(begin) == file[begin:end]:
            verdict.runs.remove([begin, end])
            verdict.removes -= set(range(begin, end))
            del verdict.inserts[begin]


def overlap(a, b):
    """Do two hunks change the same lines, does one change what the other keeps, or are they alternatives?"""
    for begin, end in a.runs:
        for other, other_end in b.runs:
            if max(begin, other) < min(end, other_end) or (begin == other and (begin == end or other == other_end)):
                return True
    quoted = a.keeps | a.removes
    between = quoted == b.keeps | b.removes and set(a.inserts) | set(b.inserts)
    return bool(a.keeps & b.removes or b.keeps & a.removes or between and any(min(quoted) < i <= max(quoted) for i in between))


# --- the whole --------------------------------------------------------------------------------------------------------

def judge(file, hunks, selection=None, open_end=False):
    """A Verdict for each hunk. A hunk that is refused refuses all. `open_end`: the last line has no line end."""
    found = [places(file, hunk) for hunk in hunks]
    picked = []
    for hunk, (_, firsts) in zip(hunks, found):
        picked.append(firsts[0] if len(firsts) == 1 else chosen(hunk, firsts, selection) if firsts else None)
    for i in range(1, len(hunks) - 1):  # between its neighbours' places there may be only one
        before, after = picked[i - 1], picked[i + 1]
        if picked[i] is None and found[i][1] and before is not None and after is not None:
            begin = before + len(hunks[i - 1].old)
            if begin <= after:
                picked[i] = only_within(found[i][1], len(hunks[i].old), begin, after)
    verdicts = []
    for i, (hunk, (rung, firsts), first) in enumerate(zip(hunks, found, picked)):
        verdict = Verdict(rung, first)
        verdict.may_be_placed = any(near[0] is None for near in found[max(0, i - 1):i + 2])
        verdicts.append(verdict)
        # Words of the new text that the file has: it may be there already, and then more rules than these speak.
        known = {whitespace(line) for line in file}
        verdict.may_be_there = any(whitespace(line) in known for line in hunk.added if not is_blank(line)) or \
            all(map(is_blank, hunk.added)) and rung not in ("exact", "trailing_space", "punctuation")
        verdict.may_be_refused = rung in ("indentation", "trimmed", "whitespace")  # a depth may be open
        if not firsts:
            continue
        if first is None:
            verdict.refused = "ambiguous"
        elif contradicted(file, hunk, rung, first, selection):
            verdict.refused = "ambiguous"
        else:
            write(file, hunk, verdict)
        # The last line's removal takes the line end before it, which belongs to a line that another hunk may have.
        verdict.may_be_refused |= open_end and len(hunks) > 1 and len(file) - 1 in verdict.removes
    for i, a in enumerate(verdicts):
        for b in verdicts[:i]:
            if not (a.refused or b.refused) and overlap(a, b):
                a.refused = b.refused = "conflict"
    return verdicts


def result(file, verdicts):
    """The file's lines with all that the verdicts change."""
    out = []
    for i in range(len(file) + 1):
        for verdict in verdicts:
            out += verdict.inserts.get(i, [])
        if i < len(file) and not any(i in verdict.removes for verdict in verdicts):
            out.append(file[i])
    return out
