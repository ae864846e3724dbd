// The rung "cosmetic": the edit text read in another way, believed only if that makes an exact
// match.
//
// A text that was escaped once too often is so as a whole: what the old half shows, the new half
// has, too. But an old half with quotes alone does not show whether line breaks and backslashes
// were escaped. Then the new half decides: "\n" outside of strings was a line break, and within
// them it is the code's own; a text that has real line breaks did not escape them. Where it says
// both, there is no telling, and nothing is written.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "edits/formats/reply_lines.h"
#include "edits/place/rungs.h"

namespace bodkin {
namespace {

// The same two sides, with the kinds of their lines as their texts say now.
Hunk rediffed(const Hunk& hunk) {
  std::vector<std::string> before, after;
  for (const HunkLine& line : hunk.lines) {
    if (line.kind != HunkLine::Kind::added) before.push_back(line.text);
    if (line.kind != HunkLine::Kind::removed) after.push_back(line.text);
  }
  Hunk out = hunk;
  out.lines = lines_of_halves(before, after);
  return out;
}

template <class Change>
std::optional<Hunk> with_rewritten_lines(const Hunk& hunk, Change change) {
  std::vector<HunkLine> lines;
  bool changed = false;
  for (const HunkLine& line : hunk.lines) {
    std::optional<std::string> text = change(line.text);
    if (!text) return std::nullopt;
    changed |= *text != line.text;
    lines.push_back({line.kind, *std::move(text)});
  }
  if (!changed) return std::nullopt;
  Hunk out = hunk;
  out.lines = std::move(lines);
  return rediffed(out);
}

// What tools write between a line's number and its text.
constexpr std::string_view kGutters[] = {" | ", "| ", " |",  "|",  ": ", ":",
                                         "\t",  "→",  " │ ", "│ ", "│"};

// Without the number and the gutter that every line has which is not blank.
std::optional<std::string> without_number(const std::string& line, std::string_view gutter) {
  if (is_blank(line)) return std::string();
  size_t i = line.find_first_not_of(' ');
  const size_t digits = i;
  while (i < line.size() && line[i] >= '0' && line[i] <= '9') ++i;
  if (i == digits) return std::nullopt;
  const std::string_view rest = std::string_view(line).substr(i);
  if (rest.starts_with(gutter)) return std::string(rest.substr(gutter.size()));
  return trimmed(rest) == trimmed(gutter) ? std::optional<std::string>("") : std::nullopt;
}

// The old half alone is numbered: the new one was written by hand.
std::optional<Hunk> with_plain_old_half(const Hunk& hunk, std::string_view gutter) {
  std::vector<std::string> before, after;
  for (const HunkLine& line : hunk.lines) {
    const bool blank = is_blank(line.text);
    if (line.kind == HunkLine::Kind::context && !blank) return std::nullopt;
    if (line.kind != HunkLine::Kind::removed) after.push_back(line.text);
    if (line.kind == HunkLine::Kind::added) continue;
    std::optional<std::string> plain = without_number(line.text, gutter);
    if (!plain) return std::nullopt;
    before.push_back(*std::move(plain));
  }
  Hunk out = hunk;
  out.lines = lines_of_halves(before, after);
  return out;
}

// What is replaced begins with the same sign throughout.
std::string replaced_all(const std::string& text,
                         std::initializer_list<std::pair<std::string_view, std::string_view>> of) {
  const char sign = of.begin()->first[0];
  if (text.find(sign) == std::string::npos) return text;
  std::string out;
  for (size_t i = 0; i < text.size();) {
    bool hit = false;
    if (text[i] != sign) {
      out += text[i++];
      continue;
    }
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

// A text that is in a string of JSON: \n, \t, \", \\ and \u003c. Half an escape stays.
std::string json_unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
    unsigned code = 0;
    if (next == 'u' && i + 6 <= text.size() &&
        std::from_chars(text.data() + i + 2, text.data() + i + 6, code, 16).ptr ==
            text.data() + i + 6 &&
        code > 0 && code < 0x80) {
      out += static_cast<char>(code);
      i += 5;
    } else if (next == 'r' && text.substr(i + 2).starts_with("\\n")) {
      out += '\n';
      i += 3;
    } else if (next == 'n' || next == 't') {
      out += next == 'n' ? '\n' : '\t';
      ++i;
    } else if (next != '\0' && std::string_view("\"'\\/").find(next) != std::string_view::npos) {
      out += next;
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

// The whole text as a string of JSON.
std::optional<Hunk> without_json_escapes(const Hunk& hunk) {
  Hunk out = hunk;
  out.lines.clear();
  bool changed = false;
  for (const HunkLine& line : hunk.lines) {
    const std::string text = json_unescaped(line.text);
    changed |= text != line.text;
    for (size_t at = 0;;) {
      const size_t end = text.find('\n', at);
      out.lines.push_back({line.kind, text.substr(at, end - at)});
      if (end == std::string::npos) break;
      at = end + 1;
    }
  }
  if (!changed) return std::nullopt;
  return rediffed(out);
}

std::string without_quote_escapes(const std::string& line) {
  return replaced_all(line, {{"\\\"", "\""}, {"\\'", "'"}});
}

// What the backslashes of the added lines, and the line breaks of both halves, say of how the text
// was escaped.
struct Backslashes {
  size_t within = 0, outside = 0;  // \n and \t within string literals, and outside of them
  size_t doubled = 0;
  bool has_lines = false;

  explicit Backslashes(const Hunk& hunk) {
    size_t before = 0, after = 0;
    for (const HunkLine& line : hunk.lines) {
      before += line.kind != HunkLine::Kind::added && !line.text.empty();
      after += line.kind != HunkLine::Kind::removed && !line.text.empty();
      if (line.kind == HunkLine::Kind::added) count(line.text);
    }
    has_lines = before > 1 || after > 1;
  }

  void count(std::string_view text) {
    char quote = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
      const char sign = text[i];
      if (next == 'n' || next == 't') {
        ++(quote ? within : outside);
        ++i;
        continue;
      }
      if (next == '\\') {
        ++doubled;
        i += 1 + (i + 2 < text.size());  // and what it escapes
        continue;
      }
      if (sign != '"' && sign != '\'') continue;
      if (!quote)
        quote = sign;
      else if (quote == sign)
        quote = 0;
    }
  }

  enum class Meant { quotes, all, open };
  Meant meant() const {
    if (within + outside == 0) return Meant::all;  // be there doubled ones or none
    if (doubled == 0 && (has_lines || outside == 0)) return Meant::quotes;
    if (!has_lines && within == 0) return Meant::all;
    return Meant::open;
  }
};

// Of a text like "5 &lt; 6 &#38;&#38; x".
std::string without_entities(const std::string& text) {
  if (text.find('&') == std::string::npos) return text;
  static constexpr std::pair<std::string_view, char> kNamed[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const std::string_view rest = std::string_view(text).substr(i);
    const auto named = std::find_if(std::begin(kNamed), std::end(kNamed), [&](const auto& entity) {
      return rest.starts_with(entity.first);
    });
    if (named != std::end(kNamed)) {
      out += named->second;
      i += named->first.size();
      continue;
    }
    unsigned code = 0;
    const bool is_hex = rest.starts_with("&#x") || rest.starts_with("&#X");
    const size_t begin = is_hex ? 3 : 2, end = std::min(rest.find(';'), rest.size());
    if (rest.starts_with("&#") && end < 8 && end > begin &&
        std::from_chars(rest.data() + begin, rest.data() + end, code, is_hex ? 16 : 10).ptr ==
            rest.data() + end &&
        code >= ' ' && code < 0x7F) {
      out += static_cast<char>(code);
      i += end + 1;
    } else {
      out += text[i++];
    }
  }
  return out;
}

// Of a text that was made safe for Markdown: "\_\_init\_\_", "a \* b".
std::string without_markdown_escapes(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escapes =
        text[i] == '\\' && i + 1 < text.size() &&
        std::string_view("\\`*_{}[]<>()#+-.!|~$&").find(text[i + 1]) != std::string::npos;
    if (escapes) ++i;
    out += text[i];
  }
  return out;
}

std::optional<Hunk> without_outer_blanks(const Hunk& hunk) {
  if (!is_blank(hunk.lines.front().text) && !is_blank(hunk.lines.back().text)) return std::nullopt;
  Hunk out = hunk;
  // A blank line of the old side at the edge is noise; so is its partner on the new side.
  const auto strip = [](auto it, const auto& end) {
    while (it != end && is_blank(it->text)) ++it;
    return it;
  };
  auto first = strip(out.lines.begin(), out.lines.end());
  out.lines.erase(out.lines.begin(), first);
  auto last = strip(out.lines.rbegin(), out.lines.rend()).base();
  out.lines.erase(last, out.lines.end());
  const bool changes = std::any_of(out.lines.begin(), out.lines.end(), [](const HunkLine& line) {
    return line.kind != HunkLine::Kind::context;
  });
  if (!changes || all_blank(old_side(out))) return std::nullopt;
  return out;
}

std::vector<Hunk> cosmetic_readings(const Hunk& hunk) {
  std::vector<Hunk> readings;
  const auto add = [&](std::optional<Hunk> reading) {
    if (reading) readings.push_back(std::move(*reading));
  };
  add(without_outer_blanks(hunk));
  for (const std::string_view gutter : kGutters) {
    add(with_rewritten_lines(
        hunk, [&](const std::string& line) { return without_number(line, gutter); }));
    add(with_plain_old_half(hunk, gutter));
  }
  const auto add_lines = [&](auto unescape) {
    add(with_rewritten_lines(
        hunk, [&](const std::string& line) { return std::optional(unescape(line)); }));
  };
  const auto has = [&](char sign) {
    return std::ranges::any_of(hunk.lines, [&](const HunkLine& line) {
      return line.text.find(sign) != std::string::npos;
    });
  };
  if (has('&')) add_lines(without_entities);
  if (!has('\\')) return readings;
  add_lines(without_quote_escapes);
  add(without_json_escapes(hunk));
  add_lines(without_markdown_escapes);
  return readings;
}

}  // namespace

std::vector<Place> find_cosmetic(const Search& search) {
  std::vector<Place> found;
  const auto backslashes = [](const Hunk& hunk) {
    size_t count = 0;
    for (const HunkLine& line : hunk.lines)
      count += static_cast<size_t>(std::ranges::count(line.text, '\\'));
    return count;
  };
  const size_t written = backslashes(search.hunk);
  const auto is_of_backslashes = [&](const Place& place) {
    return backslashes(*place.hunk) < written;
  };
  for (Hunk& reading : cosmetic_readings(search.hunk)) {
    const auto hunk = std::make_shared<Hunk>(std::move(reading));
    const Search exact{search.file, *hunk, old_side(*hunk)};
    std::vector<Place> places =
        hunk->within_lines ? find_in_bytes(exact) : find_by_key(exact, exact_key);
    for (Place& place : places)
      if (!place.hunk) place.hunk = hunk;
    if (places.empty()) continue;
    if (found.empty()) {
      found = std::move(places);
      continue;
    }
    // Two readings have the same old half; of backslashes, the one that undoes more comes later.
    const bool both = is_of_backslashes(found[0]) && is_of_backslashes(places[0]);
    if (!both || new_side(*found[0].hunk) == new_side(*hunk)) continue;
    switch (Backslashes(search.hunk).meant()) {
      case Backslashes::Meant::quotes:
        break;
      case Backslashes::Meant::all:
        found = std::move(places);
        break;
      case Backslashes::Meant::open:
        found[0].doubt = {
            "it is escaped once too often, and it is unclear how much of its new text is escaped",
            "send both exactly as in the file"};
    }
    return found;
  }
  return found;
}

}  // namespace bodkin
