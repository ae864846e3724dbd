// One class of more than 350 lines: a reader whose states (quotes, words, redirections, what a
// substitution is in) are all changed by single characters.
#include "agent/workspace/command_line.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "agent/workspace/wrapped_command.h"

namespace bodkin {

namespace {

constexpr size_t kMaxCommands = 500;

// POSIX, 2.4, and bash's own.
constexpr std::string_view kKeywords[] = {
    "!",    "{",  "}",   "[[",       "]]", "case", "coproc", "do",   "done", "elif",  "else",
    "esac", "fi", "for", "function", "if", "in",   "select", "then", "time", "until", "while"};

// A name, perhaps with a subscript, and "=" or "+=". What is assigned may be quoted.
bool is_assignment(std::string_view written) {
  size_t end = 0;
  while (end < written.size() &&
         (written[end] == '_' || std::isalnum(static_cast<unsigned char>(written[end]))))
    ++end;
  if (end == 0) return false;
  std::string_view rest = written.substr(end);
  if (rest.starts_with('[')) {
    return rest.find("]=") != rest.npos || rest.find("]+=") != rest.npos;
  }
  if (rest.starts_with('+')) rest.remove_prefix(1);
  return rest.starts_with('=');
}

constexpr int kMaxNested = 8;  // scripts in scripts; what is deeper may be anything

class CommandLineReader {
 public:
  // `depth`: of how many scripts around it. `is_document`: the text of a here-document, in which
  // only substitutions are commands.
  CommandLineReader(std::string_view line, int depth, bool is_document)
      : line_(line), depth_(depth), is_document_(is_document), quote_(is_document ? '"' : '\0') {}

  CommandLine run() {
    for (at_ = 0; at_ < line_.size() && !is_done_; ++at_) {
      const char c = line_[at_];
      if (quote_ == '\'') {
        take_in_single_quotes(c);
      } else if (quote_ == '"') {
        take_in_double_quotes(c);
      } else {
        take(c);
      }
    }
    if (quote_ != 0 || !around_.empty()) result_.is_clear = false;
    if (is_document_ && around_.empty()) in_word_ = false;  // what is left is text
    end_command(/*may_be_empty=*/true);
    if (reads_script_) {
      for (const std::string& script : std::exchange(inputs_, {})) read_inner(script);
    }
    if (result_.commands.empty()) result_.is_clear = false;
    return std::move(result_);
  }

 private:
  struct Word {
    std::string written, meant;
    bool is_quoted = false;
    bool is_open = false;  // from here on it may be anything
    bool is_left_out = false;
  };
  // The surroundings of a substitution or a group: the quote around it, and how it ends.
  struct Around {
    char quote = 0, end = 0;
    bool is_group = false;
  };

  char next(size_t by = 1) const { return at_ + by < line_.size() ? line_[at_ + by] : '\0'; }
  void unclear() { result_.is_clear = false; }

  void mean(char c) {
    if (!word_.is_open) word_.meant += c;
  }

  void add(char c) {
    word_.written += c;
    mean(c);
    in_word_ = true;
  }

  // A glob or an expansion begins.
  void open_word() {
    unclear();
    in_word_ = true;
    if (!std::exchange(word_.is_open, true)) word_.meant += CommandLine::kAnything;
  }

  void take_in_single_quotes(char c) {
    word_.written += c;
    if (c == '\'') {
      quote_ = 0;
    } else {
      mean(c);
    }
  }

  void take_in_double_quotes(char c) {
    if (c == '`' || (c == '$' && next() == '(')) return begin_substitution(c);
    if (c == '$') open_word();
    if (c == '\\') return take_escape();
    word_.written += c;
    if (c == '"' && !(is_document_ && around_.empty())) {
      quote_ = 0;
    } else {
      mean(c);
    }
  }

  void take_escape() {
    unclear();
    if (next() == '\n') {  // the line goes on
      ++at_;
      return;
    }
    word_.written += '\\';
    in_word_ = true;
    if (at_ + 1 < line_.size()) add(line_[++at_]);
  }

