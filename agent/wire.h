// Wire: what all dialects share between bytes and our form: JSON that is not quite JSON, pieces of
// a reply put together, and the providers' errors.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "agent/model.h"

namespace bodkin {

// Parses what a provider sent. Invalid UTF-8 becomes U+FFFD. A lone surrogate escape (servers that
// count in UTF-16 cut a character over two deltas: "\ud83d" | "\ude00") becomes a mark that
// SurrogateJoiner understands: U+FDEF and three of U+FDD0..U+FDDF, a nibble each (noncharacters
// that no text contains). Nothing: not JSON.
std::optional<nlohmann::json> parse_wire_json(std::string_view text);

// Joins marks of two deltas to the character that they are halves of.
class SurrogateJoiner {
 public:
  std::string take(std::string_view delta);
  std::string finish();  // what never found its other half is U+FFFD

 private:
  std::string held_;  // a mark of a high half at the end of a delta
};
// The same for every string in a value.
void join_surrogates(nlohmann::json& value);

// Lookups that forgive: null, missing and wrong types give the default.
const nlohmann::json& at(const nlohmann::json& object, std::string_view key);
std::string string_at(const nlohmann::json& object, std::string_view key);
int64_t int_at(const nlohmann::json& object, std::string_view key);

// A reply while it arrives. Parts stand in the order of their first mention.
class ReplyBuilder {
 public:
  enum class Kind { text, thinking, call };
  struct Part {
    Kind kind;
    int64_t slot;
    std::string content;  // of a call: the arguments' raw text
    ToolCall call;        // id and name; arguments where they came as an object
    bool whole = false;   // call.arguments is set
    nlohmann::json echo = nullptr;
    SurrogateJoiner joiner;
  };

  explicit ReplyBuilder(const Task& task) : task_(task) {}

  Part* find(Kind kind, int64_t slot);
  Part& part(Kind kind, int64_t slot);  // found, or appended
  Part& append(Kind kind, int64_t slot);
  Part* last(Kind kind);  // the last part, if it is of this kind
  void add(Part& part, std::string_view delta);
  void text(std::string_view delta);  // goes on in the last part, else begins one
  void thinking(std::string_view delta);
  // Text of a server that leaves the model's thoughts in it: a reply that begins with <think> is
  // thinking up to </think>.
  void tagged_text(std::string_view delta);
  void fail(ModelError error);  // the first counts

  std::optional<StopReason> stop;  // set: the provider said how the reply ends
  bool ended = false;              // the last event is there
  Usage usage;
  std::string refusal;
  std::optional<ModelError> error;
  nlohmann::json scratch;  // for the dialect
  std::deque<Part> parts;

  // Calls whose arguments are not JSON keep them as `malformed`; those of a cut reply are dropped.
  ModelReply take_reply();

 private:
  void flush_tagged();

  const Task& task_;
  size_t bytes_ = 0;
  enum class Tag { unknown, inside, after, none } tag_ = Tag::unknown;
  std::string held_;  // what may be the beginning of a tag
};

// The error in a provider's JSON: {"error":{…}}, [{"error":…}], {"error":"…"}, {"type":"error",…},
// {"detail"/"message":…}. Nothing: there is none.
std::optional<ModelError> error_in(const nlohmann::json& body, int status);
// Sorts by the provider's words and the status into the kinds of ModelError.
std::string kind_of_error(std::string_view word, std::string_view message, int status);

}  // namespace bodkin
