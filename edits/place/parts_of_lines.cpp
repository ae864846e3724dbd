// A string replacement, whose old text may begin and end inside a line. It is a
// run of bytes: every place that has those is one, whole lines or part of one, and
// more than one is ambiguous. A line end at its end ends its last line and means no blank line,
// also where only the new text has one.
//
// A place cuts nothing in two: no word ("timeout" in "my-timeout", "BAR=1" in "FOO_BAR=1"), no
// number, version, date or time ("1.2" in "1.2.3"), no operator ("x =" in "x == y"), and not the
// name before an assignment ("port = 1" in "app.port = 1"), nor a statement before the rest of its
// last name ("import os" in "import os.path"), nor a line whose text stays beside added lines. What
// stays the same makes no difference: it is another word that would be changed. If all places are
// asked for, and some cut something in two and some do not ("id" in "valid"), there is no telling
// whether those are meant, too.
#include "edits/place/parts_of_lines.h"

#include <algorithm>
#include <cctype>
#include <memory>

#include "edits/place/tokens.h"
#include "edits/text/find_bytes.h"

namespace bodkin {
namespace {

constexpr size_t kMaxPlaces = 10'000;  // of a hunk that is meant for one

constexpr PlaceDoubt kPartsOfWords = {
    "its text is also a part of longer words, numbers, or operators, which would change, too",
    "quote more around it, or send one edit for each place"};

Place part_of_lines(const MappedText& file, size_t begin, size_t end) {
  Place place;
  place.within_lines = true;
  place.offset = begin;
  place.length = end - begin;
  place.first = file.line_at(begin);
  place.last = file.line_at(end > begin ? end - 1 : begin) + 1;
  return place;
}

// All places of the text, in order.
template <class Visit>
void for_each_hit(std::string_view bytes, std::string_view wanted, size_t step, Visit visit) {
  for (size_t at = 0; at < bytes.size();) {
    at = find_bytes(bytes, wanted, at);
    if (at == bytes.npos || !visit(at)) return;
    at += step;
  }
}

std::vector<Place> within_one_line(const Search& search) {
  const std::string_view bytes = search.file.bytes(), wanted = search.old[0];
  std::vector<Place> places;
  if (wanted.empty() || !search.file.spend(bytes.size() / 4)) return places;
  const bool all = search.hunk.all_places;
  for_each_hit(bytes, wanted, all ? wanted.size() : 1, [&](size_t at) {
    places.push_back(part_of_lines(search.file, at, at + wanted.size()));
    return all || places.size() <= kMaxPlaces;
  });
  return places;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_plain_word_char(char c) {
  return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// True if the character that begins at `at`, or that ends before it (there is one), belongs to a
// word. Scripts that part their words by nothing (Chinese, Japanese) and typographic signs have
// none.
bool is_word_from(std::string_view bytes, size_t at) {
  if (at >= bytes.size()) return false;
  const auto lead = static_cast<unsigned char>(bytes[at]);
  return is_plain_word_char(bytes[at]) || (lead >= 0xC3 && lead < 0xE0);
}
bool is_word_before(std::string_view bytes, size_t at) {
  size_t begin = at - 1;
  while (begin > 0 && at - begin < 4 && (static_cast<unsigned char>(bytes[begin]) & 0xC0) == 0x80)
    --begin;
  return is_word_from(bytes, begin);
}

// True if a sign at `at` joins the parts of one word or number.
bool is_joiner(std::string_view bytes, size_t at) {
  if (at == 0 || at + 1 >= bytes.size()) return false;
  const bool digits = is_digit(bytes[at - 1]) && is_digit(bytes[at + 1]);
  switch (bytes[at]) {
    case '-':
      return is_word_before(bytes, at) && is_word_from(bytes, at + 1);
    case '.':
    case ':':
    case '/':
      return digits;
    default:
      return false;
  }
}

// True if the bytes before and after `at` belong to one token.
bool splits_token(std::string_view bytes, size_t at) {
  if (at == 0 || at >= bytes.size()) return false;
  if (is_word_before(bytes, at) && is_word_from(bytes, at)) return true;
  return is_joiner(bytes, at) || is_joiner(bytes, at - 1) || is_operator(bytes[at - 1], bytes[at]);
}

// The length of what joins two names and ends before `at`, or begins there.
constexpr std::string_view kNameJoints[] = {"?.", ".", "->", "::"};
size_t joiner_length_before(std::string_view line, size_t at) {
  for (const std::string_view joint : kNameJoints)
    if (line.substr(0, at).ends_with(joint)) return joint.size();
  return 0;
}
size_t joiner_length_from(std::string_view line, size_t at) {
  for (const std::string_view joint : kNameJoints)
    if (line.substr(at).starts_with(joint)) return joint.size();
  return 0;
}

// "port = 1" in "app.port = 1": the name that is assigned to is longer.
bool cuts_assigned_name(std::string_view line, size_t at) {
  const size_t joint = joiner_length_before(line, at);
  if (joint == 0) return false;
  size_t begin = at - joint;
  while (begin > 0 && (is_word_before(line, begin) || joiner_length_before(line, begin) > 0))
    --begin;
  if (begin == at - joint || !is_blank(line.substr(0, begin))) return false;
  size_t end = at;
  while (end < line.size() && is_word_from(line, end)) ++end;
  while (end < line.size() && line[end] == ' ') ++end;
  const bool compares = line.substr(end).starts_with("==");
  return end < line.size() && !compares && (line[end] == '=' || line[end] == ':');
}

// "import os" in "import os.path": its last name is longer.
bool cuts_qualified_name(std::string_view text, std::string_view line, size_t end) {
  const size_t joint = joiner_length_from(line, end);
  return joint > 0 && text.find(' ') != text.npos && is_word_before(line, end) &&
         is_word_from(line, end + joint);
}

bool splits_token_at_edge(const Search& search, const Place& place) {
  const MappedText& file = search.file;
  const size_t end = place.offset + place.length;
  if (splits_token(file.bytes(), place.offset) || splits_token(file.bytes(), end)) return true;
  const size_t begin_of_first = file.begin_of(place.first),
               begin_of_last = file.begin_of(place.last - 1);
  return cuts_assigned_name(file.line(place.first), place.offset - begin_of_first) ||
         (end <= file.end_of(place.last - 1) &&
          cuts_qualified_name(search.old.back(), file.line(place.last - 1), end - begin_of_last));
}

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_plain_word_char);
}

// A line that is indented less than in the file, to which lines are added: how deep these belong is
// the question of the aligner.
bool adds_lines_within_indentation(const Search& search, const Place& place) {
  const MappedText& file = search.file;
  const size_t begin = file.begin_of(place.first);
  return search.old.size() == 1 && !indentation_of(search.old[0]).empty() && place.offset > begin &&
         is_blank(file.bytes().substr(begin, place.offset - begin)) &&
         new_side(search.hunk).size() > 1;
}

// True if lines are added above or below a kept text whose line goes on at that side. That would be
// moved to an added line ("run();" in "if (x) run();", "run();  // why"). What opens a list or a
// block may be followed by lines.
bool splits_kept_line(const Search& search, const Place& place) {
  const MappedText& file = search.file;
  const std::vector<std::string_view> after = new_side(search.hunk);
  const std::vector<std::string_view>& before = search.old;
  if (after.size() <= before.size()) return false;
  const auto same = [](std::string_view a, std::string_view b) { return trimmed(a) == trimmed(b); };
  const auto ends_in = [](std::string_view text, std::string_view signs) {
    return signs.find(text.back()) != signs.npos;
  };
  const size_t end = place.offset + place.length, begin = file.begin_of(place.first);
  const size_t end_of_last = std::max(end, file.end_of(place.last - 1));
  const std::string_view kept = trimmed(before.back()),
                         left = trimmed(file.bytes().substr(begin, place.offset - begin)),
                         right = trimmed(file.bytes().substr(end, end_of_last - end));
  if (!right.empty() && !kept.empty() && !ends_in(kept, "([{,=+-*/&|<>?:\\.") &&
      std::equal(before.begin(), before.end(), after.begin(), same))
    return true;
  return !left.empty() && !ends_in(left, "([{,;=>:") &&
         std::equal(before.rbegin(), before.rend(), after.rbegin(), same);
}

std::vector<Place> without_cut_words(const Search& search, std::vector<Place> places) {
  const auto is = [&](const Place& place) { return splits_token_at_edge(search, place); };
  if (search.hunk.all_places) {
    // A member ("self.size") has the whole name.
    const std::string_view bytes = search.file.bytes();
    const auto cut = std::ranges::count_if(places, [&](const Place& place) {
      const auto cuts_at = [&](size_t at) {
        return at > 0 && at < bytes.size() && is_word_before(bytes, at) && is_word_from(bytes, at);
      };
      return cuts_at(place.offset) || cuts_at(place.offset + place.length);
    });
    if (cut > 0 && static_cast<size_t>(cut) < places.size()) places[0].doubt = kPartsOfWords;
    return places;
  }
  std::erase_if(places, [&](const Place& place) {
    return adds_lines_within_indentation(search, place) || splits_kept_line(search, place);
  });
  // A word alone, here whole and there as a part of another: which was meant is not clear.
  const bool word_alone = search.old.size() == 1 && is_word(search.old[0]);
  if (!word_alone || std::all_of(places.begin(), places.end(), is)) std::erase_if(places, is);
  return places;
}

// Of several lines the inner ones are whole, the first ends a line, and the last begins one:
// whatever the line ends are.
std::vector<Place> within_lines(const Search& search) {
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
  if (search.old.size() > 2) {
    for (const Place& place :
         find_lines(file, std::span(search.old).subspan(1, search.old.size() - 2)))
      if (place.first > 0) try_at(place.first - 1);
    return places;
  }
  if (!file.spend(count)) return {};
  if (front.empty() && back.empty()) {
    for (size_t i = 0; i < count; ++i) try_at(i);
    return places;
  }
  const bool by_front = front.size() >= back.size();
  size_t next = 0;  // the first line that was not tried
  for_each_hit(file.bytes(), by_front ? front : back, 1, [&](size_t at) {
    const size_t line = file.line_at(at);
    if (!by_front && (line == 0 || at != file.begin_of(line))) return true;
    const size_t first = by_front ? line : line - 1;
    if (first >= next) try_at(first), next = first + 1;
    return true;
  });
  return places;
}

// Without the line end at the end of both halves; null: they do not both have one.
std::shared_ptr<const Hunk> without_last_line_end(const Hunk& hunk) {
  const std::vector<HunkLine>& lines = hunk.lines;
  if (lines.back() != HunkLine{HunkLine::Kind::context, ""}) return nullptr;
  auto out = std::make_shared<Hunk>(hunk);
  out->lines.pop_back();
  out->within_lines = false;
  return old_side(*out).empty() ? nullptr : out;
}

// Without the line end at the end of the new half alone; null if there is none, or it is all that
// the change adds.
std::shared_ptr<const Hunk> without_new_line_end(const Hunk& hunk) {
  const std::vector<HunkLine>& lines = hunk.lines;
  if (lines.back() != HunkLine{HunkLine::Kind::added, ""}) return nullptr;
  auto out = std::make_shared<Hunk>(hunk);
  out->lines.pop_back();
  return new_side(*out) == old_side(*out) ? nullptr : out;
}

// With the new half as it was written, which lacks the blank line that the old half begins with.
std::shared_ptr<const Hunk> without_added_line_end(const Hunk& hunk) {
  if (!hunk.line_end_added || hunk.lines.front() != HunkLine{HunkLine::Kind::context, ""})
    return nullptr;
  auto out = std::make_shared<Hunk>(hunk);
  out->lines.front().kind = HunkLine::Kind::removed;
  return out;
}

// Whole lines are placed as such.
void convert_to_lines(const Search& search, const std::shared_ptr<const Hunk>& lines,
                      const std::shared_ptr<const Hunk>& closed, Place& place) {
  const MappedText& file = search.file;
  const size_t end = place.offset + place.length;
  const bool closes = closed && end == file.end_of(place.last - 1);
  if (closes) place.hunk = closed;
  if (place.offset != file.begin_of(place.first)) return;
  const bool ends_line = lines && search.old.back().empty() && end == file.next_of(place.last - 1);
  if (!ends_line && end != file.end_of(place.last - 1)) return;
  const PlaceDoubt doubt = place.doubt;
  std::shared_ptr<const Hunk> hunk = std::move(place.hunk);
  place = place_at(file, place.first, place.last - place.first);
  place.doubt = doubt;
  place.hunk = ends_line ? lines : std::move(hunk);
}

}  // namespace

std::vector<Place> find_in_bytes(const Search& search) {
  if (search.old.empty()) return {};
  std::vector<Place> places = without_cut_words(
      search, search.old.size() == 1 ? within_one_line(search) : within_lines(search));
  const std::shared_ptr<const Hunk> written = without_added_line_end(search.hunk);
  // All at the beginning of a line are taken alike, so each other hunk is made once.
  const Hunk& at_begin = written ? *written : search.hunk;
  const auto lines = without_last_line_end(at_begin), closed = without_new_line_end(at_begin),
             closed_within = written ? without_new_line_end(search.hunk) : closed;
  for (Place& place : places) {
    const bool begins_line = place.offset == search.file.begin_of(place.first);
    if (begins_line && written) place.hunk = written;
    convert_to_lines(search, lines, begins_line ? closed : closed_within, place);
  }
  return places;
}

}  // namespace bodkin
