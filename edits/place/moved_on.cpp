#include "edits/place/moved_on.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "edits/place/line_words.h"
#include "edits/place/opposites.h"
#include "edits/place/tokens.h"

namespace bodkin {
namespace {

constexpr size_t kMaxWords = 200;  // of a line that is compared
constexpr size_t kMaxTypos = 2;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

bool contains_word_char(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_name_char);
}

// The words of `all` without those of `part`, which is the same sequence with some left out.
// Nothing if it is not.
std::optional<std::vector<size_t>> left_out(const std::vector<std::string_view>& part,
                                            const std::vector<std::string_view>& all) {
  std::vector<size_t> extra;
  size_t i = 0;
  for (size_t k = 0; k < all.size(); ++k) {
    if (i < part.size() && part[i] == all[k])
      ++i;
    else
      extra.push_back(k);
  }
  return i == part.size() ? std::optional(extra) : std::nullopt;
}

bool is_number(std::string_view word) {
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0;
}

// What turns the meaning of a line round.
bool negates(std::string_view word) {
  for (const std::string_view known : {"!", "~", "-", "not", "no", "never", "without", "unless",
                                       "else", "Not", "No", "Never", "NOT", "NO", "ELSE"})
    if (word == known) return true;
  return false;
}

// Literals and the like, of which each has its opposite.
bool has_opposite(std::string_view word) {
  for (const std::string_view known :
       {"true",  "false",  "True",   "False", "TRUE",    "FALSE",   "null",      "nullptr", "None",
        "nil",   "NULL",   "and",    "or",    "AND",     "OR",      "in",        "is",      "on",
        "off",   "yes",    "asc",    "desc",  "ASC",     "DESC",    "min",       "max",     "if",
        "while", "let",    "var",    "const", "public",  "private", "protected", "static",  "int",
        "long",  "float",  "double", "bool",  "boolean", "char",    "string",    "String",  "str",
        "void",  "number", "any",    "byte"})
    if (word == known) return true;
  return negates(word);
}

// True if words like these may be inserted without making it another line. A sign belongs to a new
// name beside it.
bool may_be_inserted(const std::vector<std::string_view>& all, const std::vector<size_t>& extra) {
  const auto is_name = [&](size_t i) { return contains_word_char(all[i]) && !is_number(all[i]); };
  return std::all_of(extra.begin(), extra.end(), [&](size_t i) {
    if (negates(all[i]) || is_number(all[i])) return false;
    if (is_name(i)) return true;
    return std::any_of(extra.begin(), extra.end(),
                       [&](size_t k) { return (k + 1 == i || k == i + 1) && is_name(k); });
  });
}

// Where the part of a name that holds position `at` begins and ends: "load", "All" of "load_All".
std::pair<size_t, size_t> part_at(std::string_view word, size_t at) {
  const auto ends_behind = [&](size_t i) {  // between i and i + 1
    const auto lower = [&](size_t k) {
      return std::islower(static_cast<unsigned char>(word[k])) != 0;
    };
    return !is_letter(word[i]) || !is_letter(word[i + 1]) || (lower(i) && !lower(i + 1));
  };
  size_t begin = at, end = at + 1;
  while (begin > 0 && !ends_behind(begin - 1)) --begin;
  while (end < word.size() && !ends_behind(end - 1)) ++end;
  return {begin, end};
}

// The only parts of two words that differ, without their common ends.
std::pair<std::string_view, std::string_view> difference(std::string_view a, std::string_view b) {
  size_t head = 0, tail = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  while (tail + head < a.size() && tail + head < b.size() &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  return {a.substr(head, a.size() - head - tail), b.substr(head, b.size() - head - tail)};
}

std::string lower(std::string_view word) {
  std::string out(word);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// True if both are real words, although one looks like a misspelling ("#ifdef" and "#ifndef") or
// the opposite ("enable" and "disable") of the other.
bool are_both_words(std::string_view a, std::string_view b) {
  static constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
      {"ifdef", "ifndef"},          {"upload", "unload"}, {"insert", "invert"},
      {"inserted", "inverted"},     {"render", "reader"}, {"loader", "leader"},
      {"header", "heater"},         {"causal", "casual"}, {"desert", "dessert"},
      {"trail", "trial"},           {"signed", "singed"}, {"relay", "replay"},
      {"server", "sever"},          {"string", "sting"},  {"insert", "inset"},
      {"quiet", "quite"},           {"packet", "pocket"}, {"angle", "angel"},
      {"united", "untied"},         {"device", "devise"}, {"stationary", "stationery"},
      {"complement", "compliment"}, {"border", "boarder"}};
  if (a.empty() || b.empty()) return false;
  const auto [left, right] = difference(a, b);
  const auto part = [](std::string_view word, const char* at) {
    const size_t offset = std::min(static_cast<size_t>(at - word.data()), word.size() - 1);
    const auto [begin, end] = part_at(word, offset);
    return lower(word.substr(begin, end - begin));
  };
  const std::string theirs = part(a, left.data()), ours = part(b, right.data());
  return are_opposites(theirs, ours) || std::ranges::any_of(kPairs, [&](const auto& pair) {
           return (theirs == pair.first && ours == pair.second) ||
                  (theirs == pair.second && ours == pair.first);
         });
}

// True if these are two numbers, signs, or literals, or names that differ in a number.
bool distinguishes_siblings(std::string_view a, std::string_view b) {
  if (!contains_word_char(a) || !contains_word_char(b) || has_opposite(a) || has_opposite(b) ||
      are_both_words(a, b))
    return true;
  if (is_number(a) || is_number(b)) return true;
  const auto letters = [](std::string_view word) {
    std::string out;
    for (const char c : word)
      if (!std::isdigit(static_cast<unsigned char>(c))) out += c;
    return out;
  };
  return letters(a) == letters(b);
}

}  // namespace

bool is_clear_typo(std::string_view a, std::string_view b) {
  constexpr size_t kLong = 5;  // letters of the part of the name
  if (a.size() < b.size()) std::swap(a, b);
  const auto [left, right] = difference(a, b);
  const size_t at = static_cast<size_t>(left.data() - a.data());
  if (left.empty() || !std::all_of(left.begin(), left.end(), is_letter) ||
      !std::all_of(right.begin(), right.end(), is_letter))
    return false;
  const auto [begin, end] = part_at(a, at);
  if (are_both_words(a, b)) return false;
  if (left.size() == 2 && right.size() == 2) {
    const auto [first, last] = part_at(b, at);
    return left[0] == right[1] && left[1] == right[0] &&
           std::max(end - begin, last - first) >= kLong;
  }
  // A letter more at the beginning makes another name, be it the first one again: "lldiv".
  const bool is_begin = a.substr(begin, at - begin).find_first_not_of(left[0]) == a.npos;
  if (end - begin < kLong || is_begin) return false;
  const bool inside = at + left.size() < end;
  if (left.size() == 1 && right.empty()) return inside;
  // Capitals are abbreviations: "HMAC" and "CMAC" are two.
  const auto is_lower = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
  return left.size() == 1 && right.size() == 1 && inside && end - begin > kLong &&
         is_lower(left[0]) && is_lower(right[0]);
}

Kinship kinship_of(const MappedText& file, std::string_view quoted, std::string_view ours) {
  const LineWords theirs = words_of(quoted), own = words_of(ours);
  if (theirs.all.size() > kMaxWords || own.all.size() > kMaxWords) return Kinship::other;
  const auto says_something = [](const LineWords& words) {
    return std::any_of(words.all.begin(), words.all.end(), contains_word_char);
  };
  if (!says_something(theirs) || !says_something(own)) return Kinship::other;
  const bool longer = theirs.all.size() > own.all.size();
  const LineWords &more = longer ? theirs : own, &fewer = longer ? own : theirs;
  if (const auto added = left_out(fewer.all, more.all)) {
    const bool only_comment = more.comment == fewer.all.size() && fewer.comment == fewer.all.size();
    if (added->empty() || only_comment) return Kinship::same;
    return added->size() <= std::max<size_t>(2, fewer.all.size()) &&
                   may_be_inserted(more.all, *added)
               ? Kinship::moved_on
               : Kinship::other;
  }
  if (theirs.all.size() != own.all.size()) return Kinship::other;
  size_t slips = 0, renamed = 0;
  for (size_t i = 0; i < own.all.size(); ++i) {
    if (theirs.all[i] == own.all[i]) continue;
    const bool slip =
        is_clear_typo(theirs.all[i], own.all[i]) && !occurs_as_word(file, theirs.all[i]);
    slip ? ++slips : ++renamed;
    if (!slip && distinguishes_siblings(theirs.all[i], own.all[i])) return Kinship::other;
  }
  if (renamed == 0 && slips <= kMaxTypos) return Kinship::same;
  return renamed == 1 && slips == 0 ? Kinship::renamed : Kinship::other;
}

bool share_affix(std::string_view a, std::string_view b) {
  constexpr size_t kPart = 3;  // letters
  const std::string left = lower(a), right = lower(b);
  if (left.find(right) != left.npos || right.find(left) != right.npos) return true;
  return right.size() >= kPart && (left.starts_with(right.substr(0, kPart)) ||
                                   left.ends_with(right.substr(right.size() - kPart)));
}

bool occurs_once(const MappedText& file, std::string_view word) {
  std::vector<std::string> spellings(3, std::string(word));
  for (char& c : spellings[0]) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (char& c : spellings[1]) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  char& first = spellings[2].front();
  const auto letter = static_cast<unsigned char>(first);
  first = static_cast<char>(std::islower(letter) ? std::toupper(letter) : std::tolower(letter));
  spellings.emplace_back(word);
  std::sort(spellings.begin(), spellings.end());
  spellings.erase(std::unique(spellings.begin(), spellings.end()), spellings.end());
  if (!file.spend(file.bytes().size() / 4)) return false;
  size_t count = 0;
  for (const std::string& spelling : spellings)
    for (size_t at = file.bytes().find(spelling); at != std::string_view::npos && count < 2;
         at = file.bytes().find(spelling, at + 1))
      ++count;
  return count < 2;
}

bool occurs_as_word(const MappedText& file, std::string_view word) {
  const std::string_view bytes = file.bytes();
  if (!file.spend(bytes.size() / 16)) return true;
  for (size_t at = 0; at < bytes.size();) {
    const void* found = memmem(bytes.data() + at, bytes.size() - at, word.data(), word.size());
    if (!found) return false;
    at = static_cast<size_t>(static_cast<const char*>(found) - bytes.data());
    const size_t end = at + word.size();
    if ((at == 0 || !is_name_char(bytes[at - 1])) &&
        (end == bytes.size() || !is_name_char(bytes[end])))
      return true;
    at = end;
  }
  return false;
}

bool differ_only_in_number(std::string_view quoted, std::string_view ours) {
  const std::vector<std::string_view> theirs = tokens_of(quoted), own = tokens_of(ours);
  if (theirs.size() != own.size()) return false;
  size_t numbers = 0;
  for (size_t i = 0; i < own.size(); ++i) {
    if (theirs[i] == own[i]) continue;
    if (!is_number(theirs[i]) || !is_number(own[i])) return false;
    ++numbers;
  }
  return numbers == 1;
}

Rename rename_between(std::string_view quoted, std::string_view ours) {
  Rename rename;
  const std::vector<std::string_view> theirs = tokens_of(quoted), own = tokens_of(ours);
  if (theirs.size() != own.size()) return rename;
  for (size_t i = 0; i < own.size(); ++i) {
    if (theirs[i] == own[i]) continue;
    if (!rename.theirs.empty() || distinguishes_siblings(theirs[i], own[i])) return {};
    rename.theirs = theirs[i];
    rename.ours = own[i];
  }
  if (rename.theirs.empty()) return rename;
  const auto [left, right] = difference(rename.theirs, rename.ours);
  const auto letters = [](std::string_view part) {
    return std::all_of(part.begin(), part.end(), [](char c) { return is_letter(c) || c == '_'; });
  };
  const bool swapped =
      left.size() == 2 && right.size() == 2 && left[0] == right[1] && left[1] == right[0];
  constexpr size_t kPart = 4;  // letters
  const std::string_view longer = left.size() >= right.size() ? left : right;
  const std::string_view word = left.size() >= right.size() ? rename.theirs : rename.ours;
  const size_t at = static_cast<size_t>(longer.data() - word.data());
  // How long the part of the name is that has the letter.
  const auto part_of = [](std::string_view name, size_t i) {
    return part_at(name, std::min(i, name.size() - 1));
  };
  const auto [begin, end] = part_of(word, at);
  const size_t length = end - begin;
  if (!letters(left) || !letters(right)) {
    rename.typo = false;
  } else if (swapped) {
    const auto size_at = [&](std::string_view name, size_t i) {
      const auto [first, last] = part_of(name, i);
      return last - first;
    };
    rename.typo = std::max({size_at(rename.ours, at), size_at(rename.ours, at + 1),
                            size_at(rename.theirs, at), size_at(rename.theirs, at + 1)}) >= kPart;
  } else if (left.size() + right.size() == 1) {  // A letter more at an end makes another word.
    const bool is_end = at + 1 == word.size() &&
                        std::string_view("sdryn").find(longer[0]) != std::string_view::npos;
    rename.typo = at > 0 && !is_end && length >= (at == begin ? kPart + 1 : kPart);
  } else if (left.size() == 1 && right.size() == 1) {
    rename.typo = at > begin && length > kPart + 1;
  }
  rename.one_letter = left.size() == 1 && right.size() == 1 && is_letter(left[0]) &&
                      is_letter(right[0]) && lower(left) != lower(right) &&
                      rename.ours.size() >= kPart;
  rename.slip = rename.typo && longer.data() > word.data() &&
                longer.data() + longer.size() < word.data() + word.size() &&
                (swapped || (left.size() + right.size() == 1 &&
                             std::string_view("sdry").find(longer[0]) == std::string_view::npos));
  return rename;
}

}  // namespace bodkin
