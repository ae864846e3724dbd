// More than 350 lines: what is shown and what is asked share the terminal.
#include "lsp/cli/ask_screen.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "agent/rpc/transport.h"
#include "agent/support/file_descriptor.h"
#include "agent/support/shown_text.h"
#include "lsp/cli/print_diff.h"
#include "lsp/cli/typed_keys.h"

namespace bodkin {

namespace {

using Clock = std::chrono::steady_clock;

// That a file was read in a millisecond is no news after "Reading a.c".
bool is_worth_a_line(const std::shared_ptr<const Step>& step) {
  return step && (step->failed || step->command || !step->files.empty() ||
                  step->time >= std::chrono::seconds(1));
}

std::string indented(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    result += "  | " + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

// The end of what was typed, in one line of at most so many bytes, in whole characters.
std::string last_of(const std::string& typed, size_t size) {
  std::string line = plain_line(typed);
  size_t first = line.size() > size ? line.size() - size : 0;
  while (first < line.size() && (line[first] & 0xC0) == 0x80) ++first;
  return line.substr(first);
}

bool is_words(const Progress& progress) { return progress.kind == Progress::Kind::text; }

// At most so many bytes, in whole characters.
void cut(std::string& line, size_t size) {
  if (line.size() <= size) return;
  while (size > 0 && (line[size] & 0xC0) == 0x80) --size;
  line.resize(size);
}

// Reads the rest of what is typed or pasted at once: until nothing came for a moment.
void skip_word() {
  constexpr int kPause = 700;  // ms
  for (char byte = 0; comes_within(kPause);)
    if (::read(0, &byte, 1) != 1) return;
}

// Ends all questions.
rpc::Wake& questions_end() {
  static rpc::Wake wake;
  return wake;
}
std::atomic<bool> questions_ended = false;

// While a question is open: how it was asked. A shell that goes on with a stopped program leaves
// the terminal as the shell has it.
struct AskedQuestion {
  termios mode{};
  std::string_view words;
};
std::atomic<const AskedQuestion*> asked_question = nullptr;

// Handles SIGCONT; both calls are safe in a handler.
void ask_again(int) {
  const int kept = errno;
  if (const AskedQuestion* const question = asked_question) {
    ::tcsetattr(0, TCSANOW, &question->mode);
    if (::write(2, question->words.data(), question->words.size()) < 0) errno = kept;
  }
  errno = kept;
}

class OpenQuestion {
 public:
  OpenQuestion(const termios& mode, std::string_view words) : question_{mode, words} {
    asked_question = &question_;
    struct sigaction again {};
    again.sa_handler = ask_again;
    again.sa_flags = SA_RESTART;
    ::sigaction(SIGCONT, &again, &other_);
  }
  ~OpenQuestion() {
    ::sigaction(SIGCONT, &other_, nullptr);
    asked_question = nullptr;
  }
  OpenQuestion(const OpenQuestion&) = delete;
  OpenQuestion& operator=(const OpenQuestion&) = delete;

 private:
  const AskedQuestion question_;
  struct sigaction other_ {};
};

// False: the questions have ended.
bool wait_for_input() { return !questions_ended && questions_end().wait_for(0, POLLIN); }

}  // namespace

bool is_dumb_terminal() {
  const char* terminal = std::getenv("TERM");
  return !terminal || std::string_view(terminal) == "dumb";
}

void mark_pastes(bool on) {
  if (!is_dumb_terminal()) std::fputs(on ? "\033[?2004h" : "\033[?2004l", stderr);
  std::fflush(stderr);
}

bool is_cut_by_terminal(std::string_view text) {
  constexpr size_t kMost = 4095;  // bytes of a line: MAX_CANON is less than what Linux has
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end - at >= kMost) return true;
    at = end + 1;
  }
  return false;
}

size_t columns(int stream) {
  winsize size{};
  return ::ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0
             ? std::max<size_t>(size.ws_col, 10)
             : 80;
}

size_t text_width(int stream) { return std::min<size_t>(columns(stream) - 1, 79); }

std::string folded(std::string_view message, size_t indent) {
  return ::isatty(2) ? wrapped(message, columns(2) - 1, indent) : std::string(message);
}

