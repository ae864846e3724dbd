#include "edits/align/spelling.h"

#include <algorithm>

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
  const auto is_letter = [](char c) {
    return ((c | 32) >= 'a' && (c | 32) <= 'z') || static_cast<unsigned char>(c) >= 0x80;
  };
  // "it’s", where the file writes that sign, too.
  const auto is_word_of_file = [&](std::string_view sign) {
    const std::string_view rest = text.substr(sign.size());
    return !out.empty() && is_letter(out.back()) && !rest.empty() && is_letter(rest.front()) &&
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

std::pair<size_t, size_t> common_ends(std::string_view one, std::string_view other) {
  const auto top = static_cast<size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
  const size_t most = std::min(one.size(), other.size()) - top;
  size_t bottom = 0;
  while (bottom < most && one[one.size() - 1 - bottom] == other[other.size() - 1 - bottom])
    ++bottom;
  return {top, bottom};
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
  const std::string_view changed =
      text.substr(begin.first, text.size() - (quoted.size() - end.first) - begin.first);
  for (size_t at = 0; at < ours.size(); ++at)  // a pair must not become half plain
    if (const auto sign = typographic_at(ours.substr(at)))
      if (!sign->plain.empty() && sign->plain != " " && changed.contains(sign->plain))
        return std::nullopt;
  return std::string(ours.substr(0, begin.second))
      .append(respelled(changed, spellings, file))
      .append(ours.substr(end.second));
}

}  // namespace bodkin
