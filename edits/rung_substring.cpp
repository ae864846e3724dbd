// The rung "exact substring": a string replacement may begin and end inside a line.
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

}  // namespace

// Of several lines the inner ones are whole, the first ends a line, and the last begins one:
// whatever the line ends are.
std::vector<Place> find_substring(const Search& search) {
  if (!search.hunk.within_lines || search.old.empty()) return {};
  if (search.old.size() == 1) return within_one_line(search);
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
    return places;
  }
  const Search inner{file, search.hunk, {search.old.begin() + 1, search.old.end() - 1}};
  for (const Place& place : find_by_key(inner, exact_key))
    if (place.first > 0) try_at(place.first - 1);
  return places;
}

}  // namespace bodkin
