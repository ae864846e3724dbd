#include "lsp/cli/ask_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "agent/platform/paths.h"
#include "agent/platform/terminal.h"
#include "agent/support/shown_text.h"
#include "edits/text/pieces.h"
#include "lsp/cli/print_diff.h"

namespace bodkin {

namespace {

using Clock = std::chrono::steady_clock;

// A step says nothing new after "Reading a.c" if the file was read in a millisecond.
bool is_worth_a_line(const std::shared_ptr<const Step>& step) {
  return step && (step->failed || step->command || !step->files.empty() ||
                  step->time >= std::chrono::seconds(1));
}

std::string indented(std::string_view text) {
  std::string result;
  for (const std::string_view line : split_lines(text)) result += fmt::format("  | {}\n", line);
  return result;
}

// The end of what was typed, in one line of at most `size` bytes, in whole characters.
std::string last_of(const std::string& typed, size_t size) {
  std::string line = plain_line(typed);
  size_t first = line.size() > size ? line.size() - size : 0;
  while (first < line.size() && (line[first] & 0xC0) == 0x80) ++first;
  return line.substr(first);
}

bool is_words(const Progress& progress) { return progress.kind == Progress::Kind::text; }

// Cuts the line to at most `size` bytes, in whole characters.
void cut(std::string& line, size_t size) {
  if (line.size() <= size) return;
  while (size > 0 && (line[size] & 0xC0) == 0x80) --size;
  line.resize(size);
}

}  // namespace

bool is_dumb_terminal() {
  const char* terminal = os::getenv("TERM");
  return !terminal || std::string_view(terminal) == "dumb";
}

size_t columns(int stream) {
  const int known = os::columns_of(stream);
  return known > 0 ? std::max<size_t>(static_cast<size_t>(known), 10) : 80;
}

size_t text_width(int stream) { return std::min<size_t>(columns(stream) - 1, 79); }

std::string folded(std::string_view message, size_t indent) {
  return os::is_terminal(2) ? wrapped(message, columns(2) - 1, indent) : std::string(message);
}

void print_folded(std::string_view message, size_t indent) {
  put(stderr, folded(message, indent) + "\n");
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
      is_terminal_(os::is_terminal(2)),
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
  if (ahead_ && !is_asking()) {
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
      if (is_worth_a_line(progress.step)) print_folded("  " + words);
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
  if (std::exchange(last_line_, words) != words) print_folded("- " + words);
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

}  // namespace bodkin
