#include "agent/ask/output_problems.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "agent/support/json.h"
#include "agent/support/utf8.h"
#include "agent/support/wire_json.h"
#include "edits/text/line_keys.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxProblems = 200;
constexpr size_t kMaxLine = 4'000;  // bytes; longer lines are not messages

std::string without_colours(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && !std::isalpha(static_cast<unsigned char>(text[i]))) ++i;
    } else if (text[i] != '\r') {
      result += text[i];
    }
  }
  return result;
}

// Takes a number from the front.
std::optional<size_t> take_number(std::string_view& text) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number == 0) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// "error", "fatal error", "warning", with the code next to it: "error TS2322", "error[E0308]".
struct Level {
  Severity severity = Severity::error;
  std::string code;
};
std::optional<Level> take_level(std::string_view& text) {
  const std::string_view before = text;
  Level level;
  if (take(text, "fatal error") || take(text, "error") || take(text, "Error")) {
  } else if (take(text, "warning") || take(text, "Warning")) {
    level.severity = Severity::warning;
  } else {
    return std::nullopt;
  }
  if (take(text, "[")) {
    level.code = text.substr(0, text.find(']'));
    text.remove_prefix(std::min(text.size(), level.code.size() + 1));
  } else if (take(text, " ")) {
    level.code = text.substr(0, text.find(':'));
    text.remove_prefix(level.code.size());
    if (level.code.find(' ') != std::string::npos) level.code.clear(), text = {};
  }
  if (take(text, ":")) return level;
  text = before;
  return std::nullopt;
}

// "unused variable 'x' [-Wunused-variable]": the code after the message.
void split_code(std::string_view& message, std::string& code) {
  const size_t open = message.rfind('[');
  if (!message.ends_with(']') || open == 0 || open == message.npos) return;
  const std::string_view inside = message.substr(open + 1, message.size() - open - 2);
  const bool is_project = inside.ends_with("proj");  // of msbuild
  if (!is_project && (!code.empty() || inside.find(' ') != inside.npos)) return;
  if (!is_project) code = inside;
  message = trimmed(message.substr(0, open));
}

bool looks_like_path(std::string_view path) {
  return !path.empty() && path.size() < 500 && path.find_first_of("\"'<>|*?=,;{}") == path.npos &&
         path.find("://") == path.npos && path.find_first_of("./\\") != path.npos;
}

struct Place {
  std::string_view path;
  size_t line = 0;
  std::string_view rest;         // after the place
  bool has_parentheses = false;  // "a.ts(3,5)"
};

// The place at the beginning of a line: "a.c:3:5: …", "a.c:3: …", "a.ts:3:5 - …", "a.ts(3,5): …".
std::optional<Place> place_at_front(std::string_view text) {
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] != ':' && text[i] != '(') continue;
    std::string_view rest = text.substr(i + 1);
    if (rest.starts_with('0')) return std::nullopt;  // lines count from 1
    const auto line = take_number(rest);
    if (!line) continue;
    if (text[i] == '(') {
      if (take(rest, ",")) (void)take_number(rest);
      if (!take(rest, "):") && !take(rest, ") :")) continue;
    } else if (take(rest, ":")) {
      if (take_number(rest) && !take(rest, ":") && !rest.starts_with(" ")) continue;
    } else if (!rest.starts_with(" ")) {
      continue;
    }
    if (!looks_like_path(text.substr(0, i))) return std::nullopt;
    return Place{text.substr(0, i), *line, trimmed(rest), text[i] == '('};
  }
  return std::nullopt;
}

class Reader {
 public:
  void read(std::string_view line);
  std::vector<CheckedProblem> take_all() { return std::move(problems_); }
  bool is_full() const { return problems_.size() >= kMaxProblems; }

 private:
  void add(std::string_view path, size_t line, Severity severity, std::string_view code,
           std::string_view message, const char* source);
  bool read_json(std::string_view line);
  bool read_rust(std::string_view line);
  bool read_eslint(std::string_view line);
  bool read_python(std::string_view line);

  std::vector<CheckedProblem> problems_;
  std::optional<Level> rust_;  // whose place comes in one of the next lines
  std::string rust_message_;
  std::string eslint_path_;     // a line with nothing but a path
  std::string traceback_path_;  // the innermost place of a traceback
  size_t traceback_line_ = 0;
  std::string pytest_error_;  // the first "E   …" of a failure
};

void Reader::add(std::string_view path, size_t line, Severity severity, std::string_view code,
                 std::string_view message, const char* source) {
  CheckedProblem problem{valid_utf8(std::string(path)),
                         line,
                         severity,
                         valid_utf8(std::string(code)),
                         valid_utf8(std::string(trimmed(message))),
                         source};
  const bool is_known = std::ranges::any_of(problems_, [&](const CheckedProblem& each) {
    return each.path == problem.path && each.line == problem.line &&
           each.message == problem.message;
  });
  if (!is_known && !is_full()) problems_.push_back(std::move(problem));
}

