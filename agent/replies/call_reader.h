// CallReader: reads the calls at a place of a text, in the forms that calls.h lists. Where a call
// may be, and what only explains one, is decided there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/replies/calls.h"

namespace bodkin {

// A tag: <kind>, <kind=name>, <kind name="…">, </kind>; without a prefix before ':' or "｜DSML｜".
// Kimi's <|open|>kind …<|sep|> and <|close|>kind<|sep|> are tags, too.
struct CallTag {
  std::string_view kind, name, written;
  std::string_view attributes;
  bool closes = false;
  size_t length = 0;
};
std::optional<CallTag> call_tag_at(std::string_view text);
bool is_wrapper(const CallTag& tag);  // only wraps calls
// Whether a tag of this kind has the name of a call as its attribute.
bool has_name_as_attribute(const CallTag& tag);

inline constexpr std::string_view kMinimax = "]<]minimax[>[";  // before each of its tags

class CallReader {
 public:
  CallReader(std::string_view text, std::span<const OfferedTool> tools)
      : text_(text), tools_(tools) {}

  const OfferedTool* tool(std::string_view name) const;
  std::string name_of(std::string_view written) const;  // cleaned

  // Reads from `at` on, and moves it behind what was read. Calls with marks, one after the other;
  // false: one cannot be read to its end, and problem() says why.
  bool read_marked(size_t& at, std::vector<TextCall>& calls, size_t end);
  // Reads calls without marks: JSON with a name and arguments, calls of Python, a name before its
  // arguments.
  bool read_plain(size_t& at, std::vector<TextCall>& calls, size_t end);
  // After marks, tokens, wrapping tags, fences, and words of a head.
  size_t skip_marks(size_t at, size_t end = std::string_view::npos, bool in_head = false) const;

  std::string problem;
  bool had_values = false;  // the call in tags that has the problem

 private:
  enum class Found { call, broken, other };
  Found read_one(size_t& at, std::vector<TextCall>& calls, bool is_marked);
  Found read_named(size_t& at, std::vector<TextCall>& calls);
  Found read_pairs(size_t& at, std::string_view name, std::vector<TextCall>& calls);
  bool read_tags(size_t& at, const CallTag& call, std::vector<TextCall>& calls);
  bool read_python(size_t& at, std::vector<TextCall>& calls);
  bool read_json(size_t& at, std::vector<TextCall>& calls);
  bool add_json(const nlohmann::json& value, const std::string& repaired, size_t begin, size_t end,
                std::vector<TextCall>& calls);
  void add(std::vector<TextCall>& calls, std::string_view name, nlohmann::json arguments,
           std::string repaired, size_t begin, size_t end) const;
  bool is_complete(std::string_view name, nlohmann::json arguments) const;

  std::string_view text_;
  std::span<const OfferedTool> tools_;
};

}  // namespace bodkin
