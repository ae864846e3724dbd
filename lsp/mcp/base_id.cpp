#include "lsp/mcp/base_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agent/support/fnv1a.h"
#include "edits/text/pieces.h"

namespace bodkin::mcp {

namespace {

constexpr size_t kMaxEntries = 20;  // an id must not be cut in the middle where a result is
constexpr std::string_view kAll = "all-", kDiff = "diff-";

std::string entry_of_diff(std::string_view diff) {
  return fmt::format("{}{:016x}", kDiff, fnv1a(diff));
}

std::string entry_of_all(const std::vector<BaseText>& texts) {
  std::set<std::string> entries;
  for (const BaseText& text : texts) entries.insert(base_entry(text.path, text.bytes));
  std::string joined;
  for (const std::string& entry : entries) joined += entry;
  return fmt::format("{}{:016x}", kAll, fnv1a(joined));
}

bool is_entry(std::string_view word) {
  for (const std::string_view kind : {kAll, kDiff}) {
    if (!word.starts_with(kind)) continue;
    word.remove_prefix(kind.size());
    break;
  }
  return word.size() == 16 && word.find_first_not_of("0123456789abcdef") == word.npos;
}

}  // namespace

std::string base_entry(std::string_view path, std::string_view bytes) {
  const uint64_t of_path = fnv1a(std::string_view("\0", 1), fnv1a(path));
  return fmt::format("{:016x}", fnv1a(bytes, of_path));
}

std::string base_of(const std::vector<BaseText>& texts, std::string_view diff) {
  std::string base = texts.size() > kMaxEntries ? entry_of_all(texts) + "," : "";
  if (base.empty())
    for (const BaseText& text : texts) base += base_entry(text.path, text.bytes) + ",";
  return base + entry_of_diff(diff);
}

std::string why_other_base(std::string_view base, const std::vector<BaseText>& texts,
                           std::string_view diff, bool must_be_shown) {
  std::set<std::string, std::less<>> named;
  for (std::string_view word : split(base, ',')) {
    if (word.starts_with("base ")) word.remove_prefix(5);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ') || word.ends_with('\n')) word.remove_suffix(1);
    if (word.empty()) continue;
    if (!is_entry(word))
      return "that is not a base id; copy what follows \"base \" in an earlier result";
    named.emplace(word);
  }
  const bool has_all = named.contains(entry_of_all(texts));
  for (const BaseText& text : texts) {
    if (has_all || named.contains(base_entry(text.path, text.bytes))) continue;
    return std::ranges::any_of(named, [](const auto& each) { return each.starts_with(kAll); })
               ? "not all of the files are as they were when this base id was made"
               : text.path + " is not as it was when this base id was made";
  }
  if (named.contains(entry_of_diff(diff))) return "";
  if (std::ranges::any_of(named, [](const auto& each) { return each.starts_with(kDiff); }))
    return "this base id belongs to a different change";
  if (must_be_shown) return "this base id did not come with the diff of this change";
  return "";
}

}  // namespace bodkin::mcp
