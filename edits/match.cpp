// How the ladder keeps its promise. A rung may only say *where* the old side is; it never changes
// what is kept or removed. It must answer for the whole file, so every rung is a search for all
// hits, in time linear in the file and the hunk: lines become numbers (equal numbers, equal keys)
// and a run of numbers is searched for with Knuth, Morris and Pratt's algorithm. Only the rungs
// `gaps` and `fuzzy` try candidates one by one, and their candidates are capped.
#include "edits/match.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

namespace bodkin {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\f\v") == std::string_view::npos;
}

std::string_view indentation_of(std::string_view line) {
  const size_t n = line.find_first_not_of(" \t");
  return line.substr(0, n == std::string_view::npos ? line.size() : n);
}

std::string_view stripped(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t\r\f\v");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r\f\v") - begin + 1);
}

std::vector<std::string> old_side(const Hunk& hunk) {
  std::vector<std::string> out;
  for (const HunkLine& line : hunk.lines)
    if (line.kind != HunkLine::Kind::added) out.push_back(line.text);
  return out;
}

std::vector<std::string> new_side(const Hunk& hunk) {
  std::vector<std::string> out;
  for (const HunkLine& line : hunk.lines)
    if (line.kind != HunkLine::Kind::removed) out.push_back(line.text);
  return out;
}

MappedText::MappedText(const Text& text) : bytes_(text.str()) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  size_t at = bytes_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const bool lone_cr = bytes_.find('\n') == std::string::npos;
  const char terminator = lone_cr ? '\r' : '\n';
  while (at < bytes_.size()) {
    size_t end = bytes_.find(terminator, at);
    if (end == std::string::npos) {
      lines_.push_back({at, bytes_.size(), bytes_.size()});
      break;
    }
    const size_t next = end + 1;
    if (!lone_cr && end > at && bytes_[end - 1] == '\r') --end;
    lines_.push_back({at, end, next});
    at = next;
  }
}

std::string_view MappedText::line_end_near(size_t i) const {
  const auto line_end = [&](size_t k) {
    return std::string_view(bytes_).substr(lines_[k].end, lines_[k].next - lines_[k].end);
  };
  if (i > 0 && i <= lines_.size() && !line_end(i - 1).empty()) return line_end(i - 1);
  if (i < lines_.size() && !line_end(i).empty()) return line_end(i);
  if (!lines_.empty() && !line_end(0).empty()) return line_end(0);
  return "\n";
}

const MappedText::Index& MappedText::index(Key key) const {
  auto [entry, is_new] = indexes_.try_emplace(key);
  Index& index = entry->second;
  if (is_new) {
    index.of_line.reserve(lines_.size());
    for (size_t i = 0; i < lines_.size(); ++i)
      index.of_line.push_back(
          index.numbers.try_emplace(key(line(i)), index.numbers.size()).first->second);
  }
  return index;
}

const std::vector<size_t>& MappedText::keys(Key key) const { return index(key).of_line; }

std::optional<size_t> MappedText::key_number(Key key, std::string_view line) const {
  const Index& found = index(key);
  const auto it = found.numbers.find(key(line));
  if (it == found.numbers.end()) return std::nullopt;
  return it->second;
}

