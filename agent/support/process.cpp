#include "agent/support/process.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "agent/platform/files.h"
#include "agent/platform/keeper.h"
#include "agent/platform/paths.h"
#include "agent/platform/pipe.h"
#include "agent/platform/polling.h"
#include "agent/platform/processes.h"

namespace bodkin {

namespace {

using ProcessClock = std::chrono::steady_clock;

constexpr size_t kMaxErrors = 10'000;
// The time for output once the program has ended: what it has left behind may hold the other end
// forever.
constexpr std::chrono::milliseconds kGrace{300};

class RunningProcess {
 public:
  RunningProcess(const ProcessRequest& request, const std::stop_token& stop)
      : request_(request),
        stop_(stop),
        name_(request.name.empty() ? request.arguments.at(0) : request.name),
        end_(ProcessClock::now() + request.timeout) {}

  Result<ProcessOutcome> run(const std::string& program) {
    if (!in_.is_open() || !out_.is_open() || !err_.is_open() || !woken_.is_open())
      return not_started(EMFILE);
    std::vector<std::string> arguments = request_.arguments;
    std::vector<std::string> environment =
        environment_for(request_.variables, request_.also_variables, request_.set_variables);
    const std::vector<char*> argv = pointers_to(arguments), envp = pointers_to(environment);
    const HeldPipeSignal held;
    Keeper keeper(
        {.program = program.c_str(),
         .arguments = argv.data(),
         .environment = envp.data(),
         .folder = os::is_absolute(request_.folder) ? request_.folder.c_str() : folder_of_nothing(),
         .input = in_.ends[0],
         .output = out_.ends[1],
         .errors = request_.joins_errors ? out_.ends[1] : err_.ends[1],
         .most_memory = request_.most_memory,
         .most_processes = request_.most_processes});
    if (keeper.start_error()) return not_started(keeper.start_error());
    in_.close_end(0), out_.close_end(1), err_.close_end(1);
    for (const int fd : {in_.ends[1], out_.ends[0], err_.ends[0]}) os::set_nonblocking(fd);
    if (request_.input.empty()) in_.close_end(1);
    const std::stop_callback wake(stop_, [this] { (void)!os::write(woken_.ends[1], "", 1); });
    while (!is_over()) wait_for_news(keeper);
    request_.may_leave_processes&& status_ && !error_ ? keeper.leave() : keeper.end();
    if (error_) return std::unexpected(*std::move(error_));
    outcome_.exit_code = status_ ? os::code_as_a_shell_has_it(*status_)
                                 : os::kCodeOfKilled;  // by us: the output is cut
    return std::move(outcome_);
  }

 private:
  std::unexpected<Error> not_started(int error) const {
    const bool is_missing = error == ENOENT || error == ENOTDIR;
    return fail(is_missing ? Error::Code::unavailable : Error::Code::internal,
                name_ + " did not start: " + os::strerror(error) + ".");
  }

  bool is_over() {
    if (error_ || outcome_.cut) return true;
    const bool is_read = out_.ends[0] < 0 && err_.ends[0] < 0;
    if (status_ && (is_read || ProcessClock::now() >= grace_end_)) return true;
    if (stop_.stop_requested()) {
      error_ = Error{Error::Code::cancelled, "Cancelled."};
    } else if (!status_ && ProcessClock::now() >= end_) {
      error_ = Error{Error::Code::internal,
                     fmt::format("{} did not finish within {:.3g} s.", name_,
                                 static_cast<double>(request_.timeout.count()) / 1000)};
    }
    return error_.has_value();
  }

  void wait_for_news(Keeper& keeper) {
    os::PollEntry fds[] = {{out_.ends[0], POLLIN, 0},
                           {err_.ends[0], POLLIN, 0},
                           {in_.ends[1], POLLOUT, 0},
                           {status_ ? -1 : keeper.report_fd(), POLLIN, 0},
                           {woken_.ends[0], POLLIN, 0}};
    if (os::poll(fds, std::size(fds), poll_time_until(status_ ? grace_end_ : end_)) <= 0) return;
    if (fds[0].revents) read(out_, outcome_.output);
    if (fds[1].revents) read(err_, outcome_.errors);
    if (fds[2].revents) write();
    if (fds[3].revents) hear(keeper.next_report());
    if (outcome_.errors.size() > kMaxErrors) outcome_.errors.resize(kMaxErrors);
    if (request_.on_output) {
      outcome_.cut = !outcome_.output.empty() && !request_.on_output(outcome_.output);
      outcome_.output.clear();
    } else if (outcome_.output.size() > request_.max_output) {
      outcome_.output.resize(request_.max_output);
      outcome_.cut = true;
    }
  }

  static void read(Pipe& pipe, std::string& into) {
    char buffer[65536];
    const ssize_t size = os::read(pipe.ends[0], buffer, sizeof buffer);
    if (size > 0) into.append(buffer, static_cast<size_t>(size));
    if (size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN)) pipe.close_end(0);
  }

  void write() {
    const std::string_view rest = std::string_view(request_.input).substr(written_);
    const ssize_t size = os::write(in_.ends[1], rest.data(), rest.size());
    if (size > 0) written_ += static_cast<size_t>(size);
    const bool is_refused = size < 0 && errno != EAGAIN && errno != EINTR;
    if (written_ == request_.input.size() || is_refused) in_.close_end(1);
  }

  void hear(const Keeper::Report& report) {
    using Kind = Keeper::Report::Kind;
    if (report.kind == Kind::not_started) error_ = not_started(report.value).error();
    if (report.kind == Kind::lost)
      error_ = Error{Error::Code::internal, name_ + " was lost: its supervisor exited."};
    if (report.kind != Kind::ended) return;
    status_ = report.value;
    grace_end_ = ProcessClock::now() + kGrace;
  }

  const ProcessRequest& request_;
  const std::stop_token& stop_;
  const std::string name_;
  const ProcessClock::time_point end_;
  Pipe in_, out_, err_, woken_;
  ProcessOutcome outcome_;
  std::optional<Error> error_;
  std::optional<int> status_;  // it has ended
  ProcessClock::time_point grace_end_;
  size_t written_ = 0;
};

}  // namespace

// Decides: how a program is started, and ended with all that it started.
Result<ProcessOutcome> run_process(const ProcessRequest& request, const std::stop_token& stop) {
  const auto program =
      find_program(request.arguments.empty() ? "" : request.arguments[0], request.never_from);
  if (!program) return std::unexpected(program.error());
  return RunningProcess(request, stop).run(*program);
}

}  // namespace bodkin
