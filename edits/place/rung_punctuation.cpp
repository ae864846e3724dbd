// The rung "punctuation": typographic punctuation is plain, and the reverse.
//
// A text processor makes all of a reply typographic. Where the quote has typographic characters for
// which its place in the file has plain ones, the old half shows the substitution, and it is undone
// in the new half, too. A character of another kind there, which the file has nowhere, may be
// substituted or meant, so nothing is written. Where the file is typographic and the quote is
// plain, the new half is written as it is. A word that the file has with its sign stays, and
// letters that the quote splits into letter and accent (NFD) are whole ones in the new half, too.
#include <algorithm>
#include <cctype>
#include <memory>
#include <ranges>
#include <set>
#include <string>

#include "edits/place/rungs.h"

namespace bodkin {
namespace {

template <class Visit>
void for_each_character(std::string_view text, Visit visit) {
  for (size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
    } else if (const auto sign = typographic_at(text.substr(i))) {
      visit(*sign, i);
      i += sign->written.size();
    } else {
      ++i;
    }
  }
}

size_t count(std::string_view text, std::string_view written) {
  size_t found = 0;
  for_each_character(text,
                     [&](const Typographic& sign, size_t) { found += sign.written == written; });
  return found;
}

// The plain texts for which the quote has typographic signs here, and the file has not.
std::set<std::string_view> substitutions_of(const Search& search, const Place& place) {
  std::set<std::string_view> substituted;
  for (size_t i = 0; i < search.old.size(); ++i) {
    const std::string_view quote = search.old[i], line = search.file.line(place.line_for(i));
    for_each_character(quote, [&](const Typographic& sign, size_t) {
      if (count(quote, sign.written) > count(line, sign.written)) substituted.insert(sign.plain);
    });
  }
  return substituted;
}

// True if the sign at `at` is part of a word that the file spells like this at the place: "it’s"
bool is_files_word(const Search& search, const Place& place, std::string_view line, size_t at,
                   size_t size) {
  const auto is_letter = [&](size_t i) {
    return static_cast<unsigned char>(line[i]) >= 0x80 ||
           std::isalnum(static_cast<unsigned char>(line[i])) != 0;
  };
  size_t begin = at, end = at + size;
  while (begin > 0 && is_letter(begin - 1)) --begin;
  while (end < line.size() && is_letter(end)) ++end;
  if (begin == at || end == at + size) return false;  // it is at an end, as a quote does
  const std::string_view word = line.substr(begin, end - begin);
  return std::ranges::any_of(std::views::iota(size_t{0}, search.old.size()), [&](size_t i) {
    return search.file.line(place.line_for(i)).find(word) != std::string_view::npos;
  });
}

// True if the quote has combining accents where the file has precomposed letters.
bool is_decomposed(const Search& search, const Place& place) {
  for (size_t i = 0; i < search.old.size(); ++i) {
    const std::string_view quote = search.old[i], line = search.file.line(place.line_for(i));
    if (!is_ascii(quote) && composed(quote) != quote && composed(line) == line) return true;
  }
  return false;
}

void undo_substitutions(const Search& search, Place& place) {
  const auto is_typographic = [](const HunkLine& line) {
    return line.kind == HunkLine::Kind::added && !is_ascii(line.text);
  };
  if (std::none_of(search.hunk.lines.begin(), search.hunk.lines.end(), is_typographic)) return;
  const std::set<std::string_view> substituted = substitutions_of(search, place);
  const bool decomposed = is_decomposed(search, place);
  if (substituted.empty() && !decomposed) return;
  auto restored = std::make_shared<Hunk>(search.hunk);
  for (HunkLine& line : restored->lines) {
    if (!is_typographic(line)) continue;
    std::string plain;
    size_t at = 0;
    for_each_character(line.text, [&](const Typographic& sign, size_t i) {
      if (is_files_word(search, place, line.text, i, sign.written.size())) return;
      if (substituted.contains(sign.plain)) {
        plain.append(line.text, at, i - at).append(sign.plain);
        at = i + sign.written.size();
      } else if (!substituted.empty() &&
                 search.file.bytes().find(sign.written) == std::string_view::npos) {
        place.doubt = {
            "its old text uses different punctuation from the file, and it is unclear whether that "
            "of its new text is intended",
            "use plain quotes, dashes and spaces"};
      }
    });
    plain.append(line.text, at);
    line.text = decomposed ? composed(plain) : std::move(plain);
  }
  place.hunk = std::move(restored);
}

}  // namespace

std::vector<Place> find_punctuated(const Search& search) {
  std::vector<Place> places = find_by_key(search, punctuation_key);
  for (Place& place : places) undo_substitutions(search, place);
  return places;
}

}  // namespace bodkin