  void begin_substitution(char c) {
    unclear();
    if (c == '`' && !around_.empty() && around_.back().end == '`') return end_substitution();
    around_.push_back({quote_, c == '`' ? '`' : ')'});
    if (c == '$') ++at_;
    quote_ = 0;
    // Its output, and everything that follows it, may be anything.
    is_redirected_ = false;
    open_word();
    end_command(true);
  }

  void end_substitution() {
    end_command(true);
    const Around around = around_.back();
    quote_ = around.quote;
    around_.pop_back();
    if (!around.is_group) in_word_ = word_.is_left_out = true;  // the rest of the word
  }

  void take(char c) {
    switch (c) {
      case ' ':
      case '\t':
        return end_word();
      case '\n':
        end_command(true);
        return take_documents();
      case ';':
        return end_command(false);
      case '&':
      case '|':
        if (next() == c) {
          ++at_;
        } else if (c == '&' && next() == '>') {
          ++at_;
          return redirect('>');
        } else if (c == '&' || next() == '&') {
          unclear();
        }
        return end_command(false);
      case '<':
      case '>':
        return redirect(c);
      case '(':
        unclear();
        around_.push_back({0, ')', true});
        return end_command(true);
      case ')':
        unclear();
        if (!around_.empty() && around_.back().end == ')') return end_substitution();
        return end_command(true);
      case '$':
      case '`':
        if (c == '`' || next() == '(') return begin_substitution(c);
        open_word();
        return add(c);
      case '\\':
        return take_escape();
      case '#':
        if (in_word_) return add(c);
        unclear();
        while (at_ + 1 < line_.size() && next() != '\n') ++at_;
        return;
      case '\'':
      case '"':
        quote_ = c;
        word_.written += c;
        word_.is_quoted = true;
        in_word_ = true;
        return;
      case '[':
        if (!in_word_ && !is_in_word(next())) {  // the command
          if (words_.empty()) unclear();
          return add(c);
        }
        [[fallthrough]];
      case '{':
      case '}':
      case '*':
      case '?':
        open_word();
        return add(c);
      case '~':
        if (!in_word_ || word_.written.ends_with('=') || word_.written.ends_with(':')) open_word();
        return add(c);
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) unclear();
        return add(c);
    }
  }

  static bool is_in_word(char c) {
    return c != '\0' && std::string_view(" \t\n;&|<>()").find(c) == std::string_view::npos;
  }

  // The operator and the word after it are not part of the command; nor is the number of a file
  // right before it.
  void redirect(char c) {
    unclear();
    const std::string& before = word_.written;
    if (in_word_ && (before.find_first_not_of("0123456789") == before.npos ||
                     (before.starts_with('{') && before.ends_with('}'))))
      word_.is_left_out = true;
    end_word();
    if (c == '<' && next() == '<') {
      input_ = next(2) == '<' ? Input::string : next(2) == '-' ? Input::tabbed : Input::document;
      if (input_ != Input::document) ++at_;
      ++at_;
    }
    if (next() != '\0' && std::string_view("<>&|").find(next()) != std::string_view::npos) ++at_;
    is_redirected_ = next() != '(';
  }

  void end_word() {
    if (!in_word_) return;
    in_word_ = false;
    Word word = std::exchange(word_, {});
    if (std::exchange(is_redirected_, false)) return take_input(word);
    if (word.is_left_out) return;
    if (words_.empty() && is_timed_ && word.written.starts_with('-')) return;
    const bool may_be_keyword = words_.empty() && !word.is_quoted;
    if ((words_.empty() && is_assignment(word.written)) ||
        (may_be_keyword && std::ranges::find(kKeywords, word.written) != std::end(kKeywords))) {
      is_timed_ = word.written == "time";
      return unclear();
    }
    words_.push_back(std::move(word));
  }

  // Takes what a redirection names: the end mark of a here-document, the text of a here-string.
  void take_input(const Word& word) {
    const Input input = std::exchange(input_, Input::none);
    if (input == Input::string) inputs_.push_back(word.meant);
    if (input != Input::document && input != Input::tabbed) return;
    std::string end;
    for (const char c : word.written) {
      if (c != '\'' && c != '"' && c != '\\') end += c;
    }
    documents_.push_back({end, end != word.written, input == Input::tabbed});
  }

