#include <utility>

#include "agent/rpc/child_connection.h"
#include "agent/tools/mcp_connection.h"

namespace bodkin {

namespace {

using nlohmann::json;

class ProgramConnection : public McpConnection {
 public:
  explicit ProgramConnection(std::unique_ptr<rpc::Child> child)
      : connection_(std::move(child), rpc::kMcp) {}

  rpc::Connection& handlers() override { return connection_.handlers(); }
  void set_version(const std::string& /*version*/, bool /*is_modern*/) override {}
  Result<json> request(const char* method, json params, const std::stop_token& stop,
                       Milliseconds timeout) override {
    return connection_.request(method, std::move(params), stop, timeout);
  }
  const json& last_error() const override { return connection_.last_error(); }
  void prolong(Milliseconds time) override { connection_.prolong(time); }
  Result<void> notify(const char* method, json params, const std::stop_token& stop,
                      Milliseconds timeout) override {
    return connection_.notify(method, std::move(params), stop, timeout);
  }
  bool poll(const std::stop_token& stop) override {
    for (int i = 0; i < 3; ++i) {  // a chunk each
      const auto waited = connection_.wait_until([] { return false; }, stop, Milliseconds(0));
      if (!waited) return waited.error().code == Error::Code::cancelled;
    }
    return true;
  }
  void stop(Milliseconds grace) override { connection_.stop(grace); }

 private:
  rpc::ChildConnection connection_;
};

}  // namespace

std::unique_ptr<McpConnection> connect_to_program(std::unique_ptr<rpc::Child> child) {
  return std::make_unique<ProgramConnection>(std::move(child));
}

}  // namespace bodkin
