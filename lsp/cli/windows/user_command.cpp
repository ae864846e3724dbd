// In PowerShell, as a model's commands are.
#include "lsp/cli/user_command.h"

#include <fmt/format.h>

#include <cstdio>

#include "agent/sandbox/shell.h"
#include "agent/support/process.h"
#include "agent/support/utf8.h"
#include "lsp/cli/conversation_words.h"
#include "lsp/cli/terminal_editor.h"
#include "lsp/server/ending_signals.h"

namespace bodkin {

std::string output_of_command(const std::string& command, const std::string& folder) {
  constexpr size_t kMostOutput = size_t{4} << 20;  // bytes that are kept
  auto program = command_of({.text = command});
  if (!program) return say(program.error().message), "";
  std::stop_source stop;
  const EndingSignals signals([&](int) { stop.request_stop(); });
  std::string output;
  ProcessRequest request;
  request.arguments = *std::move(program);
  request.name = "It";
  request.folder = folder;
  request.variables = Variables::all;
  request.joins_errors = true;
  request.may_leave_processes = true;
  request.timeout = std::chrono::hours(24);
  request.on_output = [&](std::string_view more) {
    std::fwrite(more.data(), 1, more.size(), stderr);
    std::fflush(stderr);
    output += more;
    if (output.size() > kMostOutput) output.erase(kMostOutput / 2, output.size() - kMostOutput);
    return true;
  };
  const auto outcome = run_process(request, stop.get_token());
  std::erase(output, '\r');
  output = valid_utf8(output);
  const std::string end = !outcome ? outcome.error().message
                          : outcome->exit_code == 0
                              ? ""
                              : fmt::format("It ended with {}", outcome->exit_code);
  return shown_with_next_request(command, output, end);
}

}  // namespace bodkin
