#include "edits/moved_on.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <vector>

#include "edits/tokens.h"

namespace bodkin {
namespace {

constexpr size_t kMostWords = 200;  // of a line that is compared
constexpr size_t kMostSlips = 2;

bool is_word_char(char c) {
  return c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80 ||
         std::isalnum(static_cast<unsigned char>(c));
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// The end of the string literal that begins at `begin`; npos: it is no string ("don't").
size_t end_of_string(std::string_view line, size_t begin) {
  if (line[begin] == '\'' && begin > 0 && is_word_char(line[begin - 1])) return line.npos;
  for (size_t i = begin + 1; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == line[begin]) {
      return i;
    }
  }
  return line.npos;
}

struct Words {
  std::vector<std::string_view> all;
  size_t comment = 0;  // the first word of a comment at the end; else how many there are
};

// What may join two parts of a name: one of ".-/:@#~+", "::", "->".
size_t joint_at(std::string_view line, size_t i) {
  for (const std::string_view joint : {"::", "->", "?."})
    if (line.substr(i).starts_with(joint)) return 2;
  return std::string_view(".-/:@#~").find(line[i]) != std::string_view::npos ? 1 : 0;
}

Words words_of(std::string_view line) {
  Words words;
  bool comment = false;
  const auto add = [&](std::string_view word) {
    if (!comment) words.comment = words.all.size() + 1;
    words.all.push_back(word);
  };
  for (size_t i = 0; i < line.size();) {
    const char c = line[i];
    if (c == ' ' || c == '\t' || std::string_view(",;(){}[]").find(c) != std::string_view::npos) {
      ++i;
      continue;
    }
    if (c == '"' || c == '\'' || c == '`') {
      const size_t end = comment ? line.npos : end_of_string(line, i);
      if (end != line.npos) add(line.substr(i + 1, end - i - 1));
      i = end == line.npos ? i + 1 : end + 1;
      continue;
    }
    const std::string_view rest = line.substr(i);
    const bool spaced = i > 0 && (line[i - 1] == ' ' || line[i - 1] == '\t');
    const auto opens = [&](std::string_view sign) { return spaced && rest.starts_with(sign); };
    if (!words.all.empty() &&
        (opens("//") || opens("# ") || opens("/*") || opens("-- ") || opens("<!--")))
      comment = true;
    size_t end = i + 1;
    const bool path = (c == '/' || c == '.') && end < line.size() && is_word_char(line[end]);
    if (is_word_char(c) || path) {
      while (end < line.size()) {
        if (is_word_char(line[end])) {
          ++end;
          continue;
        }
        const size_t joint = joint_at(line, end);
        if (joint == 0 || end + joint >= line.size() || !is_word_char(line[end + joint])) break;
        end += joint;
      }
    }
    add(line.substr(i, end - i));
    i = end;
  }
  return words;
}

bool holds_word(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_word_char);
}

// Is `part` the sequence `all` with some words left out?
bool is_part_of(const std::vector<std::string_view>& part,
                const std::vector<std::string_view>& all) {
  size_t i = 0;
  for (const std::string_view word : all)
    if (i < part.size() && part[i] == word) ++i;
  return i == part.size();
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

}  // namespace

bool is_slip(std::string_view a, std::string_view b) {
  constexpr size_t kLong = 5;  // letters of the part of the name
  if (a.size() < b.size()) std::swap(a, b);
  const auto [left, right] = difference(a, b);
  const size_t at = static_cast<size_t>(left.data() - a.data());
  if (left.empty() || !std::all_of(left.begin(), left.end(), is_letter) ||
      !std::all_of(right.begin(), right.end(), is_letter))
    return false;
  const auto [begin, end] = part_at(a, at);
  if (end - begin < kLong || at == begin || at + left.size() > end) return false;
  if (left.size() == 2 && right.size() == 2) return left[0] == right[1] && left[1] == right[0];
  const bool inside = at + left.size() < end;
  if (left.size() == 1 && right.empty()) return inside;
  return left.size() == 1 && right.size() == 1 && inside && end - begin > kLong &&
         std::islower(static_cast<unsigned char>(left[0])) ==
             std::islower(static_cast<unsigned char>(right[0]));
}

Kinship kinship_of(const MappedText& file, std::string_view quoted, std::string_view ours) {
  const Words theirs = words_of(quoted), own = words_of(ours);
  if (theirs.all.size() > kMostWords || own.all.size() > kMostWords) return Kinship::other;
  const auto says_something = [](const Words& words) {
    return std::any_of(words.all.begin(), words.all.end(), holds_word);
  };
  if (!says_something(theirs) || !says_something(own)) return Kinship::other;
  if (theirs.all == own.all) return Kinship::same;
  const bool longer = theirs.all.size() > own.all.size();
  const Words &more = longer ? theirs : own, &fewer = longer ? own : theirs;
  if (more.all.size() > fewer.all.size() && is_part_of(fewer.all, more.all)) {
    const size_t extra = more.all.size() - fewer.all.size();
    const bool only_comment = more.comment == fewer.all.size() && fewer.comment == fewer.all.size();
    if (only_comment) return Kinship::same;
    return extra <= std::max<size_t>(2, fewer.all.size()) ? Kinship::moved_on : Kinship::other;
  }
  if (theirs.all.size() != own.all.size()) return Kinship::other;
  size_t slips = 0, renamed = 0;
  for (size_t i = 0; i < own.all.size(); ++i) {
    if (theirs.all[i] == own.all[i]) continue;
    const bool slip = is_slip(theirs.all[i], own.all[i]) && !stands_in(file, theirs.all[i]);
    slip ? ++slips : ++renamed;
  }
  if (renamed == 0 && slips <= kMostSlips) return Kinship::same;
  return renamed == 1 && slips == 0 ? Kinship::renamed : Kinship::other;
}

bool stands_in(const MappedText& file, std::string_view word) {
  const std::string_view bytes = file.bytes();
  if (!file.spend(bytes.size() / 16)) return true;
  for (size_t at = 0; at < bytes.size();) {
    const void* found = memmem(bytes.data() + at, bytes.size() - at, word.data(), word.size());
    if (!found) return false;
    at = static_cast<size_t>(static_cast<const char*>(found) - bytes.data());
    const size_t end = at + word.size();
    if ((at == 0 || !is_word_char(bytes[at - 1])) &&
        (end == bytes.size() || !is_word_char(bytes[end])))
      return true;
    at = end;
  }
  return false;
}

Rename rename_between(std::string_view quoted, std::string_view ours) {
  Rename rename;
  const std::vector<std::string_view> theirs = tokens_of(quoted), own = tokens_of(ours);
  std::vector<std::string_view> shared;
  const Words whole = words_of(quoted), own_whole = words_of(ours);
  for (const std::string_view word : whole.all) {
    if (!holds_word(word)) continue;
    if (std::find(own_whole.all.begin(), own_whole.all.end(), word) != own_whole.all.end() &&
        std::find(shared.begin(), shared.end(), word) == shared.end())
      shared.push_back(word);
  }
  rename.shared = shared.size();
  for (size_t i = 0; i < std::min(theirs.size(), own.size()); ++i) {
    if (theirs[i] == own[i]) continue;
    rename.theirs = theirs[i];
    rename.ours = own[i];
    break;
  }
  const auto in_string = [](std::string_view line, std::string_view word) {
    char quote = 0;
    for (const char* at = line.data(); at < word.data(); ++at) {
      if (quote ? *at == quote : *at == '"' || *at == '\'' || *at == '`') quote = quote ? 0 : *at;
    }
    return quote != 0;
  };
  const auto is_number = [](std::string_view word) {
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front()));
  };
  if (rename.theirs.empty()) return rename;
  rename.number = is_number(rename.theirs) || is_number(rename.ours);
  rename.in_string = in_string(quoted, rename.theirs) || in_string(ours, rename.ours);
  const auto [left, right] = difference(rename.theirs, rename.ours);
  const auto letters = [](std::string_view part) {
    return std::all_of(part.begin(), part.end(), [](char c) { return is_letter(c) || c == '_'; });
  };
  const bool swapped =
      left.size() == 2 && right.size() == 2 && left[0] == right[1] && left[1] == right[0];
  rename.typo = std::min(rename.theirs.size(), rename.ours.size()) >= 5 && letters(left) &&
                letters(right) && (swapped || (left.size() <= 1 && right.size() <= 1));
  const std::string_view longer = left.size() >= right.size() ? left : right;
  const std::string_view word = left.size() >= right.size() ? rename.theirs : rename.ours;
  // A letter more at the end is a plural, or another number.
  if (left.size() + right.size() == 1 && longer.data() + 1 == word.data() + word.size())
    rename.typo = false;
  rename.slip = rename.typo && longer.data() > word.data() &&
                longer.data() + longer.size() < word.data() + word.size() &&
                (swapped || (left.size() + right.size() == 1 &&
                             std::string_view("sdry").find(longer[0]) == std::string_view::npos));
  return rename;
}

}  // namespace bodkin
