#include "lsp/cli/line_editor.h"

#include <fcntl.h>
#include <histedit.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cwchar>
#include <iterator>
#include <utility>

#include "agent/platform/polling.h"
#include "agent/support/shown_text.h"
#include "lsp/cli/ask_screen.h"

namespace bodkin {

struct LineEditor::State {
  Complete complete;
  EditLine* line = nullptr;
  ::History* history = nullptr;
  bool goes_on = false;  // the request has lines already
  std::string typed;     // that is to be inserted before anything is read
};

namespace {

constexpr int kMostInHistory = 500;

volatile std::sig_atomic_t was_interrupted = 0, is_first = 0;
volatile std::sig_atomic_t to_pass_on = 0, has_other_screen = 0;
void take_signal(int signal) {
  if (signal == SIGINT)
    was_interrupted = 1;
  else if (signal == SIGWINCH || signal == SIGCONT)
    has_other_screen = 1;
  else
    to_pass_on = signal;
}

// While a line is read, signals come only where they are waited for. libedit's own handlers
// (EL_SIGNAL) are gone after the first one, and leave a cursor that is outside of a smaller screen.
class SignalsOfLine {
 public:
  SignalsOfLine() {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    for (const int signal : kTaken) sigaddset(&held, signal);
    ::sigprocmask(SIG_BLOCK, &held, &before);
    struct sigaction taken {};
    taken.sa_handler = take_signal;
    for (size_t i = 0; i < std::size(kTaken); ++i) {
      ::sigaction(kTaken[i], nullptr, &others_[i]);
      if (others_[i].sa_handler != SIG_IGN) ::sigaction(kTaken[i], &taken, nullptr);
    }
    was_interrupted = 0;
    to_pass_on = 0;
    has_other_screen = 0;
  }
  ~SignalsOfLine() {
    for (size_t i = 0; i < std::size(kTaken); ++i) ::sigaction(kTaken[i], &others_[i], nullptr);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    if (to_pass_on != 0) ::raise(to_pass_on);  // it came with the last character
  }
  SignalsOfLine(const SignalsOfLine&) = delete;

  static inline sigset_t before;

