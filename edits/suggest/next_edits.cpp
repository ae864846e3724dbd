#include "edits/suggest/next_edits.h"

#include <algorithm>
#include <optional>
#include <string>

#include "edits/align/lines.h"
#include "edits/place/write.h"
#include "edits/text/comments.h"
#include "edits/text/find_bytes.h"
#include "edits/text/line_keys.h"
#include "edits/text/mapped_text.h"

namespace bodkin {
namespace {

using Lines = std::vector<std::string>;

constexpr size_t kFewestCharacters = 8;  // of lines that say enough to be meant elsewhere, too
constexpr size_t kMostPlaces = 30;       // what stands more often is a habit of the file

bool says_enough(const Lines& lines) {
  size_t characters = 0;
  bool is_any_solid = false;
  for (const std::string& line : lines) {
    characters += trimmed(line).size();
    is_any_solid |= is_solid(line);
  }
  return is_any_solid && characters >= kFewestCharacters;
}

// The indentation that all lines with text share.
std::string_view shared_indentation(const Lines& lines) {
  std::optional<std::string_view> shared;
  for (const std::string& line : lines) {
    if (is_blank(line)) continue;
    const std::string_view own = indentation_of(line);
    if (!shared) shared = own;
    const auto end = std::ranges::mismatch(*shared, own).in1;
    shared = shared->substr(0, static_cast<size_t>(end - shared->begin()));
  }
  return shared.value_or(std::string_view());
}

// The lines with another shared indentation. Nothing: some stand less deep.
std::optional<Lines> moved(const Lines& lines, std::string_view from, std::string_view to) {
  Lines out;
  for (const std::string& line : lines) {
    if (is_blank(line)) {
      out.push_back(line);
      continue;
    }
    if (!line.starts_with(from)) return std::nullopt;
    out.push_back(std::string(to) + line.substr(from.size()));
  }
  return out;
}

class Search {
 public:
  Search(const Text& file, const EditedLines& edit) : file_(file), edit_(edit) {}

  NextEdits same_lines() {
    NextEdits out;
    const Lines& old = edit_.before;
    const std::string_view depth = shared_indentation(old);
    const auto head = std::ranges::find_if(old, is_solid);
    if (!says_enough(old) || head == old.end()) return out;
    const size_t ahead = static_cast<size_t>(head - old.begin());
    std::vector<size_t> hits;
    if (!file_.lines_with(trimmed(*head), kMostPlaces, hits)) return out;
    for (const size_t hit : hits) {
      if (hit < ahead || hit - ahead + old.size() > file_.line_count()) continue;
      const size_t first = hit - ahead;
      const LineRange place{first, first + old.size()};
      if (is_edited(place) || (!out.edits.empty() && first < out.edits.back().lines.end)) continue;
      Lines there;
      for (size_t line = place.begin; line < place.end; ++line)
        there.emplace_back(file_.line(line));
      const std::string_view own = shared_indentation(there);
      if (moved(there, own, depth) != old) continue;
      if (auto lines = moved(edit_.after, depth, own)) add(out, place, *lines);
    }
    return below_first(std::move(out));
  }

  NextEdits new_name() {
    NextEdits out;
    const auto words = renamed();
    if (!words) return out;
    const auto& [from, to] = *words;
    if (stands_elsewhere(to)) return out;
    for (size_t at = find_bytes(file_.bytes(), from); at != std::string_view::npos;) {
      const size_t line = file_.line_at(at);
      if (!is_edited({line, line + 1}) && !is_comment(file_.line(line)))
        if (std::string text = with_word(file_.line(line), from, to); text != file_.line(line))
          add(out, {line, line + 1}, {std::move(text)});
      if (out.edits.size() > kMostPlaces) return {};
      at = find_bytes(file_.bytes(), from, file_.next_of(line));
    }
    out.from = from, out.to = to;
    return below_first(std::move(out));
  }

 private:
  void add(NextEdits& out, const LineRange& place, const Lines& lines) const {
    out.edits.push_back({place, whole_lines(file_, place.begin, place.end, lines, std::nullopt)});
  }

  bool is_edited(const LineRange& lines) const {
    return lines.begin < edit_.first + edit_.after.size() && edit_.first < lines.end;
  }

  NextEdits below_first(NextEdits out) const {
    std::ranges::stable_partition(
        out.edits, [&](const NextEdit& next) { return next.lines.begin >= edit_.first; });
    return out;
  }

  // The word that became another one, and that one, if the edit is nothing else.
  std::optional<std::pair<std::string, std::string>> renamed() const {
    if (edit_.before.empty() || edit_.before.size() != edit_.after.size()) return std::nullopt;
    std::optional<std::pair<std::string, std::string>> found;
    for (size_t i = 0; i < edit_.before.size(); ++i) {
      const std::vector<LineToken> ours = line_tokens(edit_.before[i]),
                                   theirs = line_tokens(edit_.after[i]);
      if (ours.size() != theirs.size()) return std::nullopt;
      for (size_t k = 0; k < ours.size(); ++k) {
        if (ours[k] == theirs[k]) continue;
        std::pair pair(std::string(ours[k].text), std::string(theirs[k].text));
        if (ours[k].kind != LineToken::Kind::word || theirs[k].kind != LineToken::Kind::word ||
            pair.first.size() < 3 || (found && *found != pair))
          return std::nullopt;
        found = std::move(pair);
      }
    }
    return found;
  }

  bool stands_elsewhere(std::string_view word) const {
    const std::string_view bytes = file_.bytes();
    for (size_t at = find_bytes(bytes, word); at != bytes.npos;
         at = find_bytes(bytes, word, at + 1)) {
      const size_t line = file_.line_at(at), end = at + word.size();
      if ((at == 0 || !is_word_char(bytes[at - 1])) &&
          (end == bytes.size() || !is_word_char(bytes[end])) && !is_edited({line, line + 1}))
        return true;
    }
    return false;
  }

  // The line with each such token replaced; what is in a string stays.
  static std::string with_word(std::string_view line, std::string_view from, std::string_view to) {
    std::string out;
    const char* rest = line.data();
    for (const LineToken& token : line_tokens(line)) {
      if (token.kind != LineToken::Kind::word || token.text != from) continue;
      out.append(rest, token.text.data()).append(to);
      rest = token.text.data() + token.text.size();
    }
    return out.append(rest, line.data() + line.size());
  }

  const MappedText file_;
  const EditedLines& edit_;
};

}  // namespace

NextEdits next_edits(const Text& file, const EditedLines& edit,
                     const std::vector<EditedLines>& earlier) {
  if (edit.before.empty()) return {};
  const std::string_view depth = shared_indentation(edit.before);
  const auto contradicts = [&](const EditedLines& other) {
    const std::string_view own = shared_indentation(other.before);
    return moved(other.before, own, depth) == edit.before &&
           moved(other.after, own, depth) != edit.after;
  };
  if (std::ranges::any_of(earlier, contradicts)) return {};
  Search search(file, edit);
  NextEdits same = search.same_lines();
  return same.edits.empty() ? search.new_name() : same;
}

}  // namespace bodkin