namespace {

// ---- keys: what a rung takes for the same line ----

std::string exact_key(std::string_view line) { return std::string(line); }

std::string trailing_key(std::string_view line) {
  const size_t last = line.find_last_not_of(" \t\r\f\v");
  return std::string(line.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

std::string punctuation_key(std::string_view line) {
  const std::string kept = trailing_key(line);
  if (std::all_of(kept.begin(), kept.end(), [](unsigned char c) { return c < 0x80; })) return kept;
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kPlain = {{
      {"‘", "'"},      {"’", "'"},      {"‚", "'"},      {"‛", "'"},      {"“", "\""},
      {"”", "\""},     {"„", "\""},     {"‟", "\""},     {"‐", "-"},      {"‑", "-"},
      {"‒", "-"},      {"–", "-"},      {"—", "-"},      {"―", "-"},      {"−", "-"},
      {"…", "..."},    {"\u00A0", " "}, {"\u2002", " "}, {"\u2003", " "}, {"\u2009", " "},
      {"\u202F", " "}, {"\u3000", " "}, {"′", "'"},      {"″", "\""},
  }};
  std::string plain;
  for (size_t i = 0; i < kept.size();) {
    const auto it = std::find_if(kPlain.begin(), kPlain.end(), [&](const auto& pair) {
      return std::string_view(kept).substr(i).starts_with(pair.first);
    });
    if (it == kPlain.end()) {
      plain += kept[i++];
    } else {
      plain += it->second;
      i += it->first.size();
    }
  }
  utf8proc_uint8_t* composed = nullptr;
  const utf8proc_ssize_t length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(plain.data()),
                   static_cast<utf8proc_ssize_t>(plain.size()), &composed,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (length >= 0) plain.assign(reinterpret_cast<char*>(composed), static_cast<size_t>(length));
  std::free(composed);
  return trailing_key(plain);
}

std::string trimmed_key(std::string_view line) { return std::string(stripped(line)); }

// Runs of white space become one blank, except inside string literals.
std::string whitespace_key(std::string_view line) {
  const std::string_view kept = stripped(line);
  std::string out;
  char quote = 0;
  for (size_t i = 0; i < kept.size(); ++i) {
    const char c = kept[i];
    if (quote) {
      out += c;
      if (c == '\\' && i + 1 < kept.size()) {
        out += kept[++i];
      } else if (c == quote) {
        quote = 0;
      }
    } else if (c == ' ' || c == '\t') {
      if (out.empty() || out.back() != ' ') out += ' ';
    } else {
      if (c == '"' || c == '\'' || c == '`') quote = c;
      out += c;
    }
  }
  return out;
}

// ---- searching a run of lines ----

// All first lines at which `pattern` stands in `lines`, overlapping ones too.
std::vector<size_t> find_run(const std::vector<size_t>& lines, const std::vector<size_t>& pattern) {
  std::vector<size_t> hits;
  if (pattern.empty() || pattern.size() > lines.size()) return hits;
  std::vector<size_t> border(pattern.size(), 0);
  for (size_t i = 1, k = 0; i < pattern.size(); ++i) {
    while (k > 0 && pattern[i] != pattern[k]) k = border[k - 1];
    if (pattern[i] == pattern[k]) ++k;
    border[i] = k;
  }
  for (size_t i = 0, k = 0; i < lines.size(); ++i) {
    while (k > 0 && lines[i] != pattern[k]) k = border[k - 1];
    if (lines[i] == pattern[k]) ++k;
    if (k == pattern.size()) {
      hits.push_back(i + 1 - k);
      k = border[k - 1];
    }
  }
  return hits;
}

Place place_at(const MappedText& file, size_t first, size_t count, MatchQuality quality) {
  Place place;
  place.quality = quality;
  place.first = first;
  place.last = first + count;
  for (size_t i = 0; i < count; ++i) place.line_of.push_back(first + i);
  place.offset = file.lines()[first].begin;
  place.length = file.lines()[first + count - 1].next - place.offset;
  return place;
}

std::vector<Place> places_by_key(const MappedText& file, const std::vector<std::string>& old_lines,
                                 MappedText::Key key, MatchQuality quality) {
  std::vector<size_t> pattern;
  for (const std::string& line : old_lines) {
    const std::optional<size_t> number = file.key_number(key, line);
    if (!number) return {};
    pattern.push_back(*number);
  }
  std::vector<Place> places;
  for (const size_t first : find_run(file.keys(key), pattern))
    places.push_back(place_at(file, first, pattern.size(), quality));
  return places;
}

bool says_nothing(const std::vector<std::string>& lines) {
  return std::all_of(lines.begin(), lines.end(), [](const auto& line) { return is_blank(line); });
}

// ---- the rungs ----

// A part of a line, or of several: the old text as a run of bytes, whatever the line ends are.
std::vector<Place> substring_places(const MappedText& file, const std::vector<std::string>& old) {
  std::vector<Place> places;
  if (old.empty() || (old.size() == 1 && old[0].empty())) return places;
  const std::string& bytes = file.bytes();
  const auto line_at = [&](size_t offset) {
    const auto it =
        std::upper_bound(file.lines().begin(), file.lines().end(), offset,
                         [](size_t at, const MappedText::Line& line) { return at < line.begin; });
    return it == file.lines().begin() ? size_t{0}
                                      : static_cast<size_t>(it - file.lines().begin()) - 1;
  };
  const auto add = [&](size_t begin, size_t end) {
    Place place;
    place.quality = MatchQuality::substring;
    place.offset = begin;
    place.length = end - begin;
    place.first = line_at(begin);
    place.last = line_at(end > begin ? end - 1 : begin) + 1;
    places.push_back(std::move(place));
  };
  if (old.size() == 1) {
    for (size_t at = bytes.find(old[0]); at != std::string::npos; at = bytes.find(old[0], at + 1))
      add(at, at + old[0].size());
    return places;
  }
  // The inner lines are whole lines; the first ends a line and the last begins one.
  std::vector<size_t> inner;
  for (size_t i = 1; i + 1 < old.size(); ++i) {
    const std::optional<size_t> number = file.key_number(exact_key, old[i]);
    if (!number) return places;
    inner.push_back(*number);
  }
  const size_t count = file.lines().size();
  const auto try_at = [&](size_t first) {  // the line that ends with old.front()
    const size_t last = first + old.size() - 1;
    if (!file.line(first).ends_with(old.front())) return;
    if (file.lines()[first].end == file.lines()[first].next) return;  // no line end behind it
    const size_t begin = file.lines()[first].end - old.front().size();
    if (last == count) {
      if (old.back().empty()) add(begin, bytes.size());
    } else if (last < count && file.line(last).starts_with(old.back())) {
      add(begin, file.lines()[last].begin + old.back().size());
    }
  };
  if (inner.empty()) {
    for (size_t i = 0; i < count; ++i) try_at(i);
  } else {
    for (const size_t hit : find_run(file.keys(exact_key), inner))
      if (hit > 0) try_at(hit - 1);
  }
  return places;
}

// The number of blanks that one level of these lines' indentation has, if they use blanks; 0: tabs
// or unknown.
size_t unit_of(const std::vector<std::string_view>& indentations) {
  std::set<size_t> widths;
  for (const std::string_view indentation : indentations) {
    if (indentation.find('\t') != std::string_view::npos) return 0;
    widths.insert(indentation.size());
  }
  size_t unit = 0, before = 0;
  for (const size_t width : widths) {
    if (width != before && (unit == 0 || width - before < unit)) unit = width - before;
    before = width;
  }
  return unit;
}

// Whether the file's indentation is the old side's, moved as one block: one prefix for another on
// every line, or tabs for blanks level by level.
bool uniformly_indented(const MappedText& file, const std::vector<std::string>& old, size_t first) {
  std::vector<std::string_view> theirs, ours;
  for (size_t i = 0; i < old.size(); ++i) {
    if (is_blank(old[i])) continue;
    theirs.push_back(indentation_of(old[i]));
    ours.push_back(indentation_of(file.line(first + i)));
  }
  if (theirs.empty()) return true;
  const auto least = [](const std::vector<std::string_view>& all) {
    return *std::min_element(all.begin(), all.end(),
                             [](auto a, auto b) { return a.size() < b.size(); });
  };
  const std::string_view base_theirs = least(theirs), base_ours = least(ours);
  bool by_prefix = true;
  for (size_t i = 0; i < theirs.size() && by_prefix; ++i)
    by_prefix = theirs[i].starts_with(base_theirs) && ours[i].starts_with(base_ours) &&
                theirs[i].substr(base_theirs.size()) == ours[i].substr(base_ours.size());
  if (by_prefix) return true;
  const auto has_tab = [](const std::vector<std::string_view>& all) {
    return std::any_of(all.begin(), all.end(),
                       [](auto s) { return s.find('\t') != std::string_view::npos; });
  };
  if (has_tab(theirs) == has_tab(ours)) return false;
  // Levels: tabs count one, blanks count by the unit that their side uses.
  const auto& spaced = has_tab(theirs) ? ours : theirs;
  const auto& tabbed = has_tab(theirs) ? theirs : ours;
  for (const size_t unit : {size_t{4}, size_t{2}, size_t{8}, size_t{3}, unit_of(spaced)}) {
    if (unit == 0) continue;
    bool same = true;
    std::optional<long> shift;
    for (size_t i = 0; i < spaced.size() && same; ++i) {
      const long levels = static_cast<long>(spaced[i].size() / unit);
      const size_t tabs = static_cast<size_t>(std::count(tabbed[i].begin(), tabbed[i].end(), '\t'));
      if (spaced[i].size() % unit != tabbed[i].size() - tabs) same = false;
      const long difference = static_cast<long>(tabs) - levels;
      if (!shift) shift = difference;
      if (*shift != difference) same = false;
    }
    if (same) return true;
  }
  return false;
}

std::vector<Place> indentation_places(const MappedText& file, const std::vector<std::string>& old) {
  std::vector<Place> places = places_by_key(file, old, trimmed_key, MatchQuality::indentation);
  std::erase_if(places,
                [&](const Place& place) { return !uniformly_indented(file, old, place.first); });
  return places;
}

// ---- cosmetic: the edit text read in another way; believed only if that makes an exact match ----

template <class Change>
std::optional<Hunk> rewritten(const Hunk& hunk, Change change) {
  Hunk out = hunk;
  bool changed = false;
  for (HunkLine& line : out.lines) {
    std::optional<std::string> text = change(line.text);
    if (!text) return std::nullopt;
    changed |= *text != line.text;
    line.text = std::move(*text);
  }
  if (!changed) return std::nullopt;
  return out;
}

// "12 | code" or "12: code" or "12\tcode" on every line that is not blank.
std::optional<std::string> without_number(const std::string& line) {
  if (is_blank(line)) return std::string();
  size_t i = line.find_first_not_of(' ');
  const size_t digits = i;
  while (i < line.size() && line[i] >= '0' && line[i] <= '9') ++i;
  if (i == digits) return std::nullopt;
  std::string_view rest = std::string_view(line).substr(i);
  if (rest.starts_with(" |")) rest.remove_prefix(1);
  if (rest.starts_with("| ")) return std::string(rest.substr(2));
  if (rest == "|") return std::string();
  if (rest.starts_with("\t") || rest.starts_with("|")) return std::string(rest.substr(1));
  if (rest.starts_with(": ")) return std::string(rest.substr(2));
  return std::nullopt;
}

std::string replaced_all(std::string text,
                         std::initializer_list<std::pair<std::string_view, std::string_view>> of) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    bool hit = false;
    for (const auto& [from, to] : of) {
      if (std::string_view(text).substr(i).starts_with(from)) {
        out += to;
        i += from.size();
        hit = true;
        break;
      }
    }
    if (!hit) out += text[i++];
  }
  return out;
}

// Literal \n in a one-line quote stands for line ends.
std::optional<Hunk> with_line_breaks(const Hunk& hunk) {
  Hunk out = hunk;
  out.lines.clear();
  bool changed = false;
  for (const HunkLine& line : hunk.lines) {
    std::string text = replaced_all(line.text, {{"\\r\\n", "\n"},
                                                {"\\n", "\n"},
                                                {"\\t", "\t"},
                                                {"\\\"", "\""},
                                                {"\\'", "'"},
                                                {"\\\\", "\\"}});
    changed |= text != line.text;
    for (size_t at = 0;;) {
      const size_t end = text.find('\n', at);
      out.lines.push_back({line.kind, text.substr(at, end - at)});
      if (end == std::string::npos) break;
      at = end + 1;
    }
  }
  if (!changed) return std::nullopt;
  return out;
}

std::optional<Hunk> without_outer_blanks(const Hunk& hunk) {
  Hunk out = hunk;
  const auto strip = [&](auto begin, auto end) {
    // A blank line of the old side at the edge is noise; so is its partner on the new side.
    auto it = begin;
    while (it != end && is_blank(it->text)) ++it;
    return it;
  };
  auto first = strip(out.lines.begin(), out.lines.end());
  out.lines.erase(out.lines.begin(), first);
  auto last = strip(out.lines.rbegin(), out.lines.rend()).base();
  out.lines.erase(last, out.lines.end());
  if (out.lines.size() == hunk.lines.size() || says_nothing(old_side(out))) return std::nullopt;
  return out;
}

std::vector<Hunk> cosmetic_readings(const Hunk& hunk) {
  std::vector<Hunk> readings;
  const auto add = [&](std::optional<Hunk> reading) {
    if (reading) readings.push_back(std::move(*reading));
  };
  add(without_outer_blanks(hunk));
  add(rewritten(hunk, without_number));
  add(rewritten(hunk, [](const std::string& line) {
    return std::optional(replaced_all(line, {{"&lt;", "<"},
                                             {"&gt;", ">"},
                                             {"&amp;", "&"},
                                             {"&quot;", "\""},
                                             {"&#39;", "'"},
                                             {"&apos;", "'"}}));
  }));
  add(rewritten(hunk, [](const std::string& line) {
    return std::optional(replaced_all(line, {{"\\\"", "\""}, {"\\'", "'"}}));
  }));
  add(with_line_breaks(hunk));
  return readings;
}

std::vector<Place> exact_or_substring(const MappedText& file, const Hunk& hunk) {
  const std::vector<std::string> old = old_side(hunk);
  std::vector<Place> places = places_by_key(file, old, exact_key, MatchQuality::exact);
  if (places.empty() && hunk.within_lines) places = substring_places(file, old);
  return places;
}

std::vector<Place> cosmetic_places(const MappedText& file, const Hunk& hunk) {
  for (Hunk& reading : cosmetic_readings(hunk)) {
    std::vector<Place> places = exact_or_substring(file, reading);
    if (places.empty()) continue;
    for (Place& place : places) {
      if (place.quality == MatchQuality::substring) {
        reading.within_lines = true;
      } else {
        reading.within_lines = false;
        place.quality = MatchQuality::cosmetic;
      }
      place.hunk = reading;
    }
    return places;
  }
  return {};
}

// ---- elision: pieces of the old side round lines that say "..." ----

bool is_elision(std::string_view line) {
  std::string_view text = stripped(line);
  for (const std::string_view mark : {"//", "#", "--", "/*", "<!--", ";", "%"})
    if (text.starts_with(mark)) text = stripped(text.substr(mark.size()));
  for (const std::string_view mark : {"*/", "-->"})
    if (text.ends_with(mark)) text = stripped(text.substr(0, text.size() - mark.size()));
  if (text == "..." || text == "\u2026") return true;
  const bool opens = text.starts_with("...") || text.starts_with("\u2026");
  const bool closes = text.ends_with("...") || text.ends_with("\u2026");
  if (!opens || text.size() > 80 || text.size() == stripped(line).size()) return false;
  if (closes) return true;
  for (const std::string_view word : {"existing", "unchanged", "rest of", "same as", "omitted"})
    if (text.find(word) != std::string_view::npos) return true;
  return false;
}

// The pieces must stand in this order. A piece that changes nothing may stand in several places,
// for nothing is written there; one that changes something must have exactly one place between
// the pieces round it.
std::vector<Place> elision_places(const MappedText& file, const Hunk& hunk) {
  struct Piece {
    std::vector<std::string> lines;
    bool changes = false;
    std::vector<Place> hits;
  };
  std::vector<Piece> pieces(1);
  std::vector<bool> elided;  // for each old line
  bool added_behind_elision = false;
  for (const HunkLine& line : hunk.lines) {
    if (line.kind == HunkLine::Kind::added) {
      if (is_elision(line.text)) return {};  // it stands for something that we do not know
      if (pieces.back().lines.empty()) added_behind_elision = true;
      pieces.back().changes = true;
      continue;
    }
    elided.push_back(is_elision(line.text));
    if (elided.back()) {
      if (line.kind == HunkLine::Kind::removed) return {};
      if (added_behind_elision && pieces.back().lines.empty()) return {};  // between two elisions
      pieces.emplace_back();
      added_behind_elision = false;
    } else {
      pieces.back().changes |= line.kind == HunkLine::Kind::removed;
      pieces.back().lines.push_back(line.text);
    }
  }
  if (pieces.size() == 1) return {};
  if (added_behind_elision && pieces.back().lines.empty()) return {};
  size_t behind = 0;  // where the earliest place of the pieces before ends
  for (Piece& piece : pieces) {
    if (piece.lines.empty()) continue;
    if (says_nothing(piece.lines)) {
      if (piece.changes) return {};
      continue;
    }
    piece.hits = places_by_key(file, piece.lines, exact_key, MatchQuality::exact);
    if (piece.hits.empty())
      piece.hits = places_by_key(file, piece.lines, trailing_key, MatchQuality::exact);
    if (piece.hits.empty()) piece.hits = indentation_places(file, piece.lines);
    std::erase_if(piece.hits, [&](const Place& hit) { return hit.first < behind; });
    if (piece.hits.empty()) return {};
    behind = piece.hits.front().last;
  }
  size_t before = file.lines().size();  // where the latest place of the pieces behind begins
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    if (piece->hits.empty()) continue;
    std::erase_if(piece->hits, [&](const Place& hit) { return hit.last > before; });
    if (piece->hits.empty()) return {};
    if (piece->changes && piece->hits.size() != 1) return {};
    before = piece->hits.back().first;
  }
  // A piece before the one that changes is the nearest, one behind it too: only for the report.
  Place place;
  place.quality = MatchQuality::elision;
  size_t piece = 0, at = 0;
  std::optional<size_t> start;
  for (const bool is_elided : elided) {
    if (is_elided) {
      place.line_of.push_back(kNoLine);
      ++piece;
      at = 0;
    } else if (pieces[piece].changes && !pieces[piece].hits.empty()) {
      const size_t line = pieces[piece].hits[0].first + at++;
      if (!start) start = line;
      place.last = line + 1;
      place.line_of.push_back(line);
    } else {
      place.line_of.push_back(kNoLine);
    }
  }
  if (!start) return {};
  place.first = *start;
  place.offset = file.lines()[place.first].begin;
  place.length = file.lines()[place.last - 1].next - place.offset;
  return {place};
}