 private:
  static constexpr int kTaken[] = {SIGWINCH, SIGCONT, SIGTSTP, SIGTERM, SIGHUP, SIGQUIT};
  struct sigaction others_[std::size(kTaken)]{};
};

template <class State>
State& state_of(EditLine* line) {
  void* state = nullptr;
  el_get(line, EL_CLIENTDATA, &state);
  return *static_cast<State*>(state);
}

// Lets the signal do what it does elsewhere: stop the process, or end it.
void pass_on(int signal) {
  struct sigaction usual {
  }, own{};
  usual.sa_handler = SIG_DFL;
  ::sigaction(signal, &usual, &own);
  ::raise(signal);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
  ::sigprocmask(SIG_BLOCK, &one, nullptr);
  ::sigaction(signal, &own, nullptr);
}

// Between two characters: what a signal does to the terminal.
void attend_to_signals(EditLine* line) {
  if (to_pass_on == 0 && has_other_screen == 0) return;
  el_set(line, EL_PREP_TERM, 0);
  if (to_pass_on != 0) {
    mark_pastes(false);
    pass_on(std::exchange(to_pass_on, 0));
  }
  has_other_screen = 0;
  el_set(line, EL_PREP_TERM, 1);
  mark_pastes(true);
  el_resize(line);
  std::fputs(is_dumb_terminal() ? "\n" : "\r\033[J", stderr);
  el_set(line, EL_REFRESH);
}

// Reads a byte that was there a moment ago. A Ctrl-C since then has thrown it away: a read that
// waits would wait for the next key, with the signal held back.
ssize_t read_byte(char* byte) {
  const int flags = ::fcntl(0, F_GETFL);
  ::fcntl(0, F_SETFL, flags | O_NONBLOCK);
  const ssize_t count = ::read(0, byte, 1);
  const int error = errno;
  ::fcntl(0, F_SETFL, flags);
  errno = error;
  return count;
}

// The next character. libedit's own function takes the first interrupt for nothing.
template <class State>
int read_character(EditLine* line, wchar_t* character) {
  if (const std::string typed = std::exchange(state_of<State>(line).typed, {}); !typed.empty()) {
    el_insertstr(line, typed.c_str());
    std::fputs("\r", stderr);  // it draws the prompt again
    el_set(line, EL_REFRESH);
  }
  std::mbstate_t shift{};
  for (;;) {
    attend_to_signals(line);
    if (was_interrupted) return -1;
    if (wait_to_read(0, SignalsOfLine::before) < 0) {
      if (errno != EINTR) return -1;
      continue;
    }
    char byte = 0;
    const ssize_t count = read_byte(&byte);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return count < 0 ? -1 : 0;
    // A terminal turns a Ctrl-D that was typed before single keys were read into a zero byte.
    if (std::exchange(is_first, 0) && byte == '\0') byte = '\4';
    size_t length = std::mbrtowc(character, &byte, 1, &shift);
    if (length == static_cast<size_t>(-1)) {  // left out; but the byte may begin another character
      shift = {};
      length = std::mbrtowc(character, &byte, 1, &shift);
    }
    if (length <= 1) return 1;
    if (length == static_cast<size_t>(-1)) shift = {};
  }
}

unsigned char add_line_end(EditLine* line, int) {
  return el_insertstr(line, "\n") == 0 ? CC_REFRESH : CC_ERROR;
}

// A bracketed paste, as xterm sends it: its line ends send nothing.
unsigned char paste(EditLine* line, int) {
  constexpr std::wstring_view kEnd = L"\033[201~";
  std::wstring text;
  for (wchar_t next = 0; !text.ends_with(kEnd);) {
    if (el_wgetc(line, &next) != 1) return CC_ERROR;
    text += next == L'\r' ? L'\n' : next;
  }
  text.resize(text.size() - kEnd.size());
  std::erase_if(text, [](wchar_t c) { return c < L' ' && c != L'\n' && c != L'\t'; });
  return text.empty() || el_winsertstr(line, text.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
}

template <class State>
unsigned char complete(EditLine* line, int) {
  const LineInfo* const info = el_line(line);
  const std::string before(info->buffer, info->cursor);
  const Completion found = completion_of(before, state_of<State>(line).complete);
  if (found.words.empty()) return CC_REFRESH_BEEP;
  if (!found.more.empty())
    return el_insertstr(line, found.more.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
  put(stderr, wrapped("\n" + listed(found.words), 79, 0) + "\n");
  return CC_REDISPLAY;
}

template <class State>
char* prompt(EditLine* line) {
  static char first[] = "> ", next[] = ". ";
  return state_of<State>(line).goes_on ? next : first;
}

}  // namespace

const char kLineEndKey[] = "Alt-Enter";

LineEditor::LineEditor(Complete complete_word) : state_(std::make_unique<State>()) {
  // Without it each byte would be a character.
  if (const char* locale = std::setlocale(LC_CTYPE, ""); !locale || MB_CUR_MAX == 1)
    std::setlocale(LC_CTYPE, "C.UTF-8");
  State& state = *state_;
  state.complete = std::move(complete_word);
  state.history = history_init();
  HistEvent event;
  ::history(state.history, &event, H_SETSIZE, kMostInHistory);
  ::history(state.history, &event, H_SETUNIQUE, 1);
  EditLine* const line = state.line = el_init("bodkin", stdin, stderr, stderr);
  el_set(line, EL_CLIENTDATA, &state);
  el_set(line, EL_PROMPT, prompt<State>);
  el_set(line, EL_GETCFN, read_character<State>);
  struct sigaction interrupt {};
  interrupt.sa_handler = take_signal;
  ::sigaction(SIGINT, &interrupt, nullptr);
  el_set(line, EL_EDITOR, "emacs");
  el_set(line, EL_HIST, ::history, state.history);
  el_set(line, EL_ADDFN, "bodkin-complete", "Complete the word", complete<State>);
  el_set(line, EL_ADDFN, "bodkin-line-end", "Begin another line", add_line_end);
  el_set(line, EL_ADDFN, "bodkin-paste", "Take a paste as it is", paste);
  el_set(line, EL_BIND, "^I", "bodkin-complete", nullptr);
  el_set(line, EL_BIND, "\\e^J", "bodkin-line-end", nullptr);
  el_set(line, EL_BIND, "\\e^M", "bodkin-line-end", nullptr);
  el_set(line, EL_BIND, "\\e[200~", "bodkin-paste", nullptr);
  el_set(line, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_source(line, nullptr);  // ~/.editrc
}

LineEditor::~LineEditor() {
  el_end(state_->line);
  history_end(state_->history);
}

void LineEditor::remember(const std::string& request) {
  HistEvent event;
  if (request.find_first_not_of(" \n\t") != request.npos)
    ::history(state_->history, &event, H_ENTER, request.c_str());
}

std::optional<std::string> LineEditor::read(const std::string& typed) {
  State& state = *state_;
  state.typed = typed.substr(0, typed.find_last_not_of(" \n\t") + 1);
  const SignalsOfLine held;
  std::string text;
  state.goes_on = false;
  for (;;) {
    // Before the prompt is seen: else the terminal shows what is typed, too, or Ctrl-Z loses it.
    el_set(state.line, EL_PREP_TERM, 1);
    mark_pastes(true);
    is_first = 1;
    int count = 0;
    const char* const line = el_gets(state.line, &count);
    mark_pastes(false);
    if (std::exchange(was_interrupted, 0)) {
      el_reset(state.line);
      std::fputs("^C\n", stderr);
      return "";
    }
    if (!line || count <= 0) {
      std::fputs("\n", stderr);
      if (!text.empty()) return "";  // Ctrl-D in a request that goes on
      return std::nullopt;
    }
    text.append(line, static_cast<size_t>(count));
    if (text.ends_with('\n')) text.pop_back();
    if (!text.ends_with('\\')) break;
    text.back() = '\n';
    state.goes_on = true;
  }
  remember(text);
  return text;
}

}  // namespace bodkin
