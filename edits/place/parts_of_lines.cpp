#include "edits/place/parts_of_lines.h"

#include <algorithm>
#include <cctype>
#include <memory>

#include "edits/text/find_bytes.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

constexpr size_t kMaxPlaces = 10'000;  // of a hunk that is meant for one

struct Search {
  const MappedText& file;
  const Hunk& hunk;
  const std::vector<std::string_view> old;  // the hunk's old side
};

Place part_of_lines(const MappedText& file, size_t begin, size_t end) {
  Place place;
  place.within_lines = true;
  place.quality = MatchQuality::substring;
  place.offset = begin;
  place.length = end - begin;
  place.first = file.line_at(begin);
  place.last = file.line_at(end > begin ? end - 1 : begin) + 1;
  return place;
}

// All places of the text, whose lines end as the file's do.
std::vector<Place> places_of_bytes(const Search& search) {
  const std::string_view bytes = search.file.bytes();
  std::string wanted;
  for (const std::string_view& line : search.old) {
    if (&line != &search.old[0]) wanted += search.file.line_end_near(0);
    wanted += line;
  }
  std::vector<Place> places;
  if (wanted.empty() || !search.file.spend(bytes.size() / 4)) return places;
  const bool all = search.hunk.places != 1;
  for (size_t at = find_bytes(bytes, wanted, 0); at != bytes.npos;
       at = find_bytes(bytes, wanted, at + (all ? wanted.size() : 1))) {
    places.push_back(part_of_lines(search.file, at, at + wanted.size()));
    if (!all && places.size() > kMaxPlaces) break;
  }
  return places;
}

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

// True if these two characters are an operator, or part of one ("==", "+=", "->"). ">>" may also
// close two template argument lists.
bool is_operator(char a, char b) {
  static constexpr std::string_view kPairs[] = {
      "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
      "~=", ":=", "?=", "@=", "=>", "->", "<-", "&&", "||", "<<", "++", "--",
      "**", "//", "::", "..", "?.", "??", "|>", "=~", "!~", "<>"};
  return std::ranges::any_of(kPairs, [&](std::string_view p) { return p[0] == a && p[1] == b; });
}

// True if the bytes before and after `at` belong to one token.
bool splits_token(std::string_view bytes, size_t at) {
  if (at == 0 || at >= bytes.size()) return false;
  if (is_word_before(bytes, at) && is_word_from(bytes, at)) return true;
  return is_joiner(bytes, at) || is_joiner(bytes, at - 1) || is_operator(bytes[at - 1], bytes[at]);
}

// The length of what joins two names and ends before `at`, or begins there.
constexpr std::string_view kNameJoints[] = {"?.", ".", "->", "::"};
size_t joint_before(std::string_view line, size_t at) {
  for (const std::string_view joint : kNameJoints)
    if (line.substr(0, at).ends_with(joint)) return joint.size();
  return 0;
}

// "port = 1" in "app.port = 1": the name that is assigned to is longer.
bool cuts_assigned_name(std::string_view line, size_t at) {
  const size_t joint = joint_before(line, at);
  size_t begin = at - joint;
  while (begin > 0 && (is_word_before(line, begin) || joint_before(line, begin) > 0)) --begin;
  if (joint == 0 || begin == at - joint || !is_blank(line.substr(0, begin))) return false;
  while (at < line.size() && is_word_from(line, at)) ++at;
  while (at < line.size() && line[at] == ' ') ++at;
  line.remove_prefix(at);
  return (line.starts_with('=') && !line.starts_with("==")) || line.starts_with(':');
}