// ---- gaps: blank lines and comment lines that only one side has ----

bool is_comment(std::string_view line) {
  const std::string_view text = stripped(line);
  if (text == "*" || text == "#") return true;
  for (const std::string_view directive :
       {"#include", "#define", "#if", "#el", "#end", "#undef", "#pragma", "#error", "#[", "#!"})
    if (text.starts_with(directive)) return false;
  for (const std::string_view mark :
       {"//", "#", "-- ", "---", "--[", "/*", "* ", "*/", "<!--", ";;", "% "})
    if (text.starts_with(mark)) return true;
  return false;
}

// Lines agree in order; blank lines and comment lines of the file, and those of the hunk's context,
// may be left out. Removed lines never.
std::vector<Place> gap_places(const MappedText& file, const Hunk& hunk) {
  constexpr size_t kMostCandidates = 200;
  constexpr size_t kLongestGap = 40;
  std::vector<const HunkLine*> old;
  for (const HunkLine& line : hunk.lines)
    if (line.kind != HunkLine::Kind::added) old.push_back(&line);
  const auto is_gap = [](std::string_view line) { return is_blank(line) || is_comment(line); };
  std::vector<std::optional<size_t>> wanted;
  for (const HunkLine* line : old) wanted.push_back(file.key_number(trimmed_key, line->text));
  const std::vector<size_t>& keys = file.keys(trimmed_key);
  const auto may_skip = [&](size_t i) {
    return old[i]->kind == HunkLine::Kind::context && is_gap(old[i]->text);
  };
  for (size_t i = 0; i < old.size(); ++i)
    if (!wanted[i] && !may_skip(i)) return {};
  size_t first_old = 0, last_old = old.size();
  while (first_old < last_old && (is_blank(old[first_old]->text) || !wanted[first_old]))
    ++first_old;
  while (last_old > first_old && is_blank(old[last_old - 1]->text)) --last_old;
  if (first_old == last_old) return {};
  for (size_t i = 0; i < first_old; ++i)
    if (!may_skip(i)) return {};
  std::vector<Place> places;
  size_t candidates = 0;
  for (size_t start = 0; start < keys.size(); ++start) {
    if (keys[start] != *wanted[first_old]) continue;
    if (++candidates > kMostCandidates) return {};
    std::vector<size_t> line_of(old.size(), kNoLine);
    size_t at = start, last = start, code = 0, equal = 0, comments_skipped = 0;
    bool fits = true;
    for (size_t i = first_old; i < last_old && fits; ++i) {
      size_t to = at;
      // A line of the file that the hunk has further down is none that it left out.
      const auto comes_later = [&](size_t line) {
        if (is_blank(file.line(line))) return false;
        for (size_t k = i + 1; k < std::min(last_old, i + 9); ++k)
          if (wanted[k] && *wanted[k] == keys[line]) return true;
        return false;
      };
      if (wanted[i] && !is_blank(old[i]->text))
        while (to < keys.size() && to < at + kLongestGap && keys[to] != *wanted[i] &&
               is_gap(file.line(to)) && !comes_later(to))
          ++to;
      if (wanted[i] && to < keys.size() && keys[to] == *wanted[i]) {
        for (size_t k = at; k < to; ++k) comments_skipped += !is_blank(file.line(k));
        line_of[i] = to;
        last = at = to + 1;
        if (!is_blank(old[i]->text)) ++equal;
        if (!is_gap(old[i]->text)) ++code;
      } else if (may_skip(i)) {
        comments_skipped += !is_blank(old[i]->text);
      } else {
        fits = false;
      }
    }
    if (!fits || equal < 2 || (code < 2 && equal < 3) || comments_skipped > equal) continue;
    Place place;
    place.quality = MatchQuality::gaps;
    place.line_of = std::move(line_of);
    place.first = start;
    place.last = last;
    place.offset = file.lines()[start].begin;
    place.length = file.lines()[last - 1].next - place.offset;
    places.push_back(std::move(place));
  }
  return places;
}

