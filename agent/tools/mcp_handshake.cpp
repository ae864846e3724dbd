// How an MCP client and its server agree on a version of the protocol, and how that changes
// requests.
#include <fmt/format.h>

#include <algorithm>

#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"
#include "agent/tools/mcp_client.h"
#include "edits/text/shortened.h"

namespace bodkin {

namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr char kNewest[] = "2025-11-25";
constexpr char kModern[] = "2026-07-28";
constexpr std::string_view kKnownVersions[] = {"2025-11-25", "2025-06-18", "2025-03-26",
                                               "2024-11-05"};
constexpr std::chrono::milliseconds kDiscoverLimit =
    3s;  // then it may be one that does not know the question
constexpr int kUnsupportedVersion = static_cast<int>(rpc::ErrorCode::unsupported_protocol_version);

json capabilities() { return {{"roots", json::object()}}; }
json client_info() { return {{"name", "bodkin"}, {"version", "1"}}; }

// Returns the newest version that is greeted with `initialize` among those that an error names as
// supported; empty: it names none, or a newer one as well.
std::string supported_in(const json& error) {
  const json& versions = at(at(error, "data"), "supported");
  const auto are = [&](std::string_view version) {
    return std::ranges::any_of(versions, [&](const json& each) {
      return each.is_string() && each.get_ref<const std::string&>() == version;
    });
  };
  if (!versions.is_array() || are(kModern)) return "";
  for (const std::string_view version : kKnownVersions)
    if (are(version)) return std::string(version);
  return "";
}

std::unexpected<Error> no_common_version(const std::string& server) {
  return fail(Error::Code::unavailable,
              server + " supports none of the protocol versions that bodkin does.");
}

}  // namespace

Result<json> McpClient::request(const char* method, json params, const std::stop_token& stop,
                                Milliseconds timeout) {
  if (is_modern_) {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = version_;
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities();
    params["_meta"]["io.modelcontextprotocol/clientInfo"] = client_info();
  }
  return connection_->request(method, std::move(params), stop, timeout);
}

void McpClient::set_version(std::string version, bool is_modern) {
  version_ = std::move(version);
  is_modern_ = is_modern;
  connection_->set_version(version_, is_modern);
}

Result<void> McpClient::greet(const std::stop_token& stop) {
  std::string version = kNewest;
  bool was_refused = false;  // the first question; else it may be slow to start
  if (!is_old_) {
    auto found = discover(stop, std::min(kDiscoverLimit, time_left() / 2));
    if (found || found.error().code == Error::Code::cancelled) return found;
    const json& error = connection_->last_error();
    was_refused = !error.is_null();
    if (was_refused && int_at(error, "code") == kUnsupportedVersion) {
      version = supported_in(error);
      if (version.empty()) return no_common_version(name());
    }
    // Some end themselves because of a question before the greeting.
    if (!connection_->poll(stop)) {
      this->stop();
      if (auto started = start(stop); !started) return started;
    }
  }
  auto greeted = initialize(version, stop);
  if (!greeted && !connection_->last_error().is_null()) {
    const std::string other = supported_in(connection_->last_error());
    if (!other.empty() && other != version) {
      greeted = initialize(other, stop);
    } else if (!is_old_ && !was_refused) {
      greeted = discover(stop, time_left());
      if (greeted) return greeted;
    }
  }
  is_old_ = is_old_ || greeted;
  return greeted;
}

Result<void> McpClient::initialize(std::string_view version, const std::stop_token& stop) {
  set_version("", false);
  auto greeted = request("initialize",
                         {{"protocolVersion", version},
                          {"capabilities", capabilities()},
                          {"clientInfo", client_info()}},
                         stop, time_left());
  if (!greeted) return std::unexpected(greeted.error());
  const std::string chosen = string_at(*greeted, "protocolVersion");
  if (std::ranges::find(kKnownVersions, chosen) == std::end(kKnownVersions)) {
    return fail(Error::Code::unavailable,
                fmt::format("{} speaks a version of the protocol that bodkin does not know: {}.",
                            name(), plain_line(shortened_to(chosen, 40))));
  }
  set_version(chosen, false);
  if (auto told =
          connection_->notify("notifications/initialized", json::object(), stop, time_left());
      !told)
    return told;
  is_stale_ = at(*greeted, "capabilities").contains("tools");
  return {};
}

// Afterwards the version is that of its answer, if it has one that is known.
Result<void> McpClient::discover(const std::stop_token& stop, Milliseconds timeout) {
  set_version(kModern, true);
  auto found = request("server/discover", json::object(), stop, timeout);
  if (!found) return std::unexpected(found.error());
  const json& versions = at(*found, "supportedVersions");
  if (versions.is_array() && std::ranges::find(versions, kModern) == versions.end()) {
    const std::string older = supported_in({{"data", {{"supported", versions}}}});
    if (!older.empty()) return initialize(older, stop);
    return no_common_version(name());
  }
  is_stale_ = at(*found, "capabilities").contains("tools");
  return {};
}

}  // namespace bodkin
