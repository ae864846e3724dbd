#include "edits/plan/comment_words.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <unordered_map>
#include <utility>
#include <vector>

#include "edits/plan/elision_words.h"

namespace bodkin {
namespace {

// What a word is in these lists.
struct Role {
  bool known = false, rest = false, whole = false, hint = false;
  std::vector<std::string_view> states;  // of kState, those that begin with it
};

const std::unordered_map<std::string_view, Role>& roles() {
  static const auto roles = [] {
    std::unordered_map<std::string_view, Role> words;
    for (const std::string_view word : kOther) words[word].known = true;
    for (const std::string_view word : kRest) words[word].known = words[word].rest = true;
    for (const std::string_view word : kWhole) words[word].known = words[word].whole = true;
    for (const std::string_view word : kHint) words[word].hint = true;
    for (const std::string_view state : kState) {
      const size_t blank = state.find(' ');
      Role& first = words[state.substr(0, blank)];
      first.states.push_back(state);
      first.known |= blank == state.npos;
    }
    return words;
  }();
  return roles;
}

// True if `word` is the other one with a letter too many, with two swapped, or with one of a double
// letter missing. Other slips make other words: "exiting", "emitted".
bool is_misspelling(std::string_view word, std::string_view meant) {
  const size_t shorter = std::min(word.size(), meant.size());
  const size_t begin = static_cast<size_t>(std::ranges::mismatch(word, meant).in1 - word.begin());
  size_t end = 0;
  while (end < shorter - begin && word[word.size() - 1 - end] == meant[meant.size() - 1 - end])
    ++end;
  const size_t same = begin + end;
  if (word.size() == meant.size() + 1) return same == meant.size();
  if (word.size() + 1 == meant.size())
    return same == word.size() && meant.substr(0, begin).ends_with(meant[begin]);
  return word.size() == meant.size() && same + 2 == word.size() &&
         word[begin] == meant[begin + 1] && word[begin + 1] == meant[begin];
}

// The word that is meant, if it is one of kMisspelled.
std::string_view corrected(std::string_view word) {
  const auto meant = std::ranges::find_if(
      kMisspelled, [&](std::string_view each) { return is_misspelling(word, each); });
  return meant == std::end(kMisspelled) ? word : *meant;
}

// Arrows that point to the code.
bool is_arrows(std::string_view word) {
  while (word.size() >= 3 && (word.starts_with("\xE2\x86") || word.starts_with("\xE2\x87") ||
                              word.starts_with("\xE2\xAC") || word.starts_with("\xE2\xA4")))
    word.remove_prefix(3);
  return word.empty();
}

std::string lower(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    if (!(text[at] & 0x80)) {
      const char c = text[at++];
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      continue;
    }
    utf8proc_int32_t code = 0;
    const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                                       static_cast<utf8proc_ssize_t>(text.size() - at), &code);
    if (size <= 0) {
      out += text[at++];
      continue;
    }
    utf8proc_uint8_t bytes[4];
    const auto count = utf8proc_encode_char(utf8proc_tolower(code), bytes);
    out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(count));
    at += static_cast<size_t>(size);
  }
  return out;
}

// kForeign by the first byte. Where words are separated (below 0xE0), one must begin a word.
const std::array<std::vector<std::string_view>, 256>& foreign_parts() {
  static const auto parts = [] {
    std::array<std::vector<std::string_view>, 256> by_byte;
    for (const std::string_view part : kForeign)
      by_byte[static_cast<unsigned char>(part[0])].push_back(part);
    return by_byte;
  }();
  return parts;
}

}  // namespace

bool has_words(std::string_view text, std::string_view words) {
  for (size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1))
    if (text[at - 1] == ' ' && text[at + words.size()] == ' ') return true;
  return false;
}

CommentWords comment_words(std::string_view text) {
  CommentWords said;
  said.words.reserve(text.size() + 2);
  std::string word;
  std::vector<std::pair<size_t, std::string_view>>
      states;  // that are possible so far into the words
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    const bool inner = c == '\'' || c == '_' || (c >= '0' && c <= '9');
    const char low = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if ((low >= 'a' && low <= 'z') || (inner && !word.empty()) || (c & 0x80)) {
      word += low;
      continue;
    }
    said.has_code |= c == '=' || c == ';' || c == '{' || c == '}' || c == '"';
    said.number |= c >= '0' && c <= '9';
    if (word.empty()) continue;
    // An ellipsis is not a word.
    if (word != "\xE2\x80\xA6" && !is_arrows(word)) {
      static const Role kNoRole;
      ++said.count;
      auto entry = roles().find(word);
      if (entry == roles().end()) {
        word = corrected(word);
        entry = roles().find(word);
      }
      const Role& role = entry == roles().end() ? kNoRole : entry->second;
      said.rest |= role.rest;
      said.only_other &= !role.rest || word == "other" || word == "others";
      said.wholes += role.whole;
      said.hint |= role.hint;
      said.unknown += !role.known;
      for (const std::string_view state : role.states)
        states.emplace_back(said.words.size(), state);
      said.words.append(word).push_back(' ');
    }
    word.clear();
  }
  for (const auto& [at, state] : states) {
    const std::string_view rest = std::string_view(said.words).substr(at);
    if (!rest.starts_with(state) || rest[state.size()] != ' ') continue;
    said.state = true;
    // Words that say so together may say something else alone.
    for (const auto part : std::views::split(state, ' ')) {
      const auto entry = roles().find(std::string_view(part.begin(), part.end()));
      if (said.unknown > 0 && (entry == roles().end() || !entry->second.known)) --said.unknown;
    }
  }
  said.stays = std::ranges::any_of(kStay, [&](std::string_view end) {
    return std::string_view(said.words).ends_with(" " + std::string(end) + " ");
  });
  return said;
}

bool has_foreign_phrase(std::string_view text) {
  const std::string low = lower(text);
  const auto is_letter = [](char c) { return (c & 0x80) || (c >= 'a' && c <= 'z'); };
  for (size_t i = 0; i < low.size(); ++i) {
    const auto first = static_cast<unsigned char>(low[i]);
    if (i > 0 && first < 0xE0 && is_letter(low[i - 1])) continue;
    for (const std::string_view part : foreign_parts()[first])
      if (low.compare(i, part.size(), part) == 0) return true;
  }
  return false;
}

}  // namespace bodkin
