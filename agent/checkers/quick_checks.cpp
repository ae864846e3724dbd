#include "agent/checkers/quick_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <initializer_list>
#include <span>
#include <vector>

#include "agent/checkers/imports.h"
#include "agent/checkers/server_view.h"
#include "agent/sandbox/sandbox.h"
#include "agent/support/process.h"
#include "agent/support/shown_text.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

using namespace std::chrono_literals;

constexpr size_t kMaxPragma = 4096;  // bytes at the top that have it
constexpr auto kQuickLimit = 10s;
constexpr const char* kLanguage = "LANGUAGE=en";  // of messages; text is decoded as ever

constexpr std::string_view kMayBeNewer = "or newer than Python";

// Isolated from the user's site packages and the current folder; prints "text:N: what is wrong".
// Before 3.13 it only says "invalid syntax" about syntax that is newer than it is.
constexpr const char* kPython = R"(import sys, warnings
warnings.simplefilter("ignore")
try:
    compile(sys.stdin.buffer.read(), "text", "exec", dont_inherit=True)
except (SyntaxError, ValueError) as error:
    message = str(getattr(error, "msg", error))
    if message == "invalid syntax" and sys.version_info < (3, 13):
        message += ", or newer than Python %d.%d" % sys.version_info[:2]
    sys.exit("text:%d: %s" % (getattr(error, "lineno", 1) or 1, message))
)";

// Reads the text from its standard input. perl -c is not among them: it runs BEGIN blocks.
struct QuickKind {
  std::string_view language;
  const char* name;                    // for the user
  std::vector<const char*> arguments;  // the program first
  // The text before a line number in messages about the input, at the beginning of a message or
  // after a blank or a slash. A launcher that fails may name lines of its own.
  const char* form;
  // The other ways in which a file may be right: JavaScript may be a module, and a bash script may
  // turn on extended patterns. It is wrong only if every way fails.
  std::vector<const char*> other = {};
  int oldest = 0;  // 100 major + minor: an older one rejects what the language has by now
};

std::span<const QuickKind> quick_kinds() {
  static const QuickKind kKinds[] = {
      {"shellscript", "bash -n", {"bash", "-n"}, "bash: line ", {"bash", "-O", "extglob", "-n"}},
      {"shellscript", "dash -n", {"dash", "-n"}, "dash: "},
      {"shellscript", "sh -n", {"sh", "-n"}, "sh: "},
      {"javascript",
       "node --check",
       {"node", "--input-type=module", "--check", "-"},
       "[stdin]:",
       {"node", "--check", "-"},
       1800},
      {"python", "python3", {"python3", "-I", "-S", "-c", kPython}, "text:"},
      {"ruby", "ruby -c", {"ruby", "--disable=gems,rubyopt", "-c", "-"}, "-:", {}, 304},
      {"php", "php -l", {"php", "-n", "-l"}, "on line ", {}, 805},
      {"go", "gofmt -e", {"gofmt", "-e", "-l"}, "<standard input>:"},
  };
  return kKinds;
}

// The shell that runs it; empty: none of those that are known.
std::string_view shell_of(std::string_view first_line) {
  if (!first_line.starts_with("#!")) return "bash";
  for (const std::string_view shell : {"bash", "dash", "sh"}) {
    bool is_named = false;
    each_word(first_line, [&](std::string_view word) { is_named = is_named || word == shell; });
    if (is_named) return shell;
  }
  return "";
}

const QuickKind* kind_for(const Language& language, const std::string& path, const Text& text) {
  if (path.ends_with(".bats") || path.ends_with(".jsx") || is_dialect(language, path, text))
    return nullptr;
  const bool is_shell = language.id == "shellscript";
  const std::string_view shell = is_shell ? shell_of(text.line(0)) : "";
  for (const QuickKind& kind : quick_kinds())
    if (kind.language == language.id && (!is_shell || shell == kind.arguments[0])) return &kind;
  return nullptr;
}

// "bash: line 4: …", "[stdin]:4", "… on line 4": the number, and where its digits end.
std::optional<std::pair<size_t, size_t>> number_in(std::string_view line, std::string_view form) {
  for (size_t at = line.find(form); at != line.npos; at = line.find(form, at + 1)) {
    size_t begin = at + form.size(), number = 0;
    if (at > 0 && line[at - 1] != ' ' && line[at - 1] != '/') continue;
    if (line.substr(begin).starts_with("line ")) begin += 5;  // sh may be bash
    const auto [end, status] =
        std::from_chars(line.data() + begin, line.data() + line.size(), number);
    if (status == std::errc()) return std::pair(number, static_cast<size_t>(end - line.data()));
  }
  return std::nullopt;
}

// False: the output names none of the text's lines.
bool read_error(std::string_view output, std::string_view form, size_t line_count,
                QuickAnswer& answer) {
  bool is_placed = false;
  each_line(output, [&](std::string_view line) {
    const auto number = number_in(line, form);
    if (number && !is_placed && number->first <= line_count + 1) {
      is_placed = true;
      answer.line = number->first;
      std::string_view rest = line.substr(number->second);
      while (!rest.empty() && std::string_view(":0123456789 ").contains(rest[0]))
        rest.remove_prefix(1);
      answer.message = trimmed(rest.empty() ? line.substr(0, line.find(" in ")) : rest);
    }
    // node puts it below the line.
    if (line.starts_with("SyntaxError: ")) answer.message = line.substr(line.find(' ') + 1);
  });
  if (answer.message.empty() || answer.message.starts_with("[stdin]"))
    answer.message = "syntax error";
  answer.message = plain_line(answer.message);
  return is_placed;
}

