#include "edits/align/spelling.h"

#include <algorithm>
#include <map>

#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

// Where the characters of a quoted line begin, in it and in the file's line; and both ends. Empty
// if they differ in more than typographic signs.
std::vector<std::pair<size_t, size_t>> same_characters(std::string_view quoted,
                                                       std::string_view ours) {
  std::vector<std::pair<size_t, size_t>> found;
  size_t i = 0, j = 0;
  while (i < quoted.size() || j < ours.size()) {
    found.emplace_back(i, j);
    const auto sign = typographic_at(quoted.substr(i)), other = typographic_at(ours.substr(j));
    if (other && other->plain.empty() && !(sign && sign->written == other->written)) {
      j += other->written.size();
    } else if (sign && sign->plain.empty() && !(other && sign->written == other->written)) {
      i += sign->written.size();
    } else if (!sign && !other) {
      if (quoted.substr(i, 1) != ours.substr(j, 1)) return {};
      ++i, ++j;
    } else {
      const std::string_view plain = sign ? sign->plain : other->plain;
      if (!(sign && other ? sign->plain == other->plain
                          : (sign ? ours.substr(j) : quoted.substr(i)).starts_with(plain)))
        return {};
      i += sign ? sign->written.size() : plain.size();
      j += other ? other->written.size() : plain.size();
    }
  }
  found.emplace_back(i, j);
  return found;
}

// The bytes that two lines have in common at their beginning, and then at their end.
std::pair<size_t, size_t> common_ends(std::string_view one, std::string_view other) {
  const auto top = std::ranges::mismatch(one, other).in1 - one.begin();
  one.remove_prefix(static_cast<size_t>(top)), other.remove_prefix(static_cast<size_t>(top));
  const auto bottom =
      std::mismatch(one.rbegin(), one.rend(), other.rbegin(), other.rend()).first - one.rbegin();
  return {top, bottom};
}

size_t word_length(std::string_view text) {
  return static_cast<size_t>(std::ranges::find_if(text, is_space) - text.begin());
}

template <class Take>
void for_each_word(std::string_view text, const Take& take) {
  while (!(text = trimmed(text)).empty()) {
    take(text.substr(0, word_length(text)));
    text.remove_prefix(word_length(text));
  }
}

// The words of a quoted line, parted by blanks, as the file's line has them; nothing for one that
// it has in several spellings.
using Words = std::map<std::string_view, std::optional<std::string>>;
Words words_as_in(std::string_view quoted, std::string_view ours,
                  const std::vector<std::pair<size_t, size_t>>& same) {
  Words words;
  const auto place_of = [&](size_t at) {
    return std::ranges::lower_bound(same, at, {}, &std::pair<size_t, size_t>::first)->second;
  };
  for_each_word(quoted, [&](std::string_view word) {
    const size_t at = static_cast<size_t>(word.data() - quoted.data()), begin = place_of(at);
    std::string written(ours.substr(begin, place_of(at + word.size()) - begin));
    const auto [found, is_new] = words.try_emplace(word, written);
    if (!is_new && found->second != written) found->second.reset();
  });
  return words;
}

// True if the new line has a sign alone that the quote has not, or not there: a bullet, an option.
bool adds_sign_alone(std::string_view quoted, std::string_view text) {
  const auto is_sign = [](std::string_view word) {
    return word.find_first_not_of("-\"'`.") == word.npos;
  };
  std::map<std::string_view, int> left;
  for_each_word(quoted, [&](std::string_view word) { ++left[word]; });
  const std::string_view first = text.substr(0, word_length(text));
  bool adds = is_sign(first) && !quoted.starts_with(first);
  for_each_word(text, [&](std::string_view word) { adds |= is_sign(word) && --left[word] < 0; });
  return adds;
}

bool is_in_word(std::string_view text, size_t at) {
  return at < text.size() && is_word_char(text[at]);
}

// A word that the line `ours` does not have. An apostrophe between letters is the one that the line
// has there. Nullopt: another plain sign is left that the line has otherwise.
std::optional<std::string> respelled_word(std::string_view word, std::string_view ours,
                                          const Spellings& spellings, const MappedText& file) {
  std::vector<Typographic> signs;  // of the line, that have a plain spelling
  std::string_view apostrophe;
  for (size_t at = 0; at < ours.size(); ++at) {
    const auto sign = typographic_at(ours.substr(at));
    if (!sign || sign->plain.empty() || sign->plain == " ") continue;
    signs.push_back(*sign);
    if (sign->plain == "'" && at > 0 && is_in_word(ours, at - 1) &&
        is_in_word(ours, at + sign->written.size()))
      apostrophe = sign->written;
  }
  std::string out = respelled(word, spellings, file);
  for (size_t at = 1; !apostrophe.empty() && at < out.size(); ++at)
    if (out[at] == '\'' && is_in_word(out, at - 1) && is_in_word(out, at + 1))
      out.replace(at, 1, apostrophe);
  for (const Typographic& sign : signs)
    if (out.contains(sign.plain)) return std::nullopt;
  return out;
}

}  // namespace

