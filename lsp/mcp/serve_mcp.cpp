#include "lsp/mcp/serve_mcp.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "agent/support/shown_text.h"
#include "lsp/mcp/server.h"
#include "lsp/server/ending_signals.h"
#include "lsp/server/standard_streams.h"
#include "lsp/workspace/settings.h"

namespace bodkin {

namespace {

constexpr std::chrono::milliseconds kOrderlyEnd{300};

// Ends the process if putting everything in order takes too long: a call may wait for another
// process's lock, and a client may not read.
class Deadline {
 public:
  Deadline(mcp::Server& server, int code)
      : thread_([this, &server, code](const std::stop_token& stop) {
          std::unique_lock lock(mutex_);
          changed_.wait_for(lock, stop, kOrderlyEnd, [] { return false; });
          if (!stop.stop_requested()) server.exit_between_changes(code);
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;
};

}  // namespace

int serve_mcp(const std::string& root) {
  const auto streams = take_standard_streams();
  if (!streams) return 2;
  lsp::Settings settings = lsp::own_settings();
  for (const std::string& problem : settings.problems())
    put(stderr, "bodkin mcp: settings: " + plain_line(problem) + "\n");
  mcp::Server server(streams->input, streams->output, root);
  const EndingSignals signals([&server](int signal) { server.end(128 + signal); });
  const int code = server.run();
  const Deadline deadline(server, code);
  server.shut_down();
  return code;
}

}  // namespace bodkin
