#include "lsp/acp/session_replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/support/shown_text.h"
#include "lsp/acp/diffs.h"

namespace bodkin::acp {

namespace {

class Replayer {
 public:
  Replayer(Client& client, const std::string& session, const Roots& roots)
      : client_(client), session_(session), roots_(roots) {}

  void ask(const ShownAsk& ask) {
    chunk("user_message_chunk", ask.start.prompt);
    std::string said;
    for (const ShownMessage& message : ask.messages) {
      if (message.role != "assistant" || message.is_replaced) continue;
      ++messages_;
      for (const Block& block : message.blocks) {
        if (const auto* text = std::get_if<TextBlock>(&block)) {
          said += text->text;
          chunk("agent_message_chunk", text->text);
        } else if (const auto* thought = std::get_if<ThinkingBlock>(&block)) {
          chunk("agent_thought_chunk", thought->text);
        } else if (const auto* call = std::get_if<ToolCall>(&block)) {
          tool_call(*call, ask);
        }
      }
    }
    if (said.find(ask.sum.answer) == said.npos) chunk("agent_message_chunk", ask.sum.answer);
    if (ask.sum.outcome != "done") chunk("agent_message_chunk", ask.sum.reason);
    for (const ProposalRow& proposal : ask.proposals)
      for (const ChangedFile& file : proposal.files) change(proposal, file);
    ++messages_;
  }

 private:
  void chunk(const char* kind, const std::string& text) {
    if (text.empty()) return;
    client_.update(session_, message_chunk(kind, text, fmt::format("past-{}", messages_)));
  }

  void tool_call(const ToolCall& call, const ShownAsk& ask) {
    const auto row = std::ranges::find(ask.calls, call.id, &CallRow::call);
    const bool has_failed = row == ask.calls.end() || row->failed;
    client_.update(session_, {{"sessionUpdate", "tool_call"},
                              {"toolCallId", fmt::format("past-call-{}", ++calls_)},
                              {"title", plain_line(call.name)},
                              {"kind", kind_of_tool(call.name)},
                              {"status", has_failed ? "failed" : "completed"},
                              {"rawInput", call.arguments}});
  }

  void change(const ProposalRow& proposal, const ChangedFile& file) {
    const auto place = roots_.find(file.last_path());
    if (!place || (!file.before && !file.after)) return;
    client_.update(session_,
                   {{"sessionUpdate", "tool_call"},
                    {"toolCallId", fmt::format("past-call-{}", ++calls_)},
                    {"title", title_of(file) + " (" + proposal.state + ")"},
                    {"kind", kind_of(file)},
                    {"status", proposal.state == "applied" ? "completed" : "failed"},
                    {"content", DiffItems(DiffItems::bytes_of(file)).of(file, place->absolute)},
                    {"locations", locations_of(file, place->absolute)}});
  }

  Client& client_;
  const std::string& session_;
  const Roots& roots_;
  size_t messages_ = 0, calls_ = 0;
};

}  // namespace

void replay(Client& client, const std::string& session, const Roots& roots,
            const ShownSession& shown) {
  Replayer replayer(client, session, roots);
  for (const ShownAsk& ask : shown.asks) replayer.ask(ask);
  client.update(session, {{"sessionUpdate", "session_info_update"},
                          {"title", plain_line(shown.row.title)},
                          {"updatedAt", utc_time(shown.row.used)}});
}

Json json_of(const SessionRow& row, const std::string& cwd) {
  return {{"sessionId", row.id},
          {"cwd", cwd.empty() ? row.workspace.substr(0, row.workspace.find('\n')) : cwd},
          {"title", plain_line(row.title)},
          {"updatedAt", utc_time(row.used)}};
}

}  // namespace bodkin::acp
