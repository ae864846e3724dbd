#include "edits/lazy/lazy_forgotten.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <unordered_map>

#include "edits/place/leaves_out.h"
#include "edits/place/tokens.h"
#include "edits/place/write.h"
#include "edits/plan/elision.h"

namespace bodkin {

namespace {

constexpr size_t kReach = 200;     // lines that are searched on each side
constexpr size_t kMaxPlaces = 64;  // what the sketch has more often tells nothing
constexpr size_t kName = 3;        // letters of a name that is looked for

bool brings_lines(const Replacement& edit) {
  return edit.text.find_first_not_of(" \t\r\n") != edit.text.npos;
}

// Are these many lines that are no entry?
bool are_many(const std::vector<std::string>& goes) {
  constexpr size_t kMany = 4, kOfEntry = 2;  // lines, and of those the outermost in one entry
  size_t solid = 0, outermost = std::string::npos, at_level = 0;
  for (const std::string& line : goes) {
    if (!has_word(line) || is_comment_or_prose(trimmed(line))) continue;
    ++solid;
    const size_t depth = indentation_of(line).size();
    if (depth < outermost) at_level = 0;
    outermost = std::min(outermost, depth);
    at_level += depth == outermost;
  }
  return solid >= kMany && at_level > kOfEntry;
}

std::set<std::string_view> names_in(std::string_view line) {
  std::set<std::string_view> names;
  for (const std::string_view word : tokens_of(line))
    if (word.size() >= kName && has_word(word) &&
        std::isdigit(static_cast<unsigned char>(word.front())) == 0)
      names.insert(word);
  return names;
}

// The lines of the file as they are afterwards, blank ones aside.
struct Later {
  std::vector<std::string> lines;
  std::vector<char> added;
  struct Drop {
    size_t at = 0;  // in `lines`: before this one
    std::vector<std::string> goes;
  };
  std::vector<Drop> drops;
  std::vector<std::string> replaced;  // lines in whose place others come

  Later(const MappedText& file, const std::vector<Replacement>& edits) {
    size_t next = 0;
    const auto bring = [&](const Replacement& edit) {
      std::vector<std::string> goes = lines_of(file.bytes().substr(edit.offset, edit.length));
      std::erase_if(goes, [](const std::string& line) { return is_blank(line); });
      if (!brings_lines(edit)) {
        if (!goes.empty()) drops.push_back({lines.size(), std::move(goes)});
        return;
      }
      for (std::string& line : lines_of(edit.text)) {
        if (is_blank(line)) continue;
        const bool stays = std::ranges::find(goes, line) != goes.end();
        lines.push_back(std::move(line));
        added.push_back(!stays);
      }
      replaced.insert(replaced.end(), goes.begin(), goes.end());
    };
    for (size_t i = 0; i < file.line_count(); ++i) {
      const size_t begin = file.begin_of(i);
      for (; next < edits.size() && edits[next].offset <= begin; ++next) bring(edits[next]);
      const bool goes = next > 0 && begin < edits[next - 1].offset + edits[next - 1].length;
      if (goes || is_blank(file.line(i))) continue;
      lines.emplace_back(file.line(i));
      added.push_back(false);
    }
    for (; next < edits.size(); ++next) bring(edits[next]);
  }
};

// The sketch's lines that are not blank, trimmed; an elision is empty and equal to nothing.
struct Shown {
  std::vector<std::string_view> lines;
  std::unordered_map<std::string_view, std::vector<size_t>> places;

  explicit Shown(const ReplyLines& sketch) {
    const std::vector<char> elided = elisions_of(sketch.lines);
    for (size_t i = 0; i < sketch.lines.size(); ++i) {
      const std::string_view line = trimmed(sketch.lines[i]);
      if (line.empty()) continue;
      if (!elided[i]) places[line].push_back(lines.size());
      lines.push_back(elided[i] ? std::string_view() : line);
    }
  }
  bool elides() const { return std::ranges::find(lines, std::string_view()) != lines.end(); }
};

// Does the run of the sketch that shows the lines around the drop show a change, too, and lines
// that stay between the two?
bool is_beside_a_change(const Later& later, const Later::Drop& drop, const Shown& shown) {
  if (drop.at == 0 || drop.at >= later.lines.size()) return false;
  const auto text = [&](size_t i) { return trimmed(later.lines[i]); };
  const auto places = shown.places.find(text(drop.at));
  if (places == shown.places.end() || places->second.size() > kMaxPlaces) return false;
  return std::ranges::any_of(places->second, [&](size_t place) {
    if (place == 0 || shown.lines[place - 1] != text(drop.at - 1)) return false;
    for (const bool down : {false, true}) {
      size_t apart = 0, i = down ? drop.at : drop.at - 1, k = down ? place : place - 1;
      for (size_t far = 0; far < kReach && shown.lines[k] == text(i); ++far) {
        if (later.added[i]) {
          if (apart > 0) return true;
          break;
        }
        apart += has_word(later.lines[i]);
        if (down ? ++i == later.lines.size() || ++k == shown.lines.size() : i-- == 0 || k-- == 0)
          break;
      }
    }
    return false;
  });
}

// Does each line that comes only change a word or two of one that goes? The first line that goes
// without any of those.
std::optional<std::string> left_beside(const MappedText& file, const Replacement& edit) {
  constexpr size_t kSlight = 2;  // tokens
  std::vector<std::string> comes = lines_of(edit.text);
  std::vector<std::string> goes = lines_of(file.bytes().substr(edit.offset, edit.length));
  const auto says_nothing = [](const std::string& line) { return !has_word(line); };
  std::erase_if(comes, says_nothing);
  std::erase_if(goes, says_nothing);
  if (comes.empty() || goes.size() <= comes.size()) return std::nullopt;
  std::optional<std::string> left;
  size_t next = 0;
  for (const std::string& line : goes) {
    if (next < comes.size()) {
      const size_t distance = token_distance(line, comes[next]);
      if (distance <= kSlight && 2 * distance < tokens_of(line).size()) {
        ++next;
        continue;
      }
    }
    if (!left) left = std::string(trimmed(line));
  }
  return next == comes.size() ? left : std::nullopt;
}

// Has a change taken the last uses of one of the line's names away?
bool belongs_to_a_change(const Later& later, std::string_view line,
                         const std::set<std::string_view>& left) {
  const std::set<std::string_view> names = names_in(line);
  return std::ranges::any_of(later.replaced, [&](const std::string& other) {
    return std::ranges::any_of(names_in(other), [&](std::string_view name) {
      return names.contains(name) && !left.contains(name);
    });
  });
}

}  // namespace

std::optional<std::string> forgotten_line(const ReplyLines& sketch, const MappedText& file,
                                          const std::vector<Replacement>& edits) {
  const auto is_drop = [](const Replacement& edit) { return !brings_lines(edit); };
  const Shown shown(sketch);
  if (shown.elides())
    for (const Replacement& edit : edits)
      if (auto line = left_beside(file, edit)) return line;
  if (std::ranges::all_of(edits, is_drop) || std::ranges::none_of(edits, is_drop)) return {};
  const Later later(file, edits);
  std::set<std::string_view> left;
  for (const std::string& line : later.lines) left.merge(names_in(line));
  for (const Later::Drop& drop : later.drops) {
    if (are_many(drop.goes)) return std::string(trimmed(drop.goes.front()));
    if (!shown.elides() || !is_beside_a_change(later, drop, shown)) continue;
    for (const std::string& line : drop.goes)
      if (has_word(line) && !belongs_to_a_change(later, line, left))
        return std::string(trimmed(line));
  }
  return std::nullopt;
}

}  // namespace bodkin