// "import os" in "import os.path": its last name is longer.
bool cuts_qualified_name(std::string_view text, std::string_view line, size_t end) {
  return text.find(' ') != text.npos && is_word_before(line, end) &&
         std::ranges::any_of(kNameJoints, [&](std::string_view joint) {
           return line.substr(end).starts_with(joint) && is_word_from(line, end + joint.size());
         });
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
  if (search.hunk.places != 1) {
    // A member ("self.size") has the whole name.
    const std::string_view bytes = search.file.bytes();
    const auto cut = std::ranges::count_if(places, [&](const Place& place) {
      const auto cuts_at = [&](size_t at) {
        return at > 0 && at < bytes.size() && is_word_before(bytes, at) && is_word_from(bytes, at);
      };
      return cuts_at(place.offset) || cuts_at(place.offset + place.length);
    });
    if (cut > 0 && static_cast<size_t>(cut) < places.size()) places[0].is_among_cut_words = true;
    return places;
  }
  std::erase_if(places, [&](const Place& place) {
    return adds_lines_within_indentation(search, place) || splits_kept_line(search, place);
  });
  // A word alone, here whole and there as a part of another: which was meant is not clear.
  const bool word_alone =
      search.old.size() == 1 && std::ranges::all_of(search.old[0], is_plain_word_char);
  if (!word_alone || std::ranges::all_of(places, is)) std::erase_if(places, is);
  return places;
}

// Without the line end at the end of both halves; null: they do not both have one.
std::shared_ptr<const Hunk> without_last_line_end(const Hunk& hunk) {
  const std::vector<HunkLine>& lines = hunk.lines;
  if (lines.back() != HunkLine{HunkLine::Kind::context, ""}) return nullptr;
  auto out = std::make_shared<Hunk>(hunk);
  out->lines.pop_back();
  out->format = SearchReplace{};
  return old_side(*out).empty() ? nullptr : out;
}

// The hunk without the line end at the end of the new half; null if there is none, or it is all
// that the change adds.
std::shared_ptr<const Hunk> without_new_line_end(const Hunk& hunk) {
  const std::vector<HunkLine>& lines = hunk.lines;
  if (lines.back() != HunkLine{HunkLine::Kind::added, ""}) return nullptr;
  auto out = std::make_shared<Hunk>(hunk);
  out->lines.pop_back();
  return new_side(*out) == old_side(*out) ? nullptr : out;
}

// The hunk with its new half as it was written, without the blank line that begins the old half.
std::shared_ptr<const Hunk> without_added_line_end(const Hunk& hunk) {
  const StringReplacement* const strings = hunk.as<StringReplacement>();
  if (!strings || !strings->line_end_added ||
      hunk.lines.front() != HunkLine{HunkLine::Kind::context, ""})
    return nullptr;
  auto out = std::make_shared<Hunk>(hunk);
  out->lines.front().kind = HunkLine::Kind::removed;
  return out;
}

}  // namespace

std::vector<Place> find_in_bytes(const MappedText& file, const Hunk& hunk) {
  const Search search{file, hunk, old_side(hunk)};
  if (search.old.empty()) return {};
  std::vector<Place> places = without_cut_words(search, places_of_bytes(search));
  if (places.empty()) return places;
  const std::shared_ptr<const Hunk> written = without_added_line_end(hunk);
  // All at the beginning of a line are taken alike, so each other hunk is made once.
  const Hunk& at_begin = written ? *written : hunk;
  const auto lines = without_last_line_end(at_begin), closed = without_new_line_end(at_begin),
             closed_within = written ? without_new_line_end(hunk) : closed;
  for (Place& place : places) {
    const size_t end = place.offset + place.length, last = place.last - 1;
    const bool begins_line = place.offset == file.begin_of(place.first);
    const bool ends_text = end == file.end_of(last);
    const bool ends_line = lines && search.old.back().empty() && end == file.next_of(last);
    if (begins_line) place.hunk = written;
    if (ends_text && (begins_line ? closed : closed_within))
      place.hunk = begins_line ? closed : closed_within;
    if (!begins_line || !(ends_text || ends_line)) continue;
    // Whole lines are placed as such.
    if (ends_line) place.hunk = lines;
    place.within_lines = false;
    place.quality = MatchQuality::exact;
    place.length = file.next_of(last) - place.offset;
  }
  return places;
}

}  // namespace bodkin
