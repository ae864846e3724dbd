#include "agent/models/http/refusals.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "agent/support/fnv1a.h"
#include "agent/support/json.h"
#include "agent/support/wire_json.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

bool says(const ModelError& error, std::initializer_list<std::string_view> words) {
  const std::string message = lower_case(error.message);
  return std::ranges::any_of(
      words, [&](std::string_view word) { return message.find(word) != message.npos; });
}

// Anthropic, Google and OpenAI, and servers that pass on what they say: a signed thought is out of
// its place, or is another account's.
bool refuses_thoughts(const ModelError& error) {
  return error.status == 400 &&
         ((says(error, {"thinking"}) && says(error, {"signature", "block"})) ||
          says(error, {"thought signature", "thought_signature", "thoughtsignature",
                       "encrypted_content", "encrypted content"}));
}

// Also whether it refuses to show thoughts: some models have none, and some accounts may not read
// them.
bool refuses_effort(const ModelError& error) {
  return (error.status == 400 || error.status == 422) &&
         says(error, {"effort", "reasoning", "think", "summar", "output_config"});
}

// Visits what came with the blocks and goes back with them.
template <class Request, class Do>
void for_states(Request& request, Do&& act) {
  for (auto& message : request.messages)
    for (auto& block : message.blocks)
      std::visit(
          [&](auto& one) {
            if constexpr (requires { one.provider_state; })
              if (!one.provider_state.is_null()) act(one.provider_state);
          },
          block);
}

}  // namespace

// In the words of vLLM, Ollama, LM Studio, llama.cpp, OpenRouter and DeepSeek.
bool refuses_tools(const ModelError& error) {
  return says(error,
              {"does not support tool", "does not support function", "do not support tool",
               "tool choice requires", "tools param requires", "support tool use",
               "support tool call", "tools are not supported", "tool calling is not supported",
               "tool use is not supported", "function calling is not", "tools is not supported"});
}

std::optional<Progress> Refusals::learn(const ModelError& error, const ModelRequest& request) {
  if (refuses_thoughts(error)) {
    const size_t before = states_.size();
    for_states(request,
               [&](const nlohmann::json& state) { states_.insert(fnv1a(text_of_json(state))); });
    if (states_.size() > before)
      return Progress{Progress::Kind::status, "refuses earlier thoughts"};
  }
  if (!takes_effort_ || request.effort.empty() || !refuses_effort(error)) return std::nullopt;
  takes_effort_ = false;
  if (request.effort == "auto") return Progress{Progress::Kind::status, "does not show thoughts"};
  return Progress{Progress::Kind::note, "does not take the effort \"" + request.effort + "\""};
}

ModelRequest Refusals::acceptable(const ModelRequest& request) const {
  ModelRequest made = request;
  if (!takes_effort_) made.effort.clear();
  for_states(made, [&](nlohmann::json& state) {
    if (!states_.contains(fnv1a(text_of_json(state)))) return;
    // Gemini's calls have more there than what is signed.
    if (at(state, "id").is_boolean())
      state.erase("thoughtSignature");
    else
      state = nullptr;
  });
  return made;
}

}  // namespace bodkin
