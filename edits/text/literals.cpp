#include "edits/text/literals.h"

#include <string>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

struct Opening {
  std::string close;     // empty: nothing opens
  size_t behind = 0;     // the sign
  bool is_here = false;  // a here-document: `close` is all of its last line
  bool is_at_margin = false;
};

// "<<EOF", "<<-'EOF'", "<<~EOF", "<<<EOT" (PHP); not "1 << n".
Opening here_document(std::string_view line, size_t at) {
  size_t i = at + 2;
  if (i < line.size() && line[i] == '<') ++i;
  const bool may_move = i < line.size() && (line[i] == '-' || line[i] == '~');
  if (may_move) ++i;
  const char quote = i < line.size() && (line[i] == '\'' || line[i] == '"') ? line[i] : '\0';
  if (quote) ++i;
  size_t end = i;
  while (end < line.size() && is_word_char(line[end])) ++end;
  if (end == i || (line[i] >= '0' && line[i] <= '9')) return {};
  return {std::string(line.substr(i, end - i)), line.size(), true, !may_move};
}

// R"x(": closed by )x"
Opening raw_string(std::string_view line, size_t at) {
  const size_t open = line.find('(', at);
  if (open == line.npos || open - at > 18) return {};
  return {")" + std::string(line.substr(at + 2, open - at - 2)) + "\"", open + 1};
}

// The first literal that opens at or after `at`.
Opening opening_in(std::string_view line, size_t at) {
  char quote = 0;  // of a string on this line
  for (size_t i = at; i < line.size(); ++i) {
    const std::string_view rest = line.substr(i);
    if (rest[0] == '\\') {
      ++i;
      continue;
    }
    if (quote) {
      if (rest[0] == quote) quote = 0;
      continue;
    }
    if (rest.starts_with("\"\"\"") || rest.starts_with("'''"))
      return {std::string(rest.substr(0, 3)), i + 3};
    if (rest.starts_with("R\"") && (i == 0 || !is_word_char(line[i - 1])))
      if (Opening raw = raw_string(line, i); !raw.close.empty()) return raw;
    if (rest.starts_with("<<") && (i == 0 || line[i - 1] != '<'))
      if (Opening here = here_document(line, i); !here.close.empty()) return here;
    if (rest[0] == '`') return {"`", i + 1};
    if (rest.starts_with("[[") && i > 0 &&
        (line[i - 1] == ' ' || line[i - 1] == '=' || line[i - 1] == '('))
      return {"]]", i + 2};
    if (rest[0] == '"') quote = '"';
  }
  return {};
}

}  // namespace

std::vector<Literal> literals_in(std::span<const std::string_view> lines) {
  std::vector<Literal> out;
  for (size_t i = 0; i < lines.size();) {
    Opening open = opening_in(lines[i], 0);
    // A literal that closes on its own line does not span several lines.
    while (!open.close.empty() && !open.is_here) {
      const size_t close = lines[i].find(open.close, open.behind);
      if (close == std::string_view::npos) break;
      open = opening_in(lines[i], close + open.close.size());
    }
    if (open.close.empty()) {
      ++i;
      continue;
    }
    size_t end = i + 1;
    const auto closes = [&](std::string_view line) {
      if (!open.is_here) return line.find(open.close) != line.npos;
      const std::string_view text = trimmed(line);
      return text == open.close || (text.starts_with(open.close) &&
                                    text.size() == open.close.size() + 1 && text.back() == ';');
    };
    while (end < lines.size() && !closes(lines[end])) ++end;
    if (end == lines.size()) {
      ++i;
      continue;
    }
    out.push_back({i, end + 1, open.is_at_margin});
    i = end + 1;
  }
  return out;
}

bool is_docstring(std::string_view line) {
  std::string_view text = trimmed(line);
  while (!text.empty() && is_among(text.front(), "rRbBuUfF")) text.remove_prefix(1);
  return text.starts_with("\"\"\"") || text.starts_with("'''");
}

}  // namespace bodkin
