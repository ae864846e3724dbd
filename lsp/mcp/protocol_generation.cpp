#include "lsp/mcp/protocol_generation.h"

#include <algorithm>
#include <array>

#include "agent/support/wire_json.h"

namespace bodkin::mcp {

namespace {

using nlohmann::json;

constexpr const char* kModern = "2026-07-28";
constexpr std::array kLegacy = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* kServerKey = "io.modelcontextprotocol/serverInfo";
constexpr int kCacheMs = 3'600'000;

json supported_versions() {
  json versions = json::array({kModern});
  for (const char* version : kLegacy) versions.push_back(version);
  return versions;
}

json server_info() {
  return {{"name", "bodkin"}, {"title", "bodkin: exact edits"}, {"version", BODKIN_VERSION}};
}

Refusal invalid(std::string message) {
  return {rpc::ErrorCode::invalid_params, std::move(message)};
}

}  // namespace

const char* const kInstructions =
    "bodkin places edits exactly or refuses them and says why; it never guesses. Prefer "
    "apply_patch and edit to your own edit tool when a change has several places or files (all "
    "hunks are written or none), when you quote from memory or whitespace may differ, when the "
    "file is large, or when it matters that nothing else changes. check_patch shows the diff "
    "without writing.\n\n"
    "Formats: *** Begin Patch, unified diffs, SEARCH/REPLACE blocks. Hunks are placed by the lines "
    "they quote: copy old lines exactly, and enough of them to fit one place.\n\n"
    "A base id stands for the texts that a result shows. With base, a call is refused if one of "
    "the changed files is different now; join several ids with commas. An edit that does not quote "
    "its old lines exactly is first answered with its diff and a base: if the diff is right, send "
    "the same call again with that base.\n\n"
    "undo undoes a change by its id, until one of its files is changed again. Files are "
    "written to the disk or, if the user has them open in an editor with bodkin, changed there and "
    "not saved; the result says which. What your own edit tool has read of them is out of date. A "
    "placeholder of a secret may be quoted as it is; the secret stays. Private files (.env, keys, "
    ".bodkinignore) are neither shown nor changed; what agents, editors or git run by themselves "
    "is only changed after the user has agreed.\n\n"
    "verify asks language servers about a patch before it is applied; not_checked is never clean.";

// Before 2025-11-25 forms were all that there was.
bool Caller::can_ask_user() const {
  const json& asks = at(capabilities, "elicitation");
  return asks.is_object() && (asks.empty() || asks.contains("form"));
}

std::expected<Caller, Refusal> caller_of(const json& params,
                                         const std::optional<Caller>& connection) {
  if (!params.is_object()) return std::unexpected(invalid("The params must be an object."));
  const json& meta = at(params, "_meta");
  const json& version = at(meta, kVersionKey);
  if (version.is_null()) {
    if (connection) return *connection;
    return std::unexpected(
        invalid(std::string("Send initialize first, or ") + kVersionKey + " in _meta."));
  }
  if (!version.is_string())
    return std::unexpected(invalid(std::string(kVersionKey) + " must be a string."));
  if (version != kModern) {
    return std::unexpected(Refusal{rpc::ErrorCode::unsupported_protocol_version,
                                   "Unsupported protocol version",
                                   {{"supported", supported_versions()}, {"requested", version}}});
  }
  const json& capabilities = at(meta, kCapabilitiesKey);
  if (!capabilities.is_object())
    return std::unexpected(invalid(std::string(kCapabilitiesKey) + " must be an object."));
  return Caller{true, capabilities};
}

std::expected<json, Refusal> initialize_result(const json& params) {
  const json& asked = at(params, "protocolVersion");
  if (!asked.is_string()) return std::unexpected(invalid("protocolVersion must be a string."));
  const bool is_known = std::ranges::find(kLegacy, asked.get<std::string>()) != kLegacy.end();
  return json{{"protocolVersion", is_known ? asked : json(kLegacy.front())},
              {"capabilities", {{"tools", json::object()}}},
              {"serverInfo", server_info()},
              {"instructions", kInstructions}};
}

json discover_result() {
  return {{"supportedVersions", supported_versions()},
          {"capabilities", {{"tools", json::object()}}},
          {"instructions", kInstructions}};
}

json result_for(const Caller& caller, json result, bool is_list) {
  if (!caller.is_modern) return result;
  if (!result.contains("resultType")) result["resultType"] = "complete";
  result["_meta"][kServerKey] = server_info();
  if (is_list) {
    result["ttlMs"] = kCacheMs;
    result["cacheScope"] = "public";  // it is the same for everyone
  }
  return result;
}

}  // namespace bodkin::mcp
