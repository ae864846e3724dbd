#include "agent/support/json.h"
#include "agent/support/wire_json.h"
#include "lsp/sessions/history_parts.h"
#include "lsp/sessions/history_text.h"

namespace bodkin {

namespace {

using nlohmann::json;

json json_of(const Block& block) {
  if (const auto* text = std::get_if<TextBlock>(&block))
    return {{"type", "text"}, {"text", text->text}};
  if (const auto* thought = std::get_if<ThinkingBlock>(&block))
    return {{"type", "thinking"}, {"text", thought->text}};
  if (const auto* call = std::get_if<ToolCall>(&block))
    return {{"type", "tool_call"},
            {"id", call->id},
            {"name", call->name},
            {"arguments", call->arguments}};
  if (const auto* result = std::get_if<ToolResult>(&block))
    return {{"type", "tool_result"},
            {"id", result->id},
            {"content", result->content},
            {"failed", result->is_error}};
  return {{"type", "image"}};
}

json json_of(const ShownAsk& ask) {
  const AskSum& sum = ask.sum;
  json result = {{"id", ask.start.id},
                 {"prompt", ask.start.prompt},
                 {"model", ask.start.model},
                 {"begun", ask.start.time},
                 {"ended", sum.ended ? json(sum.ended) : json()},
                 {"end", sum.outcome},
                 {"answer", sum.answer},
                 {"reason", sum.reason},
                 {"turns", sum.spent.turns},
                 {"input_tokens", sum.spent.usage.input},
                 {"output_tokens", sum.spent.usage.output},
                 {"cost_usd", sum.spent.cost_usd ? json(*sum.spent.cost_usd) : json()},
                 {"messages", json::array()},
                 {"calls", json::array()},
                 {"proposals", json::array()}};
  for (const ShownMessage& message : ask.messages) {
    json blocks = json::array();
    for (const Block& block : message.blocks) blocks.push_back(json_of(block));
    result["messages"].push_back({{"role", message.role},
                                  {"time", message.time},
                                  {"finish", message.is_complete ? json(message.finish) : json()},
                                  {"replaced", message.is_replaced},
                                  {"content", std::move(blocks)}});
  }
  for (const CallRow& call : ask.calls) {
    result["calls"].push_back({{"id", call.call},
                               {"tool", call.tool},
                               {"reason", call.reason},
                               {"parameters", parse_json(call.parameters).value_or(nullptr)},
                               {"result", call.result},
                               {"failed", call.failed},
                               {"time", call.time},
                               {"ms", call.ms}});
  }
  for (const ProposalRow& proposal : ask.proposals) {
    json files = json::array();
    for (const ChangedFile& file : proposal.files) {
      files.push_back({{"path", file.path},
                       {"kind", change_of(file)},
                       {"before", file.before ? json(file.before->str()) : json()},
                       {"after", file.after ? json(file.after->str()) : json()}});
      if (file.rename_to) files.back()["to"] = *file.rename_to;
    }
    result["proposals"].push_back({{"id", proposal.id},
                                   {"title", proposal.title},
                                   {"state", proposal.state},
                                   {"created", proposal.created},
                                   {"files", std::move(files)}});
  }
  return result;
}

}  // namespace

json json_of(const SessionRow& session) {
  return {{"id", session.id},
          {"workspace", session.workspace},
          {"title", session.title},
          {"created", session.created},
          {"used", session.used},
          {"asks", session.asks},
          {"outcome", shown_outcome(session)},
          {"input_tokens", session.input},
          {"output_tokens", session.output},
          {"cost_usd", session.cost ? json(*session.cost) : json()}};
}

json json_of(const ProposalRow& change) {
  return {{"id", change.id},
          {"workspace", change.workspace},
          {"title", change.title},
          {"created", change.created},
          {"used", change.created},
          {"outcome", change.state},
          {"files", shown_paths(change)}};
}

json json_of(const ShownSession& session) {
  json result = json_of(session.row);
  json asks = json::array();
  for (const ShownAsk& ask : session.asks) asks.push_back(json_of(ask));
  result["asks"] = std::move(asks);
  return result;
}

}  // namespace bodkin
