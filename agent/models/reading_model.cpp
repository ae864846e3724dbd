#include "agent/models/reading_model.h"

#include <algorithm>
#include <utility>

#include "agent/models/http/refusals.h"
#include "agent/models/wire/reply_builder.h"
#include "agent/replies/arguments.h"
#include "agent/replies/call_progress.h"
#include "agent/replies/calls.h"
#include "agent/replies/thoughts.h"

namespace bodkin {

namespace {

constexpr size_t kMaxOpener = 64;  // bytes

// A block that the provider signed stays one block.
void add_text(std::vector<Block>& blocks, TextBlock text) {
  std::string words;
  for (ReplyPart& part : parts_of_reply(text.text)) {
    if (part.is_thought) {
      blocks.push_back(ThinkingBlock{std::move(part.text)});
    } else if (text.provider_state.is_null()) {
      blocks.push_back(TextBlock{std::move(part.text)});
    } else {
      words += part.text;
    }
  }
  if (text.provider_state.is_null()) return;
  text.text = std::move(words);
  blocks.push_back(std::move(text));
}

void clean(ToolCall& call, const std::vector<ToolSpec>& tools) {
  call.name = cleaned_name(call.name, [&](std::string_view name) {
    return std::ranges::find(tools, name, &ToolSpec::name) != tools.end();
  });
  if (call.malformed.empty()) return;
  auto read = read_arguments(call.malformed);
  if (!read) return;
  call.arguments = std::move(read->value);
  call.repaired = std::move(read->repaired);
  call.malformed.clear();
}

class ReadingModel : public Model {
 public:
  explicit ReadingModel(std::unique_ptr<Model> model) : model_(std::move(model)) {}

  std::expected<ModelReply, ModelError> respond(const ModelRequest& request,
                                                const Task& task) override {
    const auto report = [&](Progress::Kind kind, std::string_view text) {
      if (task.report) task.report({kind, std::string(text)});
    };
    std::string words;  // since the last thought was taken out
    size_t shown = 0;   // what may be a call is not shown
    size_t held = 0;    // where that begins
    CallProgress call;
    const ThoughtReader::Takers takers{
        [&](std::string_view text) {
          words += text;
          const size_t end = std::min(marked_call_begin(words, shown), words.size());
          held = end;
          if (end <= shown) return;
          report(Progress::Kind::text, std::string_view(words).substr(shown, end - shown));
          shown = end;
        },
        [&](std::string_view text) { report(Progress::Kind::thought, text); },
        [&] {
          report(Progress::Kind::thought, words);
          words.clear();
          shown = held = 0;
          call = {};
        }};
    ThoughtReader reader(takers);
    const Task read{task.stop, [&](const Progress& progress) {
                      if (progress.kind == Progress::Kind::text) {
                        reader.add(progress.text);
                        const auto told = call.told(std::string_view(words).substr(held), "A call");
                        if (told) report(Progress::Kind::editing, *told);
                        return;
                      }
                      if (progress.kind == Progress::Kind::status) {  // it starts again
                        reader = ThoughtReader(takers);
                        words.clear();
                        shown = held = 0;
                        call = {};
                      }
                      if (task.report) task.report(progress);
                    }};
    auto reply = model_->respond(request, read);
    reader.finish();
    if (!reply) {
      lacks_tools_ = lacks_tools_ || (!request.tools.empty() && refuses_tools(reply.error()));
      // The rest might have become a call, and was held back for that.
      if (const auto rest = std::string_view(words).substr(shown);
          !rest.empty() && rest.size() < kMaxOpener)
        report(Progress::Kind::text, rest);
      return reply;
    }
    read_reply(*reply, request.tools);
    std::string kept;
    for (const Block& block : reply->message.blocks)
      if (const auto* text = std::get_if<TextBlock>(&block)) kept += text->text;
    if (shown < kept.size() && kept.starts_with(words.substr(0, shown)) && !words.empty())
      report(Progress::Kind::text, std::string_view(kept).substr(shown));
    return reply;
  }
  std::string description() const override { return model_->description(); }
  bool has_tools() const override { return !lacks_tools_ && model_->has_tools(); }
  void rest() override { model_->rest(); }
  ModelFacts facts() const override { return model_->facts(); }

 private:
  std::unique_ptr<Model> model_;
  bool lacks_tools_ = false;  // the server has said so
};

}  // namespace

std::unique_ptr<Model> reading_model(std::unique_ptr<Model> model) {
  return std::make_unique<ReadingModel>(std::move(model));
}

void read_reply(ModelReply& reply, const std::vector<ToolSpec>& tools) {
  std::vector<OfferedTool> offered;
  for (const ToolSpec& tool : tools) offered.push_back({tool.name, &tool.parameters});
  std::vector<Block> blocks, from_text;
  for (Block& block : reply.message.blocks) {
    if (auto* text = std::get_if<TextBlock>(&block)) {
      add_text(blocks, std::move(*text));
      continue;
    }
    if (auto* call = std::get_if<ToolCall>(&block)) clean(*call, tools);
    blocks.push_back(std::move(block));
  }
  const auto is_made = [&](const TextCall& call) {  // by the server, too
    return std::ranges::any_of(blocks, [&](const Block& block) {
      const auto* made = std::get_if<ToolCall>(&block);
      return made && made->name == call.name && made->arguments == call.arguments;
    });
  };
  for (Block& block : blocks) {
    auto* text = std::get_if<TextBlock>(&block);
    if (!text) continue;
    TextCalls found = calls_in(text->text, offered);
    if (!found.told.empty() && reply.stop_reason != StopReason::max_tokens) {
      reply.wrong_call = std::move(found.told);
      reply.wrong_call_reason = std::move(found.reason);
    }
    text->text = without_calls(text->text, found);
    for (TextCall& call : found.calls) {
      if (is_made(call)) continue;
      ToolCall made{generated_call_id(), std::move(call.name), std::move(call.arguments), nullptr,
                    ""};
      made.repaired = std::move(call.repaired);
      from_text.push_back(std::move(made));
    }
  }
  std::erase_if(blocks, [](const Block& block) {
    const auto* text = std::get_if<TextBlock>(&block);
    return text && text->text.empty() && text->provider_state.is_null();
  });
  if (!from_text.empty()) {
    std::ranges::move(from_text, std::back_inserter(blocks));
    if (reply.stop_reason != StopReason::max_tokens && reply.stop_reason != StopReason::refusal)
      reply.stop_reason = StopReason::tool_use;
  }
  reply.message.blocks = std::move(blocks);
}

}  // namespace bodkin
