#include "edits/text/escapes.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

// True if there is an escape of one of these characters that is not in a string literal.
bool escapes_outside_string(std::string_view line, std::string_view escaped) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size()) {
      if (!quote && escaped.contains(line[i + 1])) return true;
      ++i;
    } else if (line[i] == '"' || line[i] == '\'') {
      quote = quote == line[i] ? '\0' : quote ? quote : line[i];
    }
  }
  return false;
}

// The first typographic sign of the text, from `at` on; npos: there is none.
size_t find_sign(std::string_view text, size_t at) {
  while (at < text.size() && !typographic_at(text.substr(at))) ++at;
  return at < text.size() ? at : text.npos;
}

std::string with_plain_signs(std::string_view text) {
  std::string out;
  for (size_t at = find_sign(text, 0); at != text.npos; at = find_sign(text, 0)) {
    const auto sign = typographic_at(text.substr(at));
    out.append(text.substr(0, at)).append(sign->plain);
    text.remove_prefix(at + sign->written.size());
  }
  return out.append(text);
}

constexpr std::pair<std::string_view, char> kEntities[] = {
    {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&#39;", '\''}};

}  // namespace

size_t gutter_of(std::string_view line) {
  const size_t begin = depth_of(line);
  const size_t at = line.find_first_not_of("0123456789", begin);
  if (at == begin || at == line.npos) return 0;
  for (const std::string_view sign :
       {" | ", " |", "| ", "|", " │ ", " │", "│", ": ", ":", "\t", "→"})
    if (line.substr(at).starts_with(sign)) return at + sign.size();
  return 0;
}

std::string without_entities(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    const auto* found = std::ranges::find_if(
        kEntities, [&](const auto& entity) { return line.starts_with(entity.first); });
    if (found != std::end(kEntities)) {
      out += found->second;
      line.remove_prefix(found->first.size());
    } else {
      out += line.front();
      line.remove_prefix(1);
    }
  }
  return out;
}

std::string without_escaped_quotes(std::string_view line) {
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() &&
        std::string_view("\\\"'`").find(line[i + 1]) != std::string_view::npos)
      ++i;
    out += line[i];
  }
  return out;
}

bool breaks_line_outside_string(std::string_view line) { return escapes_outside_string(line, "n"); }

std::vector<std::string> without_escapes(const std::vector<std::string>& lines) {
  std::vector<std::string> out(1);
  for (size_t k = 0; k < lines.size(); ++k) {
    if (k > 0) out.emplace_back();
    const std::string& line = lines[k];
    for (size_t i = 0; i < line.size(); ++i) {
      if (line[i] != '\\' || i + 1 == line.size()) {
        out.back() += line[i];
        continue;
      }
      const char escaped = line[++i];
      if (escaped == 'n')
        out.emplace_back();
      else if (escaped == 't')
        out.back() += '\t';
      else if (escaped != 'r')
        out.back() += escaped;
    }
  }
  return out;
}

bool looks_distorted(std::string_view line) {
  if (!line.contains('\\') && !line.contains('&') && is_ascii(line)) return false;
  return escapes_outside_string(line, "n\"'") || find_sign(line, 0) != line.npos ||
         std::ranges::any_of(kEntities,
                             [&](const auto& entity) { return line.contains(entity.first); });
}

std::vector<std::string> undistorted(std::string_view text) {
  const auto lines = without_escapes({std::string(text)});
  std::string unescaped = lines.front();
  for (size_t i = 1; i < lines.size(); ++i) unescaped.append("\n").append(lines[i]);
  std::vector<std::string> found = {without_entities(text), without_escaped_quotes(text),
                                    std::move(unescaped), with_plain_signs(text)};
  std::erase(found, text);
  return found;
}

}  // namespace bodkin
