// The rung "exact substring": a string replacement may begin and end inside a line, but not inside
// a word or a number ("timeout = 3" is not the beginning of "timeout = 30"), unless the new text
// has the same part of that word.
#include <algorithm>
#include <cctype>
#include <cstring>

#include "edits/rungs.h"

namespace bodkin {
namespace {

constexpr size_t kMostPlaces = 10'000;  // of a hunk that is meant for one

Place part_of_lines(const MappedText& file, size_t begin, size_t end) {
  Place place;
  place.within_lines = true;
  place.offset = begin;
  place.length = end - begin;
  place.first = file.line_at(begin);
  place.last = file.line_at(end > begin ? end - 1 : begin) + 1;
  return place;
}

std::vector<Place> within_one_line(const Search& search) {
  const std::string_view bytes = search.file.bytes(), wanted = search.old[0];
  std::vector<Place> places;
  if (wanted.empty() || !search.file.spend(bytes.size() / 4)) return places;
  for (size_t at = 0; at < bytes.size();) {
    const void* found = memmem(bytes.data() + at, bytes.size() - at, wanted.data(), wanted.size());
    if (!found) break;
    at = static_cast<size_t>(static_cast<const char*>(found) - bytes.data());
    places.push_back(part_of_lines(search.file, at, at + wanted.size()));
    if (!search.hunk.all_places && places.size() > kMostPlaces) break;
    at += search.hunk.all_places ? wanted.size() : 1;
  }
  return places;
}

bool is_word_char(char c) {
  return c == '_' || static_cast<unsigned char>(c) >= 0x80 ||
         std::isalnum(static_cast<unsigned char>(c));
}

// Are bytes [at - 1] and [at] in one word or number?
bool is_inside_word(std::string_view bytes, size_t at) {
  if (at == 0 || at >= bytes.size()) return false;
  const auto digit = [&](size_t i) {
    return i < bytes.size() && bytes[i] >= '0' && bytes[i] <= '9';
  };
  if (bytes[at] == '.') return digit(at - 1) && digit(at + 1);
  if (bytes[at - 1] == '.') return at > 1 && digit(at - 2) && digit(at);
  return is_word_char(bytes[at - 1]) && is_word_char(bytes[at]);
}

std::string_view first_word(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_word_char(text[end])) ++end;
  return text.substr(0, end);
}

std::string_view last_word(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && is_word_char(text[begin - 1])) --begin;
  return text.substr(begin);
}

bool cuts_word(const Search& search, const Place& place) {
  const std::string_view bytes = search.file.bytes();
  const std::vector<std::string_view> now = new_side(search.hunk);
  if (now.empty()) return false;
  if (is_inside_word(bytes, place.offset) &&
      first_word(search.old.front()) != first_word(now.front()))
    return true;
  return is_inside_word(bytes, place.offset + place.length) &&
         last_word(search.old.back()) != last_word(now.back());
}

std::vector<Place> whole_words(const Search& search, std::vector<Place> places) {
  if (search.hunk.all_places) return places;
  const auto cuts = [&](const Place& place) { return cuts_word(search, place); };
  // A word alone, here whole and there as a part of another: which was meant is not clear.
  const bool word_alone = search.old.size() == 1 && first_word(search.old[0]) == search.old[0];
  if (!word_alone || std::all_of(places.begin(), places.end(), cuts)) std::erase_if(places, cuts);
  return places;
}

}  // namespace

// Of several lines the inner ones are whole, the first ends a line, and the last begins one:
// whatever the line ends are.
std::vector<Place> find_substring(const Search& search) {
  if (!search.hunk.within_lines || search.old.empty()) return {};
  if (search.old.size() == 1) return whole_words(search, within_one_line(search));
  const MappedText& file = search.file;
  const std::string_view front = search.old.front(), back = search.old.back();
  const size_t count = file.line_count();
  std::vector<Place> places;
  const auto try_at = [&](size_t first) {  // the line that ends with the first old line
    const size_t last = first + search.old.size() - 1;
    if (!file.line(first).ends_with(front) || file.line_end(first).empty()) return;
    const size_t begin = file.end_of(first) - front.size();
    if (last == count && back.empty()) {
      places.push_back(part_of_lines(file, begin, file.bytes().size()));
    } else if (last < count && file.line(last).starts_with(back)) {
      places.push_back(part_of_lines(file, begin, file.begin_of(last) + back.size()));
    }
  };
  if (search.old.size() == 2) {
    if (!file.spend(count)) return {};
    for (size_t i = 0; i < count; ++i) try_at(i);
    return whole_words(search, std::move(places));
  }
  const Search inner{file, search.hunk, {search.old.begin() + 1, search.old.end() - 1}};
  for (const Place& place : find_by_key(inner, exact_key))
    if (place.first > 0) try_at(place.first - 1);
  return whole_words(search, std::move(places));
}

}  // namespace bodkin