// ---- fuzzy: the file moved on by a token or two in what is kept ----

std::vector<std::string> tokens_of(std::string_view line) {
  std::vector<std::string> tokens;
  const auto is_word = [](char c) {
    return c == '_' || static_cast<unsigned char>(c) >= 0x80 ||
           std::isalnum(static_cast<unsigned char>(c));
  };
  for (size_t i = 0; i < line.size();) {
    if (line[i] == ' ' || line[i] == '\t') {
      ++i;
      continue;
    }
    size_t end = i + 1;
    if (is_word(line[i]))
      while (end < line.size() && is_word(line[end])) ++end;
    tokens.emplace_back(line.substr(i, end - i));
    i = end;
  }
  return tokens;
}

// How many tokens differ between two lines after their common ends; many if a lot.
size_t token_distance(std::string_view a, std::string_view b) {
  const std::vector<std::string> left = tokens_of(a), right = tokens_of(b);
  size_t head = 0;
  while (head < left.size() && head < right.size() && left[head] == right[head]) ++head;
  size_t tail = 0;
  while (tail + head < left.size() && tail + head < right.size() &&
         left[left.size() - 1 - tail] == right[right.size() - 1 - tail])
    ++tail;
  return std::max(left.size(), right.size()) - head - tail;
}

// The name that a line declares ("def get_a(self):", "void get_a() {"), or nothing.
std::string declared_name(std::string_view line) {
  static const std::set<std::string_view> kKeywords = {"def",      "class",  "func", "fn",
                                                       "function", "struct", "enum", "interface",
                                                       "module",   "trait",  "impl", "namespace"};
  static const std::set<std::string_view> kStatements = {"if",    "for",    "while", "switch",
                                                         "catch", "return", "else",  "elseif"};
  const std::vector<std::string> tokens = tokens_of(line);
  for (size_t i = 0; i + 1 < tokens.size(); ++i)
    if (kKeywords.contains(tokens[i])) return tokens[i + 1];
  if (tokens.empty() || (tokens.back() != "{" && tokens.back() != ":")) return {};
  for (size_t i = 1; i < tokens.size(); ++i)
    if (tokens[i] == "(") return kStatements.contains(tokens[i - 1]) ? std::string() : tokens[i - 1];
  return {};
}

