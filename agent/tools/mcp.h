// Mcp: the tools of the user's MCP servers, for all asks. A server starts with the first ask that
// offers its tools, and runs until its settings change or bodkin ends.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "agent/tools/mcp_client.h"
#include "agent/tools/tools.h"

namespace bodkin {

// Threads: any. A server answers one ask at a time; the others wait for it.
class Mcp : public std::enable_shared_from_this<Mcp> {
 public:
  // `tell`: a sentence for the user, about a server or tools that cannot be used; on the caller's
  // thread.
  // May be null.
  explicit Mcp(std::function<void(const std::string&)> tell = nullptr) : tell_(std::move(tell)) {}

  virtual ~Mcp() = default;

  // A server whose settings are the same keeps running.
  void configure(const std::vector<McpServer>& servers);
  bool is_empty() const;

  // The tools of all servers, by server. Blocks until those that do not run have started, or
  // McpClient::kStartLimit; a server that fails is left out, and tried again after a minute. A call
  // asks `bench`'s gate. `takes_images`: the model does.
  virtual std::vector<Tool> tools(ToolBench& bench, bool takes_images, const Task& task);

  // One server's finding, for `bodkin check`. Blocks as tools().
  struct Finding {
    std::string server;
    bool answers = false;
    std::string words;  // one sentence
  };
  std::vector<Finding> check(const Task& task);

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    explicit Entry(const McpServer& server) : client(server) {}
    McpClient client;  // of whoever has made it busy
    bool is_busy = false;
    Clock::time_point failed{};  // when it could not be started; or never
    std::string told;            // the last sentence about tools that are not offered
    std::shared_ptr<const McpToolList> known;
  };
  class Held;

  std::vector<std::shared_ptr<Entry>> entries() const;
  Result<std::shared_ptr<const McpToolList>> tools_of(const std::shared_ptr<Entry>& entry,
                                                      const Task& task);
  ToolOutcome call(const std::shared_ptr<Entry>& entry, const McpTool& tool,
                   const nlohmann::json& arguments, bool takes_images, ToolBench& bench,
                   const Task& task);
  void tell(const std::string& sentence);
  // Once for the same tools.
  void tell_left_out(const std::shared_ptr<Entry>& entry, const std::vector<std::string>& tools);

  const std::function<void(const std::string&)> tell_;
  mutable std::mutex mutex_;  // guards all below, and the entries but for busy clients
  std::condition_variable_any freed_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;
};

}  // namespace bodkin
