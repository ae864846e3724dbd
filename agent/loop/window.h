// Window: keeps the requests of an ask inside the model's context window. What does not fit is
// given up in this order: the oldest tool results, of which only the beginning is left; the oldest
// messages, of which the model writes a summary; of the newest results all but the beginning. A
// call and its result are never separated. On the ask's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/ask/ask.h"

namespace bodkin {

// Tokens: as the settings have it, else the model's own; nullopt: not known.
std::optional<int64_t> window_of(const Model& model, const Limits& limits);

class Window {
 public:
  // Sends a plain request, and gives the text of its answer.
  using Side = std::function<Result<std::string>(ModelRequest&)>;

  // All outlive this.
  Window(Conversation& conversation, const Ask& ask, const Model& model, const Limits& limits)
      : conversation_(conversation), ask_(ask), model_(model), limits_(limits) {}

  // Fills in the system prompt and the messages, without secrets, and shortens the conversation if
  // the request does not fit. `request` has its tools. Returns the number of secrets that were
  // not in any file (agent/workspace/redaction.h).
  size_t fill(ModelRequest& request, const Side& side, const Task& task);
  // Bytes of a request besides these tools; unlimited in practice if the window is not known.
  size_t room_beside(const std::vector<ToolSpec>& tools) const;
  // Whether a request is surely too long for the window.
  bool is_too_long(const ModelRequest& request) const;
  // The provider's token count for a request. False: it can only have read a part of it.
  bool count(const ModelRequest& request, const Usage& usage);
  int64_t estimated_tokens(const ModelRequest& request) const;  // for a provider that counts none
  // The provider has refused a request of this size as too long: the next one is made shorter.
  void note_refused_size(size_t bytes) { refused_ = bytes; }
  // Why an ask ends, for the user. `words`: the provider's.
  std::string too_small(const std::string& words) const;
  bool has_summarized() const { return has_summarized_; }

 private:
  std::optional<int64_t> tokens() const { return window_of(model_, limits_); }
  double tokens_per_byte() const;
  std::optional<size_t> most() const;  // bytes of a request; nothing: any number
  void shorten_results(size_t from, size_t to, size_t left, size_t& bytes, size_t wanted);
  void summarize(size_t fixed, size_t wanted, const Side& side, const Task& task);

  Conversation& conversation_;
  const Ask& ask_;
  const Model& model_;
  const Limits& limits_;
  std::optional<size_t> refused_;  // bytes of a request that was too long
  bool has_summarized_ = false;
};

// About how many bytes of text the model reads with a request.
size_t bytes_of(const ModelRequest& request);

}  // namespace bodkin
