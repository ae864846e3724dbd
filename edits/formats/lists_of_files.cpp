#include "edits/formats/lists_of_files.h"

#include <algorithm>
#include <optional>

#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

constexpr size_t kMostItems = 40;  // lines that are looked at above one

// What an item of a list has beside its name.
struct Shape {
  std::string before;  // the name: "- ", "# ", "1. update"
  bool has_remark = false;
  bool operator==(const Shape&) const = default;
};

bool begins_with_bullet(std::string_view line) {
  return !line.empty() && is_among(line[0], "-*+") && line.substr(1).starts_with(' ');
}

// Of a trimmed line that has the name; nothing: it does not have it as it is written. All bullets
// are one, and so are all numbers, branches of a tree and words before a colon: "modified: ".
std::optional<Shape> shape_of(std::string_view line, std::string_view name) {
  name.remove_prefix(name.rfind('/') + 1);
  size_t at = line.find(name);
  if (at == line.npos) return std::nullopt;
  const std::string_view behind = line.substr(at + name.size());
  while (at > 0 && !is_space(line[at - 1]) && !is_among(line[at - 1], "`*\"'([")) --at;
  std::string_view rest = line.substr(0, at);
  const size_t colon = rest.rfind(':');
  if (colon != rest.npos) rest = rest.substr(colon);
  Shape shape;
  if (begins_with_bullet(rest)) shape.before = "-", rest.remove_prefix(1);
  for (const char c : rest) {
    if (is_space(c) || is_among(c, "`*\"'([")) continue;
    const char kind = c >= '0' && c <= '9' ? '1' : static_cast<unsigned char>(c) >= 0x80 ? '~' : c;
    if (kind == c || !shape.before.ends_with(kind)) shape.before += kind;
  }
  shape.has_remark = std::ranges::any_of(
      behind, [](char c) { return is_word_char(c) && static_cast<unsigned char>(c) < 0x80; });
  return shape;
}

// True if the two are items of one list, though the first names no file.
bool is_item_beside(std::string_view line, std::string_view item) {
  if (line.empty() || item.empty()) return false;
  const auto is_number = [](char c) { return c >= '0' && c <= '9'; };
  return (begins_with_bullet(line) && begins_with_bullet(item)) ||
         (is_number(line[0]) && is_number(item[0]));
}

// True for "src/" above a line that is further in.
bool is_folder_of(std::string_view above, std::string_view text) {
  return above.ends_with('/') && !above.contains("://") &&
         trimmed(above).find_first_of(" \t") == above.npos && depth_of(above) < depth_of(text);
}

}  // namespace

std::string item_above(const ReplyLines& reply, size_t line, std::string_view name,
                       const IsFile& is_file) {
  const std::string_view text = trimmed(reply.lines[line]);
  if (fence_info(text) || text.ends_with(':') || text.ends_with(kWideColon)) return "";
  std::string other;
  std::optional<Shape> shape;
  for (size_t i = line; i > 0 && line - i < kMostItems && !reply.taken[i - 1];) {
    const std::string_view written = trimmed_right(reply.lines[--i]), above = trimmed(written);
    if (above.empty()) continue;
    if (is_folder_of(written, reply.lines[line]))
      return name.starts_with(above) ? other : std::string(above);
    if (fence_info(above)) break;
    if (!shape) shape = shape_of(text, name);
    const std::vector<std::string> names = files_named_in(above, is_file);
    if (names.empty() && is_item_beside(above, text)) continue;
    if (names.size() != 1 || !shape || shape_of(above, names[0]) != shape) break;
    // The list has it: below the list it is named again.
    if (names[0] == name) return "";
    if (other.empty()) other = names[0];
  }
  return other;
}

}  // namespace bodkin