// A slip of the pen inside a long name: letters swapped, or one too many or too few before its end.
bool is_slip(const std::string& a, const std::string& b) {
  if (a.size() < 5 || b.size() < 5 || a.back() != b.back()) return false;
  size_t head = 0, tail = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  while (tail + head < a.size() && tail + head < b.size() &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  const size_t left = a.size() - head - tail, right = b.size() - head - tail;
  if (left + right == 1) return true;
  return left == 2 && right == 2 && a[head] == b[head + 1] && a[head + 1] == b[head];
}

// A context line that declares another name is not a line that moved on: it is a sibling.
bool declares_another(std::string_view ours, std::string_view theirs) {
  const std::string a = declared_name(ours), b = declared_name(theirs);
  return a != b && !is_slip(a, b);
}

std::vector<Place> fuzzy_places(const MappedText& file, const Hunk& hunk) {
  std::vector<const HunkLine*> old;
  for (const HunkLine& line : hunk.lines)
    if (line.kind != HunkLine::Kind::added) old.push_back(&line);
  const size_t count = old.size();
  if (count < 3 || count > file.lines().size()) return {};
  const std::vector<size_t>& keys = file.keys(whitespace_key);
  // Lines of the file by key, so that rare old lines name the candidates.
  std::map<size_t, std::vector<size_t>> lines_with;
  std::vector<std::optional<size_t>> wanted;
  for (const HunkLine* line : old) {
    wanted.push_back(file.key_number(whitespace_key, line->text));
    if (wanted.back()) lines_with[*wanted.back()];
  }
  for (size_t i = 0; i < keys.size(); ++i)
    if (const auto it = lines_with.find(keys[i]); it != lines_with.end()) it->second.push_back(i);
  constexpr size_t kRare = 8;
  std::set<size_t> starts;
  for (size_t i = 0; i < count; ++i) {
    if (!wanted[i] || is_blank(old[i]->text)) continue;
    const std::vector<size_t>& hits = lines_with[*wanted[i]];
    if (hits.size() > kRare) continue;
    for (const size_t hit : hits)
      if (hit >= i && hit - i + count <= keys.size()) starts.insert(hit - i);
    if (starts.size() > 64) break;
  }
  std::optional<Place> best;
  double best_share = 0, second_share = 0;
  for (const size_t start : starts) {
    size_t equal = 0, differing = 0, solid = 0;
    bool allowed = true;
    for (size_t i = 0; i < count; ++i) {
      const bool same = wanted[i] && keys[start + i] == *wanted[i];
      if (!is_blank(old[i]->text)) ++solid;
      if (same) {
        equal += !is_blank(old[i]->text);
        continue;
      }
      ++differing;
      if (old[i]->kind == HunkLine::Kind::removed || is_blank(old[i]->text) ||
          is_blank(file.line(start + i)) ||
          token_distance(old[i]->text, file.line(start + i)) > 2 ||
          declares_another(file.line(start + i), old[i]->text))
        allowed = false;
    }
    if (differing > 2 || solid == 0) allowed = false;
    const double share = solid == 0 ? 0 : static_cast<double>(equal) / static_cast<double>(solid);
    if (allowed && share > best_share) {
      second_share = std::max(second_share, best_share);
      best_share = share;
      best = place_at(file, start, count, MatchQuality::fuzzy);
      best->similarity = share;
    } else {
      second_share = std::max(second_share, share);
    }
  }
  if (!best || best_share < 0.5 || second_share > 0.7 || second_share >= best_share) return {};
  // A pure insertion hangs on the lines next to it: those must be the very ones.
  bool removes = false;
  for (const HunkLine* line : old) removes |= line->kind == HunkLine::Kind::removed;
  if (!removes) {
    size_t i = 0;
    for (size_t k = 0; k < hunk.lines.size(); ++k) {
      if (hunk.lines[k].kind != HunkLine::Kind::added) {
        ++i;
        continue;
      }
      const auto same = [&](size_t o) { return wanted[o] && keys[best->first + o] == *wanted[o]; };
      if ((i > 0 && !same(i - 1)) || (i < count && !same(i))) return {};
    }
  }
  return {*best};
}

// ---- the ladder ----

struct Rung {
  MatchQuality quality;
  std::vector<Place> (*find)(const MappedText&, const Hunk&, const std::vector<std::string>& old);
};

// The exact rung looks for the longest old line at memory speed and compares round each hit.
std::vector<Place> exact_places(const MappedText& file, const Hunk&,
                                const std::vector<std::string>& old) {
  constexpr size_t kMostHits = 64;
  const size_t anchor =
      std::max_element(old.begin(), old.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); }) -
      old.begin();
  if (old[anchor].size() < 4) return places_by_key(file, old, exact_key, MatchQuality::exact);
  const auto& lines = file.lines();
  const std::string& bytes = file.bytes();
  std::vector<Place> places;
  size_t hits = 0;
  for (size_t at = bytes.find(old[anchor]); at != std::string::npos;
       at = bytes.find(old[anchor], at + 1)) {
    if (++hits > kMostHits) return places_by_key(file, old, exact_key, MatchQuality::exact);
    const auto next = std::upper_bound(
        lines.begin(), lines.end(), at,
        [](size_t offset, const MappedText::Line& line) { return offset < line.begin; });
    if (next == lines.begin()) continue;
    const size_t line = static_cast<size_t>(next - lines.begin()) - 1;
    if (lines[line].begin != at || line < anchor || line - anchor + old.size() > lines.size())
      continue;
    bool same = true;
    for (size_t i = 0; i < old.size() && same; ++i) same = file.line(line - anchor + i) == old[i];
    if (same) places.push_back(place_at(file, line - anchor, old.size(), MatchQuality::exact));
  }
  return places;
}

