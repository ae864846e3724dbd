// The rung "cosmetic": the edit text read in another way, believed only if that makes an exact
// match.
#include <algorithm>
#include <optional>
#include <string>

#include "edits/reply.h"
#include "edits/rungs.h"

namespace bodkin {
namespace {

// The same two sides, with the kinds of their lines as their texts say now.
Hunk compared_anew(const Hunk& hunk) {
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
  return compared_anew(out);
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

// The old half alone is numbered: the new one was written by hand.
std::optional<Hunk> with_plain_old_half(const Hunk& hunk) {
  std::vector<std::string> before, after;
  for (const HunkLine& line : hunk.lines) {
    const bool blank = is_blank(line.text);
    if (line.kind == HunkLine::Kind::context && !blank) return std::nullopt;
    if (line.kind != HunkLine::Kind::removed) after.push_back(line.text);
    if (line.kind == HunkLine::Kind::added) continue;
    std::optional<std::string> plain = without_number(line.text);
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
  return compared_anew(out);
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
  const bool changes = std::any_of(out.lines.begin(), out.lines.end(), [](const HunkLine& line) {
    return line.kind != HunkLine::Kind::context;
  });
  if (!changes || out.lines.size() == hunk.lines.size() || says_nothing(old_side(out)))
    return std::nullopt;
  return out;
}

std::vector<Hunk> cosmetic_readings(const Hunk& hunk) {
  std::vector<Hunk> readings;
  const auto add = [&](std::optional<Hunk> reading) {
    if (reading) readings.push_back(std::move(*reading));
  };
  add(without_outer_blanks(hunk));
  add(rewritten(hunk, without_number));
  add(with_plain_old_half(hunk));
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

}  // namespace

std::vector<Place> find_cosmetic(const Search& search) {
  for (Hunk& reading : cosmetic_readings(search.hunk)) {
    const auto hunk = std::make_shared<Hunk>(std::move(reading));
    const Search exact{search.file, *hunk, old_side(*hunk)};
    std::vector<Place> places = find_by_key(exact, exact_key);
    if (places.empty()) places = find_substring(exact);
    for (Place& place : places) place.hunk = hunk;
    if (!places.empty()) return places;
  }
  return {};
}

}  // namespace bodkin