// rustc's own JSON, or cargo's around it.
bool Reader::read_json(std::string_view line) {
  if (!line.starts_with('{')) return false;
  const auto parsed = parse_object(line);
  if (!parsed) return false;
  const json& inner = at(*parsed, "message");
  const json& message = inner.is_object() ? inner : *parsed;
  const std::string level = string_at(message, "level");
  if (level != "error" && level != "warning") return true;
  for (const json& span : at(message, "spans")) {
    if (at(span, "is_primary") != true) continue;
    add(string_at(span, "file_name"),
        static_cast<size_t>(std::max<int64_t>(int_at(span, "line_start"), 0)),
        level == "error" ? Severity::error : Severity::warning,
        string_at(at(message, "code"), "code"), string_at(message, "message"), "rustc");
    break;
  }
  return true;
}

// "error[E0308]: mismatched types", then "  --> src/main.rs:4:5".
bool Reader::read_rust(std::string_view line) {
  std::string_view rest = line;
  if (const auto level = take_level(rest)) {
    rust_ = level;
    rust_message_ = trimmed(rest);
    return true;
  }
  if (!rust_) return false;
  rest = trimmed(line);
  if (!take(rest, "--> ")) return false;
  const size_t colon = rest.find(':');
  if (colon == rest.npos) return false;
  std::string_view number = rest.substr(colon + 1);
  if (const auto at_line = take_number(number))
    add(rest.substr(0, colon), *at_line, rust_->severity, rust_->code, rust_message_, "rustc");
  rust_.reset();
  return true;
}

// A line that is a path, then "  3:5  error  'x' is not defined  no-undef".
bool Reader::read_eslint(std::string_view line) {
  if (!line.starts_with(' ')) {
    const bool is_path = looks_like_path(line) && line.find(' ') == line.npos &&
                         line.find(':') == line.npos && line.find('.') != line.npos;
    eslint_path_ = is_path ? line : std::string_view();
    return is_path;
  }
  if (eslint_path_.empty()) return false;
  std::string_view rest = trimmed(line);
  const auto number = take_number(rest);
  if (!number || !take(rest, ":") || !take_number(rest)) return false;
  rest = trimmed(rest);
  const bool is_error = take(rest, "error ");
  if (!is_error && !take(rest, "warning ")) return false;
  rest = trimmed(rest);
  const size_t gap = rest.rfind("  ");
  const std::string_view code = gap == rest.npos ? std::string_view() : trimmed(rest.substr(gap));
  add(eslint_path_, *number, is_error ? Severity::error : Severity::warning, code,
      rest.substr(0, gap), "eslint");
  return true;
}

// Tracebacks end with the error, "ValueError: …"; pytest shows "E   assert 1 == 2", then "a.py:3:
// AssertionError".
bool Reader::read_python(std::string_view line) {
  if (line.starts_with("E  ")) {
    if (pytest_error_.empty()) pytest_error_ = trimmed(line.substr(1));
    return true;
  }
  std::string_view rest = trimmed(line);
  if (take(rest, "File \"")) {
    const size_t quote = rest.find("\", line ");
    if (quote == rest.npos) return false;
    std::string_view number = rest.substr(quote + 8);
    if (const auto at_line = take_number(number)) {
      traceback_path_ = rest.substr(0, quote);
      traceback_line_ = *at_line;
    }
    return true;
  }
  if (traceback_path_.empty() || line.starts_with(' ') || line.empty()) return false;
  const size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  if (name.find(' ') != name.npos ||
      (!name.ends_with("Error") && !name.ends_with("Exception") && !name.ends_with("Warning")))
    return false;
  add(traceback_path_, traceback_line_, Severity::error, name, line, "python");
  traceback_path_.clear();
  return true;
}

void Reader::read(std::string_view line) {
  if (line.size() > kMaxLine && !line.starts_with('{')) return;
  if (read_json(line) || read_python(line) || read_rust(line) || read_eslint(line)) return;
  line = trimmed(line);
  take(line, "vet: ");  // go's
  const auto place = place_at_front(line);
  if (!place) return;
  std::string_view rest = place->rest;
  take(rest, "- ");
  if (const auto level = take_level(rest)) {
    std::string code = level->code;
    std::string_view message = trimmed(rest);
    split_code(message, code);
    const bool is_tsc = code.starts_with("TS");
    add(place->path, place->line, level->severity, code, message,
        is_tsc                   ? "tsc"
        : place->has_parentheses ? "msbuild"
                                 : "the compiler");
  } else if (place->path.ends_with(".py") && !pytest_error_.empty() &&
             rest.find(' ') == rest.npos) {
    add(place->path, place->line, Severity::error, rest, pytest_error_, "pytest");
    pytest_error_.clear();
  } else if (place->path.ends_with(".go") && !rest.empty()) {
    add(place->path, place->line, Severity::error, "", rest, "go");
  } else if (rest.ends_with(']')) {  // eslint's format "unix": "message [Error/no-undef]"
    const size_t open = rest.rfind('[');
    std::string_view code = rest.substr(open + 1, rest.size() - open - 2);
    const bool is_error = take(code, "Error/");
    if (is_error || take(code, "Warning/"))
      add(place->path, place->line, is_error ? Severity::error : Severity::warning, code,
          rest.substr(0, open), "eslint");
  }
}

}  // namespace

std::vector<CheckedProblem> problems_in(std::string_view output) {
  const std::string text = without_colours(output);
  Reader reader;
  for (const std::string_view line : split_lines(text)) {
    if (reader.is_full()) break;
    reader.read(line);
  }
  return reader.take_all();
}

}  // namespace bodkin
