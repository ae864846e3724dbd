// Questions of `bodkin ask` on the terminal, and the keys that answer them.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <utility>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/polling.h"
#include "agent/platform/terminal.h"
#include "agent/rpc/transport.h"
#include "agent/support/shown_text.h"
#include "edits/text/pieces.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/continued.h"
#include "lsp/cli/own_process.h"
#include "lsp/cli/typed_keys.h"

namespace bodkin {

namespace {

// Reads the rest of what is typed or pasted at once: until nothing came for a moment.
void skip_word() {
  constexpr int kPause = 700;  // ms
  for (char byte = 0; comes_within(kPause);)
    if (os::read(0, &byte, 1) != 1) return;
}

// Ends all questions.
rpc::Wake& questions_end(bool anew = false) {
  static std::optional<rpc::Wake> wake(std::in_place);
  if (anew) wake.emplace();
  return *wake;
}
std::atomic<bool> questions_ended = false;

// While a question is open: how it was asked. A shell that goes on with a stopped program leaves
// the terminal as the shell has it.
struct AskedQuestion {
  const os::TerminalMode& mode;
  std::string_view words;
};
std::atomic<const AskedQuestion*> asked_question = nullptr;

// Handles SIGCONT; both calls are safe in a handler.
void ask_again(int) {
  const int kept = errno;
  if (const AskedQuestion* const question = asked_question) {
    question->mode.set(os::TerminalMode::When::at_once);
    if (os::write(2, question->words.data(), question->words.size()) < 0) errno = kept;
  }
  errno = kept;
}

class OpenQuestion {
 public:
  // Both outlive this.
  OpenQuestion(const os::TerminalMode& mode, std::string_view words) : question_{mode, words} {
    asked_question = &question_;
    continued_.emplace(ask_again);
  }
  ~OpenQuestion() {
    continued_.reset();
    asked_question = nullptr;
  }
  OpenQuestion(const OpenQuestion&) = delete;
  OpenQuestion& operator=(const OpenQuestion&) = delete;

 private:
  const AskedQuestion question_;
  std::optional<WhenContinued> continued_;
};

// False: the questions have ended.
bool wait_for_input() { return !questions_ended && questions_end().wait_for(0, POLLIN); }

}  // namespace

bool is_asking() { return asked_question != nullptr; }

void mark_pastes(bool on) {
  if (!is_dumb_terminal()) std::fputs(on ? "\033[?2004h" : "\033[?2004l", stderr);
  std::fflush(stderr);
}

bool is_cut_by_terminal(std::string_view text) {
  constexpr size_t kMost = 4095;  // bytes of a line: MAX_CANON is less than what Linux has
  return std::ranges::any_of(split_lines(text),
                             [](std::string_view line) { return line.size() >= kMost; });
}

bool can_ask_user() { return os::is_terminal(0) && os::is_terminal(2); }

void begin_questions() {
  if (questions_ended) questions_end(true);
  questions_ended = false;
}

void end_questions() {
  questions_ended = true;
  questions_end().up();
}

char ask_for_key(std::string_view words, std::string_view keys, char harmless,
                 std::string_view lasting) {
  constexpr int kTogether = 30;           // ms
  constexpr int kPauseAfterEscape = 100;  // ms; an arrow key is no answer
  const std::string question = folded(words);
  const auto before = os::TerminalMode::now();
  if (!before) return '\0';
  const os::TerminalMode now = before->with_single_keys();
  now.set(os::TerminalMode::When::flushed);  // what was typed before the question is no answer
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
    const ssize_t count = os::read(0, &typed, 1);
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
    for (char more = 0; comes_within(kTogether) && os::read(0, &more, 1) == 1;) rest += more;
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
  before->set(os::TerminalMode::When::flushed);  // an Enter after the key answers no other question
  std::fprintf(stderr, "%c\n", key ? key : ' ');
  return key;
}

void page(const std::string& text) {
  const char* own = os::getenv("PAGER");
  run_pager(own ? own : "", text);
}

std::optional<std::string> ask_for_line(std::string_view question, bool is_part) {
  const auto before = os::TerminalMode::now();
  if (!before) return std::nullopt;
  const os::TerminalMode now = before->with_lines(!is_part);  // unlike behind a TypedAhead
  now.set(os::TerminalMode::When::drained);
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
    const ssize_t count = os::read(0, bytes, sizeof bytes);
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
      // In which the rest can be read before there is a line end.
      now.with_single_keys().set(os::TerminalMode::When::at_once);
      const std::string sequence = read_sequence();
      const bool is_paste = sequence == kBeginOfPaste;
      if (is_paste) {
        line.pop_back();
        pasted += line + read_paste();
      }
      now.set(os::TerminalMode::When::at_once);
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
  before->set(os::TerminalMode::When::drained);
  if (is_answer) return pasted + line;
  std::fputc('\n', stderr);
  return std::nullopt;
}

}  // namespace bodkin
