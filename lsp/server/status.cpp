#include "lsp/server/status.h"

#include <algorithm>

#include "agent/support/shown_text.h"
#include "lsp/protocol/extensions.h"

namespace bodkin::lsp {

void Status::set_answering(Answering answering) {
  answering_ = std::move(answering);
  show();
}

void Status::set_doing(const char* state, const std::string& message) {
  state_ = state;
  message_ = message;
}

void Status::show() {
  if (!can_.proposals) return;
  const bool asking = !asks_.running().empty();
  const bool checking = !asking && checker_.is_waiting();
  const Usage& usage = asks_.spent().usage;
  client_.notify(kStatus, {{"state", asking     ? state_
                                     : checking ? "verifying"
                                                : "idle"},
                           {"message", asking     ? plain_line(message_)
                                       : checking ? "Waiting for the editor's diagnostics"
                                                  : ""},
                           {"model", answering_.model},
                           {"host", answering_.host},
                           {"nextEdits", predicting_},
                           {"nextEditsUsage", next_edits_usage()},
                           {"mode", name_of(policy_.mode())},
                           {"trusted", trust_.is_trusted()},
                           {"usage", {{"input", usage.input}, {"output", usage.output}}}});
}

Json Status::json() const {
  const auto open = std::ranges::count_if(proposals_.all(),
                                          [](const auto& entry) { return entry.second.is_open(); });
  Json servers = Json::array();
  for (const auto& server : policy_.checker()->servers())
    servers.push_back({{"name", server.name},
                       {"folder", server.folder},
                       {"memory", server.use.memory},
                       {"cpuMs", server.use.cpu_time.count()}});
  return {{"model", answering_.model},
          {"host", answering_.host},
          {"servers", servers},
          {"mode", name_of(policy_.mode())},
          {"asks", asks_.running()},
          {"proposals", open},
          {"trusted", trust_.is_trusted()},
          {"usage", json_of(asks_.spent())},
          {"nextEdits", predicting_},
          {"nextEditsUsage", next_edits_usage()}};
}

Json Status::next_edits_usage() const {
  return {{"input", predicted_.input}, {"output", predicted_.output}};
}

Json json_of(const Spent& spent) {
  Json result = {{"input", spent.usage.input},
                 {"cacheRead", spent.usage.cache_read},
                 {"cacheWrite", spent.usage.cache_write},
                 {"output", spent.usage.output},
                 {"reasoning", spent.usage.reasoning}};
  if (spent.cost_usd) result["costUsd"] = *spent.cost_usd;
  return result;
}

}  // namespace bodkin::lsp