  // The here-documents of the line that has ended; reading goes on after them.
  void take_documents() {
    for (const Document& document : std::exchange(documents_, {})) {
      std::string body;
      while (at_ + 1 < line_.size()) {
        const size_t begin = at_ + 1, end = std::min(line_.find('\n', begin), line_.size());
        std::string line(line_.substr(begin, end - begin));
        at_ = end;
        if (document.is_tabbed) line.erase(0, std::min(line.find_first_not_of('\t'), line.size()));
        if (line == document.end) break;
        body += line + "\n";
      }
      if (!document.is_literal) add_inner(CommandLineReader(body, depth_ + 1, true).run());
      inputs_.push_back(std::move(body));
    }
  }

  void add_inner(CommandLine line) {
    for (CommandLine::Command& command : line.commands) add_inner(std::move(command.meant));
    for (std::string& command : line.inner) add_inner(std::move(command));
  }

  void add_inner(std::string command) {
    if (result_.inner.size() < kMaxCommands) result_.inner.push_back(std::move(command));
  }

  void read_inner(const std::string& script) {
    if (depth_ >= kMaxNested) return add_inner(std::string(1, CommandLine::kAnything));
    add_inner(CommandLineReader(script, depth_ + 1, false).run());
  }

  // The commands that this one runs, and those that they run.
  void unwrap(std::vector<std::string> words) {
    if (words[0] == "echo" || words[0] == "printf") {  // perhaps for a shell after it
      std::string text;
      for (size_t i = 1; i < words.size(); ++i) text += words[i] + " ";
      inputs_.push_back(std::move(text));
    }
    std::set<std::vector<std::string>> seen;
    std::vector<std::vector<std::string>> waiting{std::move(words)};
    while (!waiting.empty() && seen.size() < kMaxCommands) {
      const std::vector<std::string> command = std::move(waiting.back());
      waiting.pop_back();
      WrappedCommands wrapped = wrapped_in(command);
      reads_script_ = reads_script_ || wrapped.reads_script;
      for (const std::string& script : wrapped.scripts) read_inner(script);
      for (std::vector<std::string>& each : wrapped.commands) {
        if (!seen.insert(each).second) continue;
        std::string line;
        for (const std::string& word : each) line += (line.empty() ? "" : " ") + word;
        add_inner(std::move(line));
        waiting.push_back(std::move(each));
      }
    }
  }

  void end_command(bool may_be_empty) {
    end_word();
    is_redirected_ = is_timed_ = false;
    if (words_.empty()) {
      if (!may_be_empty) unclear();
      return;
    }
    CommandLine::Command command;
    std::vector<std::string> meant;
    for (const Word& word : words_) meant.push_back(word.meant);
    unwrap(std::move(meant));
    for (const Word& word : std::exchange(words_, {})) {
      if (!command.written.empty()) command.written += ' ', command.meant += ' ';
      command.written += word.written;
      command.meant += word.meant;
    }
    result_.commands.push_back(std::move(command));
    if (result_.commands.size() < kMaxCommands) return;
    unclear();
    is_done_ = true;
  }

  enum class Input { none, document, tabbed, string };
  struct Document {
    std::string end;
    bool is_literal, is_tabbed;  // nothing is expanded in it; tabs before its lines do not count
  };

  const std::string_view line_;
  const int depth_;
  const bool is_document_;
  size_t at_ = 0;
  char quote_;
  std::vector<Around> around_;
  Word word_;
  bool in_word_ = false, is_redirected_ = false, is_done_ = false;
  bool is_timed_ = false;            // the word before is the keyword `time`
  Input input_ = Input::none;        // that the next word names
  std::vector<Document> documents_;  // that begin after this line
  std::vector<std::string> inputs_;  // what a shell may be given to read
  bool reads_script_ = false;        // there is such a shell
  std::vector<Word> words_;
  CommandLine result_;
};

}  // namespace

// Decides: what a pattern of `run` is matched against.
CommandLine read_command_line(std::string_view line) {
  return CommandLineReader(line, 0, false).run();
}

}  // namespace bodkin