Result<ProcessOutcome> run(const std::vector<const char*>& words, const std::string& input,
                           const std::string& root, const std::stop_token& stop) {
  const auto program = find_program(words[0], {root});
  if (!program) return std::unexpected(program.error());
  ProcessRequest request;
  request.arguments.assign(words.begin(), words.end());
  request.arguments[0] = *program;
  request.name = words[0];
  request.timeout = kQuickLimit;
  request.set_variables = {kLanguage};
  if (sandbox_ability().kind != Confinement::none) {
    const ServerCommand command{.kind = &server_kind(""), .arguments = {*program}};
    auto walled = sandboxed_server(request.arguments, places_of_server(command, root),
                                   {search_path({root}), kLanguage}, stop);
    if (!walled) return std::unexpected(walled.error());
    request.arguments = std::move(walled->arguments);
    request.input = std::move(walled->first_input);
  }
  request.input += input;
  return run_process(request, stop);
}

// "v20.1.0", "PHP 8.2.7 (cli)": 2001, 802.
int version_in(std::string_view words) {
  int numbers[2] = {0, 0};
  const char* at = words.data() + std::min(words.find_first_of("0123456789"), words.size());
  const char* const end = words.data() + words.size();
  for (int& number : numbers) {
    at = std::from_chars(at, end, number).ptr;
    at += at < end && *at == '.' ? 1 : 0;
  }
  return 100 * numbers[0] + numbers[1];
}

// False for a script that is run by itself, if neither it nor what it reads sets the option.
bool may_turn_on_patterns(const Text& text) {
  if (!text.line(0).starts_with("#!") || text.str().contains("extglob")) return true;
  for (size_t i = 0; i < text.line_count(); ++i) {
    bool reads_another = false;
    each_word(text.line(i), [&](std::string_view word) {
      reads_another = reads_another || word == "source" || word == "eval";
    });
    if (reads_another || trimmed(text.line(i)).starts_with(". ")) return true;
  }
  return false;
}

// Whether it is a shell's message about a text that ends too early, which no option changes.
bool ends_early(std::string_view message) {
  return contains_any(message, {"unexpected end of file", "unexpected EOF",
                                "end of file unexpected", "Unterminated quoted"});
}

}  // namespace

bool is_dialect(const Language& language, const std::string& path, const Text& text) {
  if (language.id == "javascript")
    return path.ends_with(".js.flow") ||
           std::string_view(text.str()).substr(0, kMaxPragma).contains("@flow");
  if (language.id != "shellscript") return false;
  const std::string name(last_part(path)), first = text.line(0);
  const bool is_named = std::ranges::any_of(
      std::initializer_list<const char*>{".zsh", ".zshrc", ".zprofile", ".zshenv", ".zlogin",
                                         ".zlogout", ".zsh-theme"},
      [&](const char* ending) { return name.ends_with(ending); });
  return is_named || first.starts_with("#compdef") ||
         (first.starts_with("#!") && first.contains("zsh"));
}

std::optional<QuickAnswer> quick_check(const Language& language, const std::string& path,
                                       const Text& text, const std::string& root,
                                       const std::stop_token& stop) {
  const QuickKind* kind = kind_for(language, path, text);
  if (!kind) return std::nullopt;
  QuickAnswer answer{.by = kind->name};
  for (const auto* words : {&kind->arguments, &kind->other}) {
    if (words->empty()) continue;
    const auto outcome = run(*words, text.str(), root, stop);
    if (!outcome) return std::nullopt;
    const bool is_right = outcome->exit_code == 0;
    if (is_right && words == &kind->other && language.id == "shellscript" &&
        !may_turn_on_patterns(text)) {
      answer.is_certain = true;
      return answer;
    }
    answer.is_right = is_right;
    if (is_right) return answer;
    const std::string said = outcome->errors + "\n" + outcome->output;
    if (answer.message.empty() && !read_error(said, kind->form, text.line_count(), answer)) {
      answer.failure = fmt::format("{} could not be run: {}", kind->arguments[0],
                                   plain_line(trimmed(said).substr(0, trimmed(said).find('\n'))));
      return answer;
    }
  }
  // Decorators are for what compiles JavaScript before it runs.
  if (language.id == "javascript" && answer.line > 0 &&
      trimmed(text.line(answer.line - 1)).starts_with('@'))
    return std::nullopt;
  if (kind->oldest > 0) {
    const auto version = run({kind->arguments[0], "--version"}, "", root, stop);
    if (!version) return std::nullopt;
    if (version_in(version->output) < kind->oldest)
      answer.failure = fmt::format("{} is older than {}.{}", kind->arguments[0], kind->oldest / 100,
                                   kind->oldest % 100);
  }
  answer.is_certain = language.id == "shellscript" && ends_early(answer.message);
  answer.may_be_newer = answer.message.contains(kMayBeNewer);
  return answer;
}

}  // namespace bodkin
