// ReplyBuilder: assembles a reply from its pieces as they arrive.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "agent/models/model.h"
#include "agent/replies/call_progress.h"
#include "agent/replies/written_edit.h"
#include "agent/support/held_secrets.h"
#include "agent/support/wire_json.h"

namespace bodkin {

// A reply while it arrives. Parts are in the order of their first mention.
class ReplyBuilder {
 public:
  enum class Kind { text, thinking, call };
  static constexpr size_t kMaxParts = 1'000;  // finding one is a linear search
  struct Part {
    Kind kind;
    int64_t slot;
    std::string content;  // of a call: the arguments' raw text
    ToolCall call;        // id and name; arguments if they came as an object
    bool whole = false;   // call.arguments is set
    nlohmann::json provider_state = nullptr;
    SurrogateJoiner joiner;
    HeldSecretFilter keys;       // which the server may repeat
    CallProgress progress = {};  // of a call, while it arrives
    WrittenEdits edits = {};
  };

  explicit ReplyBuilder(const Task& task) : task_(task) {}

  Part* find(Kind kind, int64_t slot);
  Part& part(Kind kind, int64_t slot);  // found, else appended
  Part& append(Kind kind, int64_t slot);
  Part* last(Kind kind);  // the last part, if it is of this kind
  void add(Part& part, std::string_view delta);
  void text(std::string_view delta);  // continues the last part, or begins one
  void thinking(std::string_view delta);
  void fail(ModelError error);  // only the first one is kept
  void fail_for_parts();        // there are more than kMaxParts
  // Whether to continue reading; for loops over server data of any size.
  bool should_continue() const { return !error && !task_.stop.stop_requested(); }
  // The provider has sent all of the reply and no reason why it ends: if it says or calls
  // something, its turn has ended. Then a call or a code block that is cut is an error in
  // take_reply().
  void end_without_reason();

  std::optional<StopReason> stop;  // set once the provider has said why the reply ends
  bool ended = false;              // the last event has arrived
  Usage usage;
  std::string refusal;
  std::optional<ModelError> error;
  nlohmann::json scratch;  // for the format
  std::string bound_to;    // as in WireFormat
  std::deque<Part> parts;

  // Calls whose arguments are not JSON keep them as `malformed`; in a truncated reply they are
  // dropped. May set `error`.
  ModelReply take_reply();

 private:
  const Task& task_;
  size_t bytes_ = 0;
  bool is_stop_assumed_ = false;  // the provider has not said it
};

// An id for calls without one. It is unique within a conversation, even across providers.
std::string generated_call_id();

}  // namespace bodkin
