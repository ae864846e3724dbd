"""A second engine that places hunks: written to be read, not to be fast.

It has the principles of edits/align/align.h, but neither its code nor its way to search. Where the first engine grows an
alignment from the rarest line, this one tries every line at which the quote may begin and fills in the whole table of
(row, line) from there. So a candidate that the other one skips, a step limit that ends too early, a price that is charged
twice, or a rival that was forgotten shows as a difference:

    a removed line is equal under a key; a kept one may differ at a price; the ends of a quote agree
    what else is known adds to the price; the cheapest place wins by a margin, or the hunk is refused
    new lines are indented as the pairs of the alignment say, and an unknown depth is refused

What it does not know it says (`Unknown`): anchors, elisions, prefixes and escapes, edits that are there already, hunks that
build on one another. The checks of a result (edits/place/checks.h) and the syntax have no second engine at all.
"""
import math
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field

# The prices, on purpose not read from prices.h: who changes one there shows what it changes here.
SHIFT, UNEVEN, SPELLED, BLANK, COMMENT, WORD, SLIP, THING = 300, 100, 100, 50, 200, 400, 200, 900
READING, AGREES, ELSEWHERE, MARGIN, NEVER = 100, 100, 700, 300, 10 ** 8
MANY = 400  # candidates

SPACE = " \t\r\f\v"
FOLD = {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "\u00a0": " ", "\u200b": ""}
TOKEN = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[^\W\d]\w*|\d[\w.]*|\S")
ENDS = {"end", "fi", "done", "esac", "endif"}
NOTE = re.compile(r"//|/\*|#(?!include|define|if|else|endif|pragma|undef|error|\w)|\*(?:$|/| (?![{>+~]))|--(?:$| |\[|--)|"
                  r"<!--|\{/\*|\{# |;[ ;]|%[ %]|\"\"\"")


class Refused(Exception):
    """The hunk has no place that can be believed: args[0] is the reason."""


class Unknown(Exception):
    """This engine cannot tell: args[0] says what it would have to know. `firsts`: where the hunks stand, if it knows that."""
    firsts = None


@dataclass
class Hunk:
    lines: list  # of (" ", "-" or "+", text)
    hint: int = None  # the line, from 0, that its header names
    literal: bool = False  # of a diff or a patch: a kept line stands in it once
    halves: tuple = None  # the two texts of a block
    at_end: bool = False

    @staticmethod
    def of_halves(old, new):
        return Hunk([(row.sign, row.old) for row in diff(old, new)], halves=(old, new))

    def side(self, left_out):
        return [text for sign, text in self.lines if sign != left_out]


@dataclass
class Row:
    sign: str
    old: str
    new: str

    @property
    def shown(self):
        """The text whose depth new lines follow."""
        return self.old if self.sign == "-" else self.new


@dataclass
class Place:
    rows: list
    pairs: list  # of each row: the file's line, or None
    bill: dict = field(default_factory=dict)
    exact: bool = False
    reading: int = 0

    def __post_init__(self):
        used = [line for line in self.pairs if line is not None]
        self.first, self.last = min(used), max(used) + 1

    @property
    def price(self):
        return min(NEVER, sum(self.bill.values()))

    @property
    def quoted(self):
        """Without evidence."""
        return sum(self.bill.get(what, 0) for what in ("lines", "reading", "depth", "uneven", "ends"))

    def overlaps(self, other):
        return self.first < other.last and other.first < self.last


# --- lines ------------------------------------------------------------------------------------------------------------

def is_blank(line):
    return not line.strip(SPACE)


def indent(line):
    return line[:len(line) - len(line.lstrip(" \t"))]


def plain(line):
    return line if line.isascii() else unicodedata.normalize("NFC", "".join(FOLD.get(c, c) for c in line))


def tokens(line):
    return TOKEN.findall(plain(line))


def key(line):
    return "".join(tokens(line))


def is_word(token):
    return token[0].isalpha() or token[0] == "_"


