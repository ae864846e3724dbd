#include "agent/rpc/child.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/polling.h"
#include "agent/support/program.h"
#include "agent/support/shown_text.h"

namespace bodkin::rpc {

namespace {

using namespace std::chrono_literals;

constexpr size_t kMaxQueued = size_t{64} << 20;
constexpr size_t kMaxErrors = 8192;
constexpr size_t kMaxLastWords = 300;
// A child that closes its pipes has nearly always ended; its status is known a moment later.
constexpr auto kStatusGrace = 2s;

}  // namespace

Child::Child(std::string name) : name_(std::move(name)) {}

Result<std::unique_ptr<Child>> Child::start(const Command& command) {
  const auto program =
      find_program(command.arguments.empty() ? "" : command.arguments[0], command.never_from);
  if (!program) return std::unexpected(program.error());
  std::unique_ptr<Child> child(
      new Child(command.name.empty() ? command.arguments[0] : command.name));
  const auto not_started = [&](int error) {
    return fail(Error::Code::internal,
                fmt::format("{} did not start: {}.", child->name_, os::strerror(error)));
  };
  for (const Pipe* pipe : {&child->in_, &child->out_, &child->err_, &child->woken_}) {
    if (!pipe->is_open()) return not_started(EMFILE);
  }
  std::vector<std::string> arguments = command.arguments, environment = command.environment;
  const std::vector<char*> argv = pointers_to(arguments), envp = pointers_to(environment);
  const HeldPipeSignal held;
  child->keeper_.emplace(Launch{
      .program = program->c_str(),
      .arguments = argv.data(),
      .environment = envp.data(),
      .folder = os::is_absolute(command.folder) ? command.folder.c_str() : folder_of_nothing(),
      .input = child->in_.ends[0],
      .output = child->out_.ends[1],
      .errors = child->err_.ends[1]});
  if (child->keeper_->start_error()) return not_started(child->keeper_->start_error());
  child->in_.close_end(0), child->out_.close_end(1), child->err_.close_end(1);
  for (const int fd : {child->in_.ends[1], child->out_.ends[0], child->err_.ends[0],
                       child->woken_.ends[0], child->woken_.ends[1]})
    os::set_nonblocking(fd);
  return child;
}

Result<void> Child::write(std::string_view bytes) {
  if (lost_ || status_ || is_over()) return std::unexpected(end());
  const size_t waiting = queue_.size() - written_;
  if (waiting > 0 && waiting + bytes.size() > kMaxQueued) {
    return fail(Error::Code::unavailable,
                fmt::format("{} has stopped reading its input.{}", name_, last_words()));
  }
  if (written_ >= queue_.size() / 2) {
    queue_.erase(0, written_);
    written_ = 0;
  }
  queue_.append(bytes);
  write_some();
  return {};
}

void Child::write_some() {
  const HeldPipeSignal held;
  while (has_unwritten() && in_.ends[1] >= 0) {
    const ssize_t size = os::write(in_.ends[1], queue_.data() + written_, queue_.size() - written_);
    if (size > 0) {
      written_ += static_cast<size_t>(size);
    } else if (size < 0 && errno == EAGAIN) {
      return;
    } else if (size < 0 && errno != EINTR) {
      mark_unusable("input");
    }
  }
  if (has_unwritten()) return;
  std::string().swap(queue_);
  written_ = 0;
  if (is_ending_input_) in_.close_end(1);
}

Result<std::string> Child::exchange(const std::stop_token& stop, Clock::time_point until) {
  const std::stop_callback wake(stop, [this] { (void)!os::write(woken_.ends[1], "", 1); });
  const bool writes = has_unwritten();
  for (std::string output;;) {
    if (stop.stop_requested()) return fail(Error::Code::cancelled, "Cancelled.");
    if (is_over()) return std::unexpected(end());
    step(until, output);
    const bool is_written = writes && !has_unwritten() && !lost_;
    if (!output.empty() || is_written || (Clock::now() >= until && !is_over())) return output;
  }
}

void Child::step(Clock::time_point until, std::string& output) {
  const bool has_report = !status_ && !error_;
  os::PollEntry fds[] = {{out_.ends[0], POLLIN, 0},
                         {err_.ends[0], POLLIN, 0},
                         {has_unwritten() ? in_.ends[1] : -1, POLLOUT, 0},
                         {has_report && keeper_ ? keeper_->report_fd() : -1, POLLIN, 0},
                         {woken_.ends[0], POLLIN, 0}};
  // When it has ended, what it left in its pipes is read, and nothing is waited for.
  const bool awaits_status = lost_ && !is_drained_;
  const auto end = status_         ? Clock::time_point()
                   : awaits_status ? std::min(until, status_end_)
                                   : until;
  if (os::poll(fds, std::size(fds), poll_time_until(end)) < 0) return;
  const bool knows_end = status_ || (lost_ && Clock::now() >= status_end_);
  if (knows_end && ((fds[0].revents | fds[1].revents) & POLLIN) == 0) is_drained_ = true;
  char buffer[65536];
  const auto read = [&](Pipe& pipe) -> std::string_view {
    const ssize_t size = os::read(pipe.ends[0], buffer, sizeof buffer);
    if (size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN)) pipe.close_end(0);
    return {buffer, static_cast<size_t>(std::max<ssize_t>(size, 0))};
  };
  if (fds[1].revents) note(read(err_));
  if (fds[0].revents) {
    output.append(read(out_));
    if (out_.ends[0] < 0) mark_unusable("output");
  }
  if (fds[2].revents) write_some();
  if (fds[3].revents) handle_report(keeper_->next_report());
  if (fds[4].revents) (void)!os::read(woken_.ends[0], buffer, sizeof buffer);
}