template <MappedText::Key key, MatchQuality quality>
std::vector<Place> by_key(const MappedText& file, const Hunk&,
                          const std::vector<std::string>& old) {
  return places_by_key(file, old, key, quality);
}

using enum MatchQuality;
constexpr Rung kLadder[] = {
    {exact, exact_places},
    {substring,
     [](const MappedText& file, const Hunk& hunk, const std::vector<std::string>& old) {
       return hunk.within_lines ? substring_places(file, old) : std::vector<Place>{};
     }},
    {trailing_space, by_key<trailing_key, trailing_space>},
    {punctuation, by_key<punctuation_key, punctuation>},
    {indentation,
     [](const MappedText& file, const Hunk&, const std::vector<std::string>& old) {
       return indentation_places(file, old);
     }},
    {MatchQuality::trimmed, by_key<trimmed_key, MatchQuality::trimmed>},
    {whitespace, by_key<whitespace_key, whitespace>},
    {cosmetic, [](const MappedText& file, const Hunk& hunk,
                  const std::vector<std::string>&) { return cosmetic_places(file, hunk); }},
    {elision, [](const MappedText& file, const Hunk& hunk,
                 const std::vector<std::string>&) { return elision_places(file, hunk); }},
    {gaps, [](const MappedText& file, const Hunk& hunk,
              const std::vector<std::string>&) { return gap_places(file, hunk); }},
    {fuzzy, [](const MappedText& file, const Hunk& hunk,
               const std::vector<std::string>&) { return fuzzy_places(file, hunk); }},
};

}  // namespace