def is_solid(line):
    return any(c.isalnum() or c in "_\"'" or ord(c) > 127 for c in line)


def is_note(line):
    return bool(NOTE.match(line.strip(SPACE)))


def only_ends(line):
    return all(not is_solid(token) or token in ENDS for token in tokens(line))


def is_slip(a, b):
    """Two letters changed places, or one inside a part of a name is missing, doubled or another one."""
    a, b = (b, a) if len(a) < len(b) else (a, b)
    if len(b) < 4 or len(a) > len(b) + 1:
        return False
    head = next((i for i in range(len(b)) if a[i] != b[i]), len(b))
    tail = next((i for i in range(len(b) - head) if a[-1 - i] != b[-1 - i]), len(b) - head)
    x, y = a[head:len(a) - tail], b[head:len(b) - tail]
    if len(x) == len(y) == 2 and x == y[::-1]:
        return x.isalpha()
    if len(x) > 1 or len(y) > 1 or not (x + y).isalpha():
        return False
    return 0 < head and 0 < tail and a[head - 1].isalpha() and (a[len(a) - tail]).isalpha()


class File:
    def __init__(self, text):
        parts = text.split("\n")
        self.is_open = parts[-1] != ""  # its last line is not ended
        if not self.is_open:
            parts.pop()
        self.ends = ["\r\n" if part.endswith("\r") else "\n" for part in parts]
        self.lines = [part.removesuffix("\r") for part in parts]
        self.keys = [key(line) for line in self.lines]
        self.count = Counter(self.keys)
        self.words = Counter(token for line in self.lines for token in re.findall(r"\w+", line))
        self.known = {}

    def once(self, line):
        return self.count[key(line)] == 1

    def price(self, row, line, may_differ):
        """Of taking the file's line for this quoted one."""
        at = (row, line, may_differ)
        if at not in self.known:
            self.known[at] = self.difference(row, line, may_differ)
        return self.known[at]

    def difference(self, quoted, line, may_differ):
        ours = self.lines[line]
        if quoted.strip(SPACE) == ours.strip(SPACE):
            return 0
        if is_blank(quoted) or is_blank(ours):
            return NEVER
        if key(quoted) == self.keys[line]:
            return SPELLED
        if not may_differ:
            return NEVER
        a, b = tokens(quoted), tokens(ours)
        price = 0
        for i, i_end, j, j_end in gaps(a, b):
            if i_end - i == j_end - j == 1 and is_word(a[i]) == is_word(b[j]):
                price += self.other_word(a[i], b[j]) if is_word(a[i]) else self.other_thing(a[i], b[j])
            else:
                price += sum(WORD if is_word(token) else THING for token in a[i:i_end] + b[j:j_end])
        if price != SLIP and (min(len(a), len(b)) < 2 or price > 2 * THING):
            return NEVER
        below = next((l for l in self.lines[line + 1:] if not is_blank(l)), "")
        heads = len(indent(below)) > len(indent(ours))  # what heads a block is known by its words
        return NEVER if price > SLIP and heads and not is_note(ours) else price

    def other_word(self, quoted, ours):
        known = self.words[quoted] > 0
        if is_slip(quoted, ours):
            return THING if known else SLIP
        if re.sub(r"\d", "", quoted) == re.sub(r"\d", "", ours):
            return THING
        return THING if known and self.words[ours] > 1 else WORD

    def other_thing(self, quoted, ours):
        return SLIP if is_slip(quoted, ours) and not quoted[0].isdigit() else THING