void Child::handle_report(const Keeper::Report& report) {
  using Kind = Keeper::Report::Kind;
  if (report.kind == Kind::ended) {
    status_ = report.value;
  } else if (report.kind == Kind::lost) {
    error_ = Error{Error::Code::unavailable, name_ + " was lost: its supervisor exited."};
  } else {
    error_ = Error{Error::Code::unavailable,
                   fmt::format("{} did not start: {}.", name_, os::strerror(report.value))};
  }
}

void Child::mark_unusable(const char* what) {
  if (!lost_) status_end_ = Clock::now() + kStatusGrace;
  if (!lost_) lost_ = what;
  in_.close_end(1);  // what is queued stays unwritten
}

Error Child::end() const {
  if (error_) return *error_;
  std::string how = "has ended";
  if (status_ && os::has_exited(*status_)) {
    how = fmt::format("ended with exit code {}", os::exit_code(*status_));
  } else if (status_) {
    how = fmt::format("was ended by signal {}", os::ending_signal(*status_));
  } else if (lost_) {
    how = fmt::format("has closed its {}", lost_);
  }
  return {Error::Code::unavailable, fmt::format("{} {}.{}", name_, how, last_words())};
}

std::string_view Child::errors() const {
  const std::string_view all = errors_;
  return all.substr(all.size() - std::min(all.size(), kMaxErrors));
}

void Child::note(std::string_view words) {
  errors_.append(words.substr(words.size() - std::min(words.size(), kMaxErrors)));
  if (errors_.size() > 4 * kMaxErrors) errors_.erase(0, errors_.size() - kMaxErrors);
}

std::string Child::last_words() const {
  std::string_view said = errors();
  said = said.substr(0, said.find_last_not_of(" \t\r\n") + 1);
  if (const size_t line_end = said.rfind('\n'); line_end != said.npos)
    said.remove_prefix(line_end + 1);
  if (said.empty()) return {};
  const bool is_long = said.size() > kMaxLastWords;
  return fmt::format(" It wrote: {}{}", plain_line(said.substr(0, kMaxLastWords)),
                     is_long ? "..." : "");
}

int Child::stop(std::chrono::milliseconds grace) {
  is_ending_input_ = true;
  write_some();
  for (const bool is_told : {false, true}) {
    if (status_ || error_) break;
    if (is_told) {
      const HeldPipeSignal held;
      keeper_->terminate();
    }
    const auto until = Clock::now() + grace;
    while (!status_ && !error_ && Clock::now() < until) {
      std::string output;
      step(until, output);
    }
  }
  keeper_->end();
  is_drained_ = true;
  return status_ ? os::code_as_a_shell_has_it(*status_) : os::kCodeOfKilled;
}

}  // namespace bodkin::rpc
