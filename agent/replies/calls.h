// Tool calls that a model, or a server without a parser for them, leaves in a reply's text. The
// forms are those for which vLLM and SGLang have parsers:
//
//   <tool_call>{"name": …, "arguments": …}</tool_call>     Hermes, Qwen; also <tool_calls>, …
//   <function=name><parameter=p>v</parameter></function>   Qwen3-Coder, Seed; {…} as Llama has it
//   <invoke name="name"><parameter name="p">v</parameter></invoke>   Anthropic, MiniMax, DSML
//   <tool_call>name<arg_key>p</arg_key><arg_value>v</arg_value></tool_call>   GLM
//   <tool_call name="name">{…}</tool_call>, <tool_name>name</tool_name>{…}       and the like
//   <name><p>v</p></name>                                  Cline
//   [TOOL_CALLS]name[ARGS]{…}, [TOOL_CALLS][{"name" …}]    Mistral
//   tokens, then name {…} or {"name" …}                    Kimi, DeepSeek, Llama, Granite, …
//   <|open|>call tool="name"<|sep|><|open|>argument key="p"<|sep|>v<|close|>…    Kimi K3
//   name{…}, functions.name:0{…}                           what is left without tokens, alone
//   <|channel|>commentary to=functions.name … {…}          Harmony, also stripped of its tokens
//   ```tool_code, call:name{p:<escape>v<escape>}, [name(p="v")]      Gemma, Llama
//   {"name": …, "arguments": …}                            alone, as the last part of the reply
//
// A call names an offered tool and is at the beginning of a line or after a sentence, outside of
// code that is shown and of prose that explains calls. JSON and Python without marks are calls only
// if their arguments fit the tool's schema.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

struct OfferedTool {
  std::string_view name;
  const nlohmann::json* schema;  // JSON Schema of an object
};

struct TextCall {
  std::string name;
  nlohmann::json arguments = nlohmann::json::object();
  std::string repaired;       // what, in words; empty: nothing
  size_t begin = 0, end = 0;  // in the text, with its marks
};

struct TextCalls {
  std::vector<TextCall> calls;
  // Set if something looks like a call and cannot be one: text for the model, and one line for the
  // user.
  std::string told, reason;
  bool is_broken = false;  // … and its values would be lost
};

// `may_go_on`: text below the last call does not make it a quotation.
TextCalls calls_in(std::string_view words, std::span<const OfferedTool> tools,
                   bool may_go_on = false);

// The first place in arriving text, from `from` on, where a call with marks may begin; npos if
// none. The possible beginning of a mark counts.
size_t marked_call_begin(std::string_view words, size_t from);

// The text without the calls and the marks around them.
std::string without_calls(std::string_view words, const TextCalls& found);

}  // namespace bodkin
