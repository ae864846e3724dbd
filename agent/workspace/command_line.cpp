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
    bool is_open = false;  // from here on it may be anything
    bool is_left_out = false;
  };
  // What a substitution or a group stands in: the quote around it, and how it ends.
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
    if (c == '"') {
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
    // What it gives, and all that follows it, may be anything.
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
        if (has_here_document_) is_done_ = true;  // what comes now is no command
        return end_command(true);
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

  // The operator, and the word behind it, are no part of the command; nor is the number of a file
  // right before it.
  void redirect(char c) {
    unclear();
    const std::string& before = word_.written;
    if (in_word_ && (before.find_first_not_of("0123456789") == before.npos ||
                     (before.starts_with('{') && before.ends_with('}'))))
      word_.is_left_out = true;
    end_word();
    if (c == '<' && next() == '<') {
      if (next(2) == '<')
        ++at_;
      else
        has_here_document_ = true;
      ++at_;
    }
    if (next() != '\0' && std::string_view("<>&|").find(next()) != std::string_view::npos) ++at_;
    is_redirected_ = next() != '(';
  }

  void end_word() {
    if (!in_word_) return;
    in_word_ = false;
    Word word = std::exchange(word_, {});
    if (std::exchange(is_redirected_, false) || word.is_left_out) return;
    const bool may_be_keyword = words_.empty() && !word.is_quoted;
    if ((words_.empty() && is_assignment(word.written)) ||
        (may_be_keyword && std::ranges::find(kKeywords, word.written) != std::end(kKeywords))) {
      return unclear();
    }
    words_.push_back(std::move(word));
  }

  void end_command(bool may_be_empty) {
    end_word();
    is_redirected_ = false;
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
  bool in_word_ = false, is_redirected_ = false, has_here_document_ = false, is_done_ = false;
  std::vector<Word> words_;
  CommandLine result_;
};

}  // namespace

CommandLine read_command_line(std::string_view line) { return CommandLineReader(line).run(); }

}  // namespace bodkin