def gaps(a, b):
    """The runs in which two lists differ, by their longest common subsequence."""
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            best[i][j] = best[i + 1][j + 1] + 1 if a[i] == b[j] else max(best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < len(a) or j < len(b):
        begin = i, j
        while (i < len(a) or j < len(b)) and not (i < len(a) and j < len(b) and a[i] == b[j]):
            if j == len(b) or (i < len(a) and best[i + 1][j] >= best[i][j + 1]):
                i += 1
            else:
                j += 1
        if begin != (i, j):
            yield begin[0], i, begin[1], j
        while i < len(a) and j < len(b) and a[i] == b[j]:
            i, j = i + 1, j + 1


def diff(old, new, same=lambda line: line):
    """Rows of two halves."""
    rows, i, j = [], 0, 0
    a, b = [same(line) for line in old], [same(line) for line in new]
    head = next((k for k in range(min(len(a), len(b))) if a[k] != b[k]), min(len(a), len(b)))
    room = min(len(a), len(b)) - head
    tail = next((k for k in range(room) if a[-1 - k] != b[-1 - k]), room)
    middle = gaps(a[head:len(a) - tail], b[head:len(b) - tail])
    for i_from, i_to, j_from, j_to in [(f + head, t + head, g + head, u + head) for f, t, g, u in middle] + [
            (len(old), len(old), len(new), len(new))]:
        while i < i_from:
            rows.append(Row(" ", old[i], new[j]))
            i, j = i + 1, j + 1
        rows += [Row("-", line, line) for line in old[i_from:i_to]] + [Row("+", line, line) for line in new[j_from:j_to]]
        i, j = i_to, j_to
    return rows


# --- alignments -------------------------------------------------------------------------------------------------------

def exact_places(file, rows):
    old = [row.old for row in rows if row.sign != "+"]
    for first in range(len(file.lines) - len(old) + 1):
        if file.lines[first:first + len(old)] == old:
            numbers = iter(range(first, first + len(old)))
            yield Place(rows, [None if row.sign == "+" else next(numbers) for row in rows], exact=True)


def alignments(file, rows, reading=0):
    """The cheapest alignment from every line at which the first row that is not blank may begin."""
    old = [k for k, row in enumerate(rows) if row.sign != "+"]
    solid = [n for n, k in enumerate(old) if not is_blank(rows[k].old)]
    if not solid:
        return []
    texts = [rows[k].old for k in old]
    for text in texts:
        if re.match(r"\W*(\.\.\.|…|⋯)", text.strip(SPACE)) and key(text) not in file.count:
            raise Unknown("an elision")
    may_differ = [rows[k].sign == " " and n not in (solid[0], solid[-1]) for n, k in enumerate(old)]
    found = []
    for begin in range(len(file.lines)):
        head = file.price(texts[solid[0]], begin, False)
        if head >= NEVER:
            continue
        up = walk(file, texts, may_differ, solid[0], begin, -1)
        down = walk(file, texts, may_differ, solid[0], begin, 1)
        if up is None or down is None:
            continue
        pairs = [None] * len(rows)
        for n, line in {**up[1], **down[1], solid[0]: begin}.items():
            pairs[old[n]] = line
        place = Place(rows, pairs, {"lines": head + up[0] + down[0], "reading": reading}, reading=reading)
        charge_depth(file, place)
        if all(only_ends(text) for text in texts) and place.price > 0:
            place.bill["ends"] = NEVER
        place.differs = sum(price for n, k in enumerate(old) if pairs[k] is not None
                            and (price := file.price(texts[n], pairs[k], may_differ[n])) > SPELLED)
        found.append(place)
    if len(found) > MANY:
        raise Unknown("many places")
    return found


def walk(file, texts, may_differ, row, line, step):
    """The cheapest way from a pair to the last row in this direction: (price, {row: line}), or None. `table` has, for the
    rows that are done, every line up to which the file may be done."""
    table = {line: (0, {})}
    for n in range(row + step, len(texts) if step > 0 else -1, step):
        after = {}

        def offer(at, price, pairs):
            if price < NEVER and (at not in after or price < after[at][0]):
                after[at] = (price, pairs)
        for at in sorted(table, reverse=step < 0):
            price, pairs = table[at]
            skipped = 0
            if is_blank(texts[n]):
                offer(at, price + BLANK, pairs)
            here = at + step
            while 0 <= here < len(file.lines):
                own = file.price(texts[n], here, may_differ[n])
                offer(here, price + skipped + own, {**pairs, n: here})
                if is_blank(file.lines[here]):
                    skipped += BLANK
                elif own > 0 and is_note(file.lines[here]):
                    skipped += COMMENT
                else:
                    break
                here += step
        table = after
        if not table:
            return None
    return min(table.values(), key=lambda way: way[0])


def charge_depth(file, place):
    """One price for a quote that stands at another depth, one for each line that does not follow the rest."""
    halves = any(row.sign == " " and row.old != row.new for row in place.rows)
    moves, rows = [], []
    for row, line in zip(place.rows, place.pairs):
        if line is None or is_blank(row.old):
            continue
        ours = indent(file.lines[line])
        if not halves or row.sign == " ":
            moves.append((indent(row.shown), ours, row.old.strip(SPACE).startswith("*")))
        if not row.old.strip(SPACE).startswith("*"):
            rows.append((row.old, len(indent(row.old)), len(ours)))
    if all(quoted == ours for quoted, ours, _ in moves):
        return
    place.bill["depth"] = SHIFT
    counted = {}
    flat = all(quoted == moves[0][0] for quoted, _, boxed in moves[1:] if not boxed)
    for quoted, ours, boxed in moves[0 if flat else 1:]:
        if not boxed:
            counted.setdefault(quoted, Counter())[ours] += 1
    place.bill["uneven"] = UNEVEN * sum(sum(all_.values()) - max(all_.values()) for all_ in counted.values())
    if all(row[1] == rows[0][1] for row in rows):
        return
    for n in range(1, len(rows)):  # what a line belongs to is known by its depth
        (_, a, x), (_, b, y) = rows[n - 1], rows[n]
        if (a > b) - (a < b) == (x > y) - (x < y) or (n == 1 and a < x):
            continue
        if x == a + 1 or y == b + 1:
            raise Unknown("a blank that may be the sign of a line")
        if max(abs(a - b), abs(x - y)) > 1 or any(file.count[key(rows[m][0])] > 1 for m in (n - 1, n)):
            place.bill["uneven"] = NEVER


# --- evidence ---------------------------------------------------------------------------------------------------------

def number_price(file, hunk, place):
    if hunk.hint is None or hunk.hint == place.first:
        return 0
    old = [row.old for row in place.rows if row.sign != "+"]
    there = [key(a) == key(b) for a, b in zip(old, file.lines[hunk.hint:]) if is_solid(a)]
    off = abs(place.first - hunk.hint)
    if 2 * sum(there) >= max(len(there), 3) and off >= len(old):
        return NEVER  # the place that was meant has changed since
    return MARGIN + int(MARGIN * math.log2(min(off, 20)))


def pays(file, place):
    """What agrees pays for what differs."""
    if place.reading:
        return -NEVER
    agree, touched, above = [], [], None
    for row, line in zip(place.rows, place.pairs):
        if row.sign == "+":
            if above is not None and not touched:
                touched.append(above)
            continue
        above = line
        if line is None or is_blank(row.old):
            continue
        if key(row.old) != file.keys[line] or row.sign == "-":
            touched.append(line)
        elif is_solid(row.old) and file.once(row.old):
            agree.append(line)
    last = max([line for line in touched], default=None)

    def heads(line):
        depth = len(indent(file.lines[line]))
        return last > line and sum(map(is_word, tokens(file.lines[line]))) > 1 and all(
            len(indent(file.lines[k])) > depth for k in range(line + 1, last + 1) if not is_blank(file.lines[k]))
    head = touched and any(line <= min(touched) and heads(line) for line in agree)
    return AGREES * len(agree) + (WORD if head else 0)


def weigh(file, hunk, place, selection):
    number = number_price(file, hunk, place)
    differs = getattr(place, "differs", 0)
    if differs and differs + number > pays(file, place):
        place.bill["doubt"] = NEVER
    place.bill["number"] = number
    if selection and not (selection[0] <= place.first and place.last <= selection[1]):
        place.bill["selection"] = ELSEWHERE
    if hunk.at_end and any(not is_blank(line) for line in file.lines[place.last:]):
        place.bill["end of file"] = NEVER
    return place


def separate_halves(hunk):
    """The rows of two halves that stand at different depths, or None."""
    if not hunk.halves:
        return None
    rows = diff(*hunk.halves, same=key)
    kept = [row for row in rows if row.sign == " " and not is_blank(row.new)]
    if len(kept) <= sum(sign == " " and not is_blank(text) for sign, text in hunk.lines):
        return None

    def over(side, lines):
        depths = [min((len(indent(line)) for line in some if not is_blank(line)), default=0) for some in (side, lines)]
        return depths[0] - depths[1]
    if over(hunk.halves[1], [row.new for row in kept]) < over(hunk.halves[0], [row.old for row in kept]):
        return None
    return rows


def places(file, hunk, selection):
    """The places within the margin of the cheapest."""
    written = [Row(sign, text, text) for sign, text in hunk.lines]
    if any("..." in row.old or "…" in row.old for row in written if row.sign == " "):
        raise Unknown("an elision")
    priced = [weigh(file, hunk, place, selection) for place in exact_places(file, written)]
    contradicted = [place for place in priced if place.price >= NEVER]
    if not any(place.price == 0 for place in priced):
        spans = {(place.first, place.last) for place in priced}
        loose = [weigh(file, hunk, place, selection) for place in alignments(file, written)]
        priced += [place for place in loose if (place.first, place.last) not in spans]
        contradicted += [place for place in loose if place.price >= NEVER > place.quoted]
        priced = [place for place in priced if place.price < NEVER]
        if min((place.price for place in priced), default=NEVER) > READING:
            for text in [row.old for row in written if row.sign != "+"]:
                if re.search(r"\\|&\w+;", text) or re.match(r"\s*\d+( *[|:│→]|\t)", text):
                    raise Unknown("another reading")
            halves = separate_halves(hunk)
            if halves:
                priced += [weigh(file, hunk, place, selection) for place in alignments(file, halves, READING)]
                if len({place.reading for place in priced}) > 1:
                    raise Unknown("two readings")
    priced = sorted((place for place in priced if place.price < NEVER), key=lambda place: place.price)
    if priced and priced[0].quoted and any(place.quoted == 0 for place in contradicted):
        raise Refused("ambiguous")
    best = []
    for place in priced:
        if best and best[0].exact and place.quoted and place.price - place.quoted >= best[0].price:
            continue
        told = best and (best[0].quoted and not place.quoted or not best[0].exact and place.exact)
        if best and place.price >= best[0].price + MARGIN and not told:
            continue
        if not any(other.overlaps(place) and changed(other) == changed(place) or
                   other.first == place.first and (changed(other) == changed(place) or other.reading != place.reading)
                   for other in best):
            best.append(place)
    return sorted(best, key=lambda place: place.first)


def changed(place):
    """The lines that go, and those above which lines come."""
    lines, above, run = [], None, []
    for row, line in [*zip(place.rows, place.pairs), (Row(" ", "", ""), None)]:
        if row.sign == " ":
            if run and "-" not in run:
                lines.append(line if above is None else above + 1)
            above, run = (line, []) if line is not None or not is_blank(row.old) else (above, [])
        else:
            run.append(row.sign)
            if row.sign == "-" and line is not None:
                lines.append(line)
    return lines


def is_there_already(file, hunk, place):
    """Whether the new side stands in the file: who asks that needs more rules than are here."""
    new = hunk.side("-")
    if not any(sign == "+" and not is_blank(text) for sign, text in hunk.lines) and (place is None or place.price == 0):
        return False
    keys = [key(line) for line in new if not is_blank(line)]
    ours = [k for k in file.keys if k]
    return bool(keys) and any(ours[i:i + len(keys)] == keys for i in range(len(ours) - len(keys) + 1))


# --- writing ----------------------------------------------------------------------------------------------------------

def new_depth(pairs, own, at):
    """The indentation of a new line that is quoted with `own`. pairs: (row, quoted, ours) of the lines that agree."""
    if all(quoted == ours for _, quoted, ours in pairs):
        return own
    if len(pairs) > 1 and pairs[0][1] != pairs[0][2] and all(q == o != pairs[0][1] for _, q, o in pairs[1:]):
        raise Unknown("a first line without its depth")
    near = [p for p in reversed(pairs) if p[0] <= at] + [p for p in pairs if p[0] > at]
    above = [p for p in near if p[1] == own and p[0] <= at]
    below = [p for p in near if p[1] == own and p[0] > at]
    if above and below and above[0][2] != below[0][2] and above[0][0] != at:  # … than the line that it replaces
        raise Refused("an open depth")
    if above or below:
        return (above or below)[0][2]
    if len({(quoted[:1] or ours[:1]) for _, quoted, ours in pairs}) > 1 or any("\t" in q + o for _, q, o in pairs) or "\t" in own:
        raise Unknown("tabs and blanks")
    points = sorted({(len(quoted), len(ours)) for _, quoted, ours in pairs})
    slopes = {(d - b) / (c - a) for (a, b), (c, d) in zip(points, points[1:]) if c > a}
    if any(a == c for (a, _), (c, _) in zip(points, points[1:])) or len(slopes) > 1 or slopes - {1.0}:
        raise Unknown("depths that grow otherwise")
    quoted, ours = max((p for p in points if p[0] <= len(own)), default=points[0])
    if ours + len(own) - quoted < 0:
        raise Refused("an open depth")
    return " " * (ours + len(own) - quoted)


def rewritten(file, hunk, place):
    """What a hunk changes: (the lines that go, {line: those that come above it})."""
    gone, come, runs = set(), {}, []
    pairs = [(k, indent(row.shown), indent(file.lines[line])) for k, (row, line) in enumerate(zip(place.rows, place.pairs))
             if line is not None and not is_blank(row.old) and (not place.reading or row.sign == " ")]
    if any(row.old.strip(SPACE) != file.lines[line].strip(SPACE) and not row.old.isascii()
           for row, line in zip(place.rows, place.pairs) if line is not None):
        raise Unknown("another spelling")
    proven = not hunk.literal and any(q != o for k, q, o in pairs[1:] if place.rows[k].sign == " ")
    if not proven and any(q != o for _, q, o in pairs) and any(row.sign == "+" for row in place.rows):
        raise Unknown("which of the halves is indented like the file")
    old = [(row.sign, is_blank(row.old), line) for row, line in zip(place.rows, place.pairs) if row.sign != "+"]
    if any(a[1] and b[1] and a[0] != b[0] and (a[2] is None) != (b[2] is None) for a, b in zip(old, old[1:])):
        raise Unknown("which of two blank lines is missing")
    at, k = place.first, 0
    while k < len(place.rows):
        if place.rows[k].sign == " ":
            at = at if place.pairs[k] is None else place.pairs[k] + 1
            k += 1
            continue
        begin = k
        while k < len(place.rows) and place.rows[k].sign != " ":
            k += 1
        rows = range(begin, k)
        lines = [place.pairs[n] for n in rows if place.pairs[n] is not None]
        added = [n for n in rows if place.rows[n].sign == "+"]
        if lines:
            if any(line not in lines and not is_blank(file.lines[line]) for line in range(lines[0], lines[-1] + 1)):
                raise Refused("a line would be lost")
            gone |= set(range(lines[0], lines[-1] + 1))
            at = lines[0]
        elif added and not place.exact:
            below = next((line for line in place.pairs[k:] if line is not None), None)
            if below is not None and below > at and at > place.first:
                between = file.lines[at:below]
                if any(not is_blank(line) for line in between) or (between and place.pairs[begin - 1] is None):
                    raise Unknown("where between two lines")
            elif below is not None and at == place.first:
                at = below
        pairwise = 2 * len(added) == len(rows)
        for i, n in enumerate(added):
            text = place.rows[n].new
            if not place.exact and not is_blank(text):
                if text.strip(SPACE).startswith("*"):
                    raise Unknown("a comment in a box")
                text = new_depth(pairs, indent(text), begin + i if pairwise else n) + text[len(indent(text)):]
            come.setdefault(at, []).append(text)
        end = max(lines, default=at - 1) + 1
        first, last = ([text.strip(SPACE) for text in come.get(at, [""])][n] for n in (0, -1))
        if first and first == "".join(file.lines[at - 1:at]).strip(SPACE) or last and last == "".join(file.lines[end:end + 1]).strip(SPACE):
            raise Unknown("whether a line is repeated")
        runs.append((at, end))
        at = max(lines, default=at - 1) + 1
    return gone, come, runs


# --- the whole --------------------------------------------------------------------------------------------------------

def in_order(found):
    """One place of each hunk so that they follow one another, if there is one way only."""
    ways = [[]]
    for some in found:
        ways = [way + [place] for way in ways for place in some if not way or way[-1].last <= place.first]
        if len(ways) > 1000:
            raise Unknown("many ways")
    return ways[0] if len(ways) == 1 else None


def chosen(hunks, found):
    groups = {}
    for n, (hunk, some) in enumerate(zip(hunks, found)):
        if len(some) > 1:
            groups.setdefault(str(hunk.lines), []).append(n)
    for same in groups.values():
        if len(same) == len(found[same[0]]):  # as many equal hunks as places: one each
            for n, place in zip(same, found[same[0]]):
                found[n] = [place]
    if all(hunk.literal for hunk in hunks):
        way = in_order(found)
        return [[place] for place in way] if way else found
    n = 0
    while n < len(found):  # of blocks only between two that have their places
        end = n
        while end < len(found) and len(found[end]) > 1:
            end += 1
        if 0 < n < end < len(found) and len(found[n - 1]) == 1:
            way = in_order(found[n - 1:end + 1])
            if way:
                found[n - 1:end + 1] = [[place] for place in way]
        n = end + 1
    return found


def applied(text, hunks, selection=None):
    """The file's new text. Raises Refused or Unknown."""
    file = File(text)
    if not file.lines:
        raise Unknown("an empty file")
    found = [places(file, hunk, selection) for hunk in hunks]
    for hunk, some in zip(hunks, found):
        if is_there_already(file, hunk, some[0] if some else None):
            raise Unknown("new lines that are there")
    if any(not some for some in found):
        raise Refused("not found") if len(hunks) == 1 else Unknown("a hunk that may build on another")
    found = chosen(hunks, found)
    if any(len(some) > 1 for some in found):
        raise Refused("ambiguous")
    try:
        return with_all(file, hunks, [place for place, in found])
    except Unknown as why:
        why.firsts = [place.first for place, in found]
        raise


def with_all(file, hunks, found):
    gone, come, runs = set(), {}, []
    for hunk, place in zip(hunks, found):
        mine = rewritten(file, hunk, place)
        quoted = {line for line in place.pairs if line is not None}
        for other_kept, other_gone, other_runs, other_quoted in runs:
            crosses = any(max(a, c) < min(b, d) or a == c for a, b in mine[2] for c, d in other_runs)
            between = quoted == other_quoted
            if crosses or mine[0] & other_kept or other_gone & (quoted - mine[0]) or between:
                raise Unknown("hunks that meet")
        runs.append((quoted - mine[0], mine[0], mine[2], quoted))
        gone |= mine[0]
        for at, lines in mine[1].items():
            come.setdefault(at, []).extend(lines)
    return written(file, gone, come)


def written(file, gone, come):
    out, last = [], len(file.lines)
    for at in range(last + 1):
        for line in come.get(at, []):
            near = min(at, last - 1) if at in gone or at == 0 else at - 1
            out.append((line, file.ends[near]))
        if at < last and at not in gone:
            out.append((file.lines[at], file.ends[at]))
    if file.is_open and out:
        if last - 1 in gone or last in come:
            raise Unknown("the end of an open last line")
        out[-1] = out[-1][0], ""
    return "".join(line + end for line, end in out)