void learn_spelling(std::string_view quoted, std::string_view ours, Spellings& spellings) {
  quoted = trimmed(quoted), ours = trimmed(ours);
  if (is_ascii(quoted) || quoted == ours) return;
  Spellings found;
  while (!quoted.empty() && !ours.empty()) {
    const auto sign = typographic_at(quoted), other = typographic_at(ours);
    if (quoted.front() == ours.front() && !sign && !other) {
      quoted.remove_prefix(1), ours.remove_prefix(1);
      continue;
    }
    const std::string_view left = sign ? sign->written : quoted.substr(0, 1),
                           right = other
                                       ? other->written
                                       : ours.substr(
                                             0, sign ? std::max<size_t>(sign->plain.size(), 1) : 1);
    if ((sign ? sign->plain : left) != (other ? other->plain : right)) return;
    if (sign && left != right) found.emplace_back(left, right);
    quoted.remove_prefix(left.size()), ours.remove_prefix(right.size());
  }
  spellings.insert(spellings.end(), found.begin(), found.end());
}

std::string respelled(std::string_view text, const Spellings& spellings, const MappedText& file) {
  std::string out;
  // "it’s", where the file writes that sign, too.
  const auto is_word_of_file = [&](std::string_view sign) {
    const std::string_view rest = text.substr(sign.size());
    return !out.empty() && is_in_word(out, out.size() - 1) && is_in_word(rest, 0) &&
           file.bytes().find(sign) != std::string_view::npos;
  };
  while (!text.empty()) {
    const auto found = std::ranges::find_if(
        spellings.rbegin(), spellings.rend(),
        [&](const auto& spelling) { return text.starts_with(spelling.first); });
    const bool is_one = found != spellings.rend() && !is_word_of_file(found->first);
    if (is_one) {
      out += found->second;
      text.remove_prefix(found->first.size());
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

size_t bytes_in_common(std::string_view one, std::string_view other) {
  const auto [top, bottom] = common_ends(one, other);
  std::vector<std::string_view> words;
  for_each_word(one, [&](std::string_view word) { words.push_back(word); });
  size_t in_words = 0;
  for_each_word(other, [&](std::string_view word) {
    if (std::ranges::find(words, word) != words.end()) in_words += word.size() + 1;
  });
  return std::max(top + bottom, in_words);
}

std::optional<std::string> with_signs_of(std::string_view ours, std::string_view quoted,
                                         std::string_view text, const Spellings& spellings,
                                         const MappedText& file) {
  const auto same = same_characters(quoted, ours);
  if (same.empty()) return respelled(text, spellings, file);
  const auto [top, bottom] = common_ends(quoted, text);
  // The last character that begins in the common beginning, and the first one in the common end.
  const auto begin = *std::ranges::find_if(same.rbegin(), same.rend(),
                                           [&](const auto& one) { return one.first <= top; });
  const auto end = *std::ranges::find_if(same, [&](const auto& one) {
    return one.first >= quoted.size() - bottom && one.second >= begin.second;
  });
  const bool is_cut = begin.first > 0 && quoted[begin.first - 1] == '-' &&
                      (begin.first == quoted.size() || is_space(quoted[begin.first])) !=
                          (begin.first == text.size() || is_space(text[begin.first]));
  if (is_cut || adds_sign_alone(quoted, text)) return std::nullopt;
  const size_t changed_end = text.size() - (quoted.size() - end.first);
  // The words between, as the file has them if it has them once in the line.
  const auto words = words_as_in(quoted, ours, same);
  std::string out(ours.substr(0, begin.second));
  for (size_t at = begin.first; at < changed_end;) {
    const size_t length = std::min(word_length(text.substr(at)), changed_end - at);
    const std::string_view word = text.substr(at, std::max(length, size_t{1}));
    const bool is_whole = (at == 0 || is_space(text[at - 1])) &&
                          (at + length == text.size() || is_space(text[at + length]));
    const auto found = is_whole ? words.find(word) : words.end();
    const auto now =
        found != words.end() ? found->second : respelled_word(word, ours, spellings, file);
    if (!now) return std::nullopt;
    out += *now;
    at += word.size();
  }
  return out.append(ours.substr(end.second));
}

}  // namespace bodkin