std::string in_words(const Spent& spent, Clock::duration time) {
  std::string words;
  if (spent.turns > 0) words += fmt::format("{} turn{}, ", spent.turns, spent.turns > 1 ? "s" : "");
  const int64_t tokens = spent.usage.input + spent.usage.output;
  if (tokens > 0) words += grouped(tokens) + " tokens, ";
  if (!spent.cost_usd) words += "price unknown, ";
  if (spent.cost_usd && *spent.cost_usd > 0) words += fmt::format("${:.4f}, ", *spent.cost_usd);
  return words +
         fmt::format("{} s", std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

AskScreen::AskScreen(TypedAhead* ahead)
    : ahead_(ahead),
      is_terminal_(::isatty(2)),
      has_line_(is_terminal_ && !is_dumb_terminal()),
      has_colours_(use_colors(stderr)),
      thread_([this](const std::stop_token& stop) { tick(stop); }) {}

AskScreen::~AskScreen() { pause(); }

void AskScreen::show(const Progress& progress, const Spent& spent) {
  if (progress.kind == Progress::Kind::draft) return;  // without words, for editors
  const std::lock_guard lock(mutex_);
  if (!running_) began_ = Clock::now();
  running_ = true;
  spent_ = spent;
  if (ahead_ && !asked_question) {
    ahead_->begin([this] {
      has_typed_ = true;
      stopped_.notify_all();
    });
  }
  if (progress.kind != Progress::Kind::waiting && progress.kind != Progress::Kind::thought)
    put_coming_step();
  if (progress.kind == Progress::Kind::thought || progress.kind == Progress::Kind::plan) {
    if (doing_.empty()) doing_ = "thinking";
  } else if (is_words(progress)) {
    put_words(said_.add(progress.text));
  } else if (progress.kind == Progress::Kind::editing) {  // in a reply that goes on
    doing_ = plain_line(progress.text);
    if (!has_line_ && !in_words_) put_step(doing_);
  } else {
    erase_line();
    end_words();
    const std::string words = plain_line(progress.text);
    const bool is_call =
        progress.kind == Progress::Kind::tool || progress.kind == Progress::Kind::note;
    const bool is_done = progress.kind == Progress::Kind::step;
    if (is_done) {
      last_line_.clear();
      if (is_worth_a_line(progress.step)) put(stderr, folded("  " + words) + "\n");
      if (progress.step && progress.step->command)
        put(stderr, indented(progress.step->command->output));
    } else if (progress.kind == Progress::Kind::tool && has_line_) {
      coming_ = words;
    } else if (is_call || (!has_line_ && progress.kind != Progress::Kind::waiting)) {
      put_step(words);
    }
    doing_ = (is_call && coming_.empty()) || is_done ? "" : words;
  }
  draw_line();
}

void AskScreen::pause(bool is_cancelled) {
  const std::lock_guard lock(mutex_);
  put_coming_step();
  erase_line();
  end_words(is_cancelled);
  if (running_) worked_ += Clock::now() - began_;
  running_ = false;
  doing_.clear();
  if (ahead_) ahead_->end();
}

Clock::duration AskScreen::time() const {
  const std::lock_guard lock(mutex_);
  return time_now();
}

Clock::duration AskScreen::time_now() const {
  return running_ ? worked_ + (Clock::now() - began_) : worked_;
}

// A step that was allowed, say, is the same as the one that was asked about.
void AskScreen::put_step(const std::string& words) {
  if (std::exchange(last_line_, words) != words) put(stderr, folded("- " + words) + "\n");
}

void AskScreen::put_coming_step() {
  if (coming_.empty()) return;
  erase_line();
  put_step(std::exchange(coming_, {}));
}

bool AskScreen::take_over(const std::string& step) {
  const std::lock_guard lock(mutex_);
  coming_.clear();
  return last_line_ == step;
}

// Broken between words: one is shown when it is complete.
void AskScreen::put_words(const std::string& words) {
  if (words.empty()) return;
  doing_.clear();
  if (!is_terminal_) return;
  erase_line();
  last_line_.clear();
  std::string out;
  const size_t width = columns(2) - 1;
  const auto end_word = [&] {
    const size_t size = seen_characters(word_);
    if (column_ > 0 && column_ + size > width && !colours_.in_block()) {
      while (out.ends_with(' ')) out.pop_back();
      out += '\n';
      column_ = 0;
    }
    out += std::exchange(word_, {});
    column_ += size;
  };
  for (const char c : without_escapes(words)) {
    std::string shown = colours_.add(c);  // ends with it, but for a star
    if (!has_colours_) shown = c;
    if (c != ' ' && c != '\n') {
      word_ += shown;
      continue;
    }
    shown.pop_back();
    word_ += shown;
    end_word();
    out += c;
    column_ = c == '\n' ? 0 : column_ + 1;
  }
  put_coloured(stderr, out);
  in_words_ = column_ > 0 || !word_.empty();
}

void AskScreen::end_words(bool is_cancelled) {
  put_words(is_cancelled ? said_.break_off() : said_.end());
  if (in_words_) put_words("\n");
  in_words_ = false;
  colours_ = MarkdownColours();
}

std::string AskScreen::not_shown(std::string_view words) const {
  const std::lock_guard lock(mutex_);
  return is_terminal_ ? said_.rest_of(words) : std::string(words);
}

void AskScreen::tick(const std::stop_token& stop) {
  if (!has_line_) return;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    stopped_.wait_for(lock, stop, std::chrono::seconds(1),
                      [this] { return has_typed_.exchange(false); });
    if (running_ && !stop.stop_requested()) draw_line();
  }
}

void AskScreen::draw_line() {
  if (!has_line_ || in_words_) return;
  constexpr size_t kEcho = 3;  // columns: of the ^C that a terminal shows behind it, and the cursor
  const size_t width = std::max(columns(2), kEcho + 1) - kEcho;
  std::string line = "  " + in_words(spent_, time_now());
  if (!doing_.empty()) line += ": " + doing_;
  if (!doing_.empty() && seen_characters(line) > width)  // rather than what it has cost
    line = fmt::format("  {}, {}", doing_, in_words({.cost_usd = 0}, time_now()));
  cut(line, width);
  if (const std::string typed = ahead_ ? last_of(ahead_->text(), width / 2) : ""; !typed.empty()) {
    cut(line, width - std::min(width, typed.size() + 4));
    line += "  > " + typed;
  }
  const bool colors = use_colors(stderr);
  std::fprintf(stderr, "\r\033[K%s%s%s", colors ? "\033[2m" : "", line.c_str(),
               colors ? "\033[0m" : "");
  std::fflush(stderr);
  line_drawn_ = true;
}

void AskScreen::erase_line() {
  if (line_drawn_) std::fputs("\r\033[K", stderr);
  line_drawn_ = false;
}

bool can_ask_user() { return ::isatty(0) && ::isatty(2); }

void end_questions() {
  questions_ended = true;
  questions_end().up();
}

char ask_for_key(std::string_view words, std::string_view keys, char harmless,
                 std::string_view lasting) {
  constexpr int kTogether = 30;           // ms
  constexpr int kPauseAfterEscape = 100;  // ms; an arrow key is no answer
  const std::string question = folded(words);
  termios before{};
  if (::tcgetattr(0, &before) != 0) return '\0';
  termios now = before;
  now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  ::tcsetattr(0, TCSAFLUSH, &now);  // what was typed before the question is no answer
  const auto show = [](std::string_view words) {
    put(stderr, words);
    std::fflush(stderr);
  };
  mark_pastes(true);
  show(question);
  std::optional<OpenQuestion> open(std::in_place, now, question);
  char key = '\0';
  while (wait_for_input()) {
    unsigned char typed = 0;
    const ssize_t count = ::read(0, &typed, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || typed == 4) {
      key = '\0';
      break;
    }
    if (typed == kEscape) {
      const std::string sequence = read_sequence(kPauseAfterEscape);
      if (sequence.empty()) {
        key = harmless;
        break;
      }
      if (sequence != kBeginOfPaste) continue;
      read_paste();
      key = '\0';
      show("\nA paste is not an answer.\n" + question);
      continue;
    }
    if (typed == '\n' || typed == '\r') {
      if (key) break;  // a lasting one
      continue;
    }
    // One of several that come at once is pasted, or belongs to a word; only Enter may follow.
    std::string rest;
    for (char more = 0; comes_within(kTogether) && ::read(0, &more, 1) == 1;) rest += more;
    const bool is_alone = rest.find_first_not_of("\r\n") == rest.npos;
    const bool is_second = std::exchange(key, static_cast<char>(std::tolower(typed))) != '\0';
    if (key == 'q' && keys.find(key) == std::string_view::npos) key = harmless;
    const bool is_key = !is_second && is_alone && keys.find(key) != std::string_view::npos;
    if (is_key && (lasting.find(key) == std::string_view::npos || !rest.empty())) break;
    if (is_key) {
      show(fmt::format("\n{}: press Enter if you mean it. ", key));
      continue;
    }
    key = '\0';
    show("\nUnknown key.\n");
    skip_word();  // whoever types one has chosen nothing
    if (questions_ended) break;
    show(question);
  }
  open.reset();
  mark_pastes(false);
  ::tcsetattr(0, TCSAFLUSH, &before);  // an Enter after the key answers no other question
  std::fprintf(stderr, "%c\n", key ? key : ' ');
  return key;
}

// In the foreground alone: what is typed there, Ctrl-C too, is for it.
void page(const std::string& text) {
  const char* own = std::getenv("PAGER");
  const std::string command = own && *own ? own : "less -R";
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return put(stderr, text);
  const FileDescriptor from(ends[0]);
  FileDescriptor to(ends[1]);
  ::signal(SIGTTOU, SIG_IGN);  // it is given the terminal, and then takes it back
  const pid_t child = ::fork();
  if (child == 0) {
    ::setpgid(0, 0);
    ::tcsetpgrp(0, ::getpid());
    ::signal(SIGTTOU, SIG_DFL);
    ::dup2(from.number(), 0);
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  if (child < 0) return put(stderr, text);
  ::signal(SIGPIPE, SIG_IGN);  // if it is left before the end
  ::setpgid(child, child);
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t count = ::write(to.number(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    rest.remove_prefix(static_cast<size_t>(count));
  }
  to = FileDescriptor();
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  ::tcsetpgrp(0, ::getpgrp());
  ::signal(SIGTTOU, SIG_DFL);
}

std::optional<std::string> ask_for_line(std::string_view question, bool is_part) {
  termios before{};
  if (::tcgetattr(0, &before) != 0) return std::nullopt;
  termios now = before;
  now.c_lflag |= ICANON | ECHO;            // which they are not behind a TypedAhead
  if (!is_part) now.c_cc[VEOL] = kEscape;  // the terminal hands over the line at once
  ::tcsetattr(0, TCSADRAIN, &now);
  std::optional<OpenQuestion> open(std::in_place, now, question);
  const auto show = [&] {
    put(stderr, question);
    std::fflush(stderr);
  };
  if (!is_part) mark_pastes(true);
  show();
  std::string pasted, line;
  bool is_answer = false;
  while (!is_answer && wait_for_input()) {
    char bytes[4096];
    const ssize_t count = ::read(0, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    is_answer = count <= 0 && is_part && !line.empty();
    if (count <= 0) break;
    line.append(bytes, static_cast<size_t>(count));
    if (line.ends_with('\n')) {
      line.pop_back();
      is_answer = !is_cut_by_terminal(line);
      if (is_answer) break;
      put(stderr, "The terminal has cut this line; paste it in parts, or give it in a file.\n");
      line.clear();
      show();
    } else if (!is_part && line.ends_with(kEscape)) {
      termios raw = now;  // in which the rest can be read before there is a line end
      raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
      ::tcsetattr(0, TCSANOW, &raw);
      const std::string sequence = read_sequence();
      const bool is_paste = sequence == kBeginOfPaste;
      if (is_paste) {
        line.pop_back();
        pasted += line + read_paste();
      }
      ::tcsetattr(0, TCSANOW, &now);
      if (sequence.empty()) break;
      line.clear();  // what it looks like now cannot be corrected
      put(stderr, "\n");
      show();
      if (is_paste) put(stderr, pasted);
      std::fflush(stderr);
    }
  }
  open.reset();
  if (!is_part) mark_pastes(false);
  ::tcsetattr(0, TCSADRAIN, &before);
  if (is_answer) return pasted + line;
  std::fputc('\n', stderr);
  return std::nullopt;
}

}  // namespace bodkin
