#include "agent/workspace/command_line.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace bodkin {

namespace {

constexpr size_t kMostCommands = 500;

// POSIX, 2.4, and bash's own.
constexpr std::string_view kKeywords[] = {
    "!",    "{",  "}",   "[[",       "]]", "case", "coproc", "do",   "done", "elif",  "else",
    "esac", "fi", "for", "function", "if", "in",   "select", "then", "time", "until", "while"};

bool is_assignment(std::string_view word) {
  const size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  std::string_view name = word.substr(0, equals);
  if (name.ends_with('+')) name.remove_suffix(1);
  return std::ranges::all_of(name, [](char c) {
    return c == '_' || c == '[' || c == ']' || std::isalnum(static_cast<unsigned char>(c));
  });
}

class CommandLineReader {
 public:
  explicit CommandLineReader(std::string_view line) : line_(line) {}

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
    end_command(/*may_be_empty=*/true);
    if (result_.commands.empty()) result_.is_clear = false;
    return std::move(result_);
  }

 private:
  struct Word {
    std::string written, meant;
    bool is_quoted = false;
  };
  // What a substitution stands in: the quote around it, and how it ends.
  struct Around {
    char quote = 0, end = 0;
  };

  char next(size_t by = 1) const { return at_ + by < line_.size() ? line_[at_ + by] : '\0'; }
  void unclear() { result_.is_clear = false; }

  void add(char c) {
    word_.written += c;
    word_.meant += c;
    in_word_ = true;
  }

  void take_in_single_quotes(char c) {
    word_.written += c;
    if (c == '\'') {
      quote_ = 0;
    } else {
      word_.meant += c;
    }
  }

  void take_in_double_quotes(char c) {
    if (c == '`' || (c == '$' && next() == '(')) return begin_substitution(c);
    if (c == '$') unclear();
    if (c == '\\') return take_escape();
    word_.written += c;
    if (c == '"') {
      quote_ = 0;
    } else {
      word_.meant += c;
    }
  }

  void take_escape() {
    unclear();
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
    end_command(true);
  }

  void end_substitution() {
    end_command(true);
    quote_ = around_.back().quote;
    around_.pop_back();
    if (quote_ != 0) in_word_ = true;
  }

  void take(char c) {
    switch (c) {
      case ' ':
      case '\t':
        return end_word();
      case '\n':
        if (has_here_document_) is_done_ = true;  // what comes now is no command
        return end_command(true);
      case ';':
        return end_command(false);
      case '&':
      case '|':
        if (next() == c) {
          ++at_;
        } else if (c == '&' || next() == '&') {
          unclear();
        }
        return end_command(false);
      case '<':
      case '>':
        unclear();
        if (c == '<' && next() == '<') {
          if (next(2) == '<')
            ++at_;
          else
            has_here_document_ = true;
          ++at_;
        }
        if (next() == '&') ++at_;
        return end_word();
      case '(':
        unclear();
        around_.push_back({0, ')'});
        return end_command(true);
      case ')':
        unclear();
        if (!around_.empty() && around_.back().end == ')') return end_substitution();
        return end_command(true);
      case '$':
      case '`':
        unclear();
        if (c == '`' || next() == '(') return begin_substitution(c);
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
      case '{':
      case '}':
        unclear();
        return add(c);
      case '*':
      case '?':
      case '[':
        if (words_.empty()) unclear();  // which program is that?
        return add(c);
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) unclear();
        return add(c);
    }
  }

  void end_word() {
    if (!in_word_) return;
    in_word_ = false;
    Word word = std::exchange(word_, {});
    const bool is_first = words_.empty() && !word.is_quoted;
    if (is_first && (is_assignment(word.written) ||
                     std::ranges::find(kKeywords, word.written) != std::end(kKeywords))) {
      return unclear();
    }
    words_.push_back(std::move(word));
  }

  void end_command(bool may_be_empty) {
    end_word();
    if (words_.empty()) {
      if (!may_be_empty) unclear();
      return;
    }
    CommandLine::Command command;
    for (const Word& word : std::exchange(words_, {})) {
      if (!command.written.empty()) command.written += ' ', command.meant += ' ';
      command.written += word.written;
      command.meant += word.meant;
    }
    result_.commands.push_back(std::move(command));
    if (result_.commands.size() < kMostCommands) return;
    unclear();
    is_done_ = true;
  }

  const std::string_view line_;
  size_t at_ = 0;
  char quote_ = 0;
  std::vector<Around> around_;
  Word word_;
  bool in_word_ = false, has_here_document_ = false, is_done_ = false;
  std::vector<Word> words_;
  CommandLine result_;
};

}  // namespace

CommandLine read_command_line(std::string_view line) { return CommandLineReader(line).run(); }

}  // namespace bodkin