std::vector<Place> find_places(const MappedText& file, const Hunk& hunk) {
  const std::vector<std::string> old = old_side(hunk);
  if (old.empty()) return {};
  // Blank lines alone name a place only as they are.
  const bool only_blank = says_nothing(old);
  for (const Rung& rung : kLadder) {
    if (only_blank && rung.quality > MatchQuality::trailing_space) break;
    std::vector<Place> places = rung.find(file, hunk, old);
    if (!places.empty()) return places;
  }
  return {};
}

std::vector<Place> find_new_side(const MappedText& file, const Hunk& hunk) {
  const std::vector<std::string> lines = new_side(hunk);
  if (lines.empty() || says_nothing(lines)) return {};
  std::vector<Place> places =
      places_by_key(file, lines, trailing_key, MatchQuality::trailing_space);
  if (places.empty() && hunk.within_lines) places = substring_places(file, lines);
  return places;
}

std::optional<NearMiss> nearest_lines(const MappedText& file, const Hunk& hunk) {
  const std::vector<std::string> old = old_side(hunk);
  const std::vector<size_t>& keys = file.keys(whitespace_key);
  if (old.empty() || keys.empty()) return std::nullopt;
  std::vector<std::optional<size_t>> wanted;
  std::map<size_t, std::vector<size_t>> lines_with;
  for (const std::string& line : old) {
    wanted.push_back(is_blank(line) ? std::nullopt : file.key_number(whitespace_key, line));
    if (wanted.back()) lines_with[*wanted.back()];
  }
  for (size_t i = 0; i < keys.size(); ++i)
    if (const auto it = lines_with.find(keys[i]); it != lines_with.end() && it->second.size() < 16)
      it->second.push_back(i);
  std::map<long, size_t> votes;  // where the old side's first line would be
  for (size_t i = 0; i < old.size(); ++i)
    if (wanted[i])
      for (const size_t hit : lines_with[*wanted[i]])
        ++votes[static_cast<long>(hit) - static_cast<long>(i)];
  if (votes.empty()) {
    // No line is the same: the one most like the first old line that says something.
    size_t best_line = 0, best = 4;
    size_t old_line = 0;
    while (old_line < old.size() && is_blank(old[old_line])) ++old_line;
    if (old_line == old.size()) return std::nullopt;
    for (size_t i = 0; i < std::min<size_t>(keys.size(), 5000); ++i) {
      if (is_blank(file.line(i)) || file.line(i).size() > 400) continue;
      const size_t distance = token_distance(old[old_line], file.line(i));
      if (distance < best) best = distance, best_line = i;
    }
    if (best == 4) return std::nullopt;
    return NearMiss{
        {best_line, std::min(keys.size(), best_line + old.size())}, 0, old_line, best_line};
  }
  const auto best = std::max_element(
      votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const size_t first = best->first < 0 ? 0 : static_cast<size_t>(best->first);
  NearMiss miss;
  miss.lines = {first, std::min(keys.size(), first + old.size())};
  miss.similarity = static_cast<double>(best->second) / static_cast<double>(old.size());
  for (size_t i = 0; i < old.size(); ++i) {
    const long at = best->first + static_cast<long>(i);
    if (at < 0) continue;
    if (at >= static_cast<long>(keys.size()) ||
        trailing_key(old[i]) != trailing_key(file.line(static_cast<size_t>(at)))) {
      miss.old_line = i;
      miss.file_line = static_cast<size_t>(at);
      break;
    }
  }
  return miss;
}

}  // namespace bodkin
