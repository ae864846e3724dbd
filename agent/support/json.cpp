#include "agent/support/json.h"

#include <string>
#include <utility>
#include <vector>

namespace bodkin {

namespace {

using nlohmann::json;

// Builds the value from the parser's events, which come without recursion; false ends the parse.
class LimitedBuilder : public nlohmann::json_sax<json> {
 public:
  LimitedBuilder(const JsonLimits& limits, const std::stop_token& stop)
      : limits_(limits), stop_(stop) {}

  json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(json::number_integer_t value) override { return put(value); }
  bool number_unsigned(json::number_unsigned_t value) override { return put(value); }
  bool number_float(json::number_float_t value, const std::string&) override { return put(value); }
  bool string(std::string& value) override { return put(std::move(value)); }
  bool binary(json::binary_t&) override { return false; }
  bool start_object(size_t) override { return open(json::object()); }
  bool start_array(size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& value) override {
    if (limits_.unique_names && open_.back()->contains(value)) return false;
    key_ = std::move(value);
    return true;
  }
  bool parse_error(size_t, const std::string&, const json::exception&) override { return false; }

 private:
  bool put(json value) {
    if (++values_ > limits_.values || (values_ % 64 == 0 && stop_.stop_requested())) return false;
    if (open_.empty()) {
      last_ = &root_;
    } else if (open_.back()->is_array()) {
      last_ = &open_.back()->emplace_back();
    } else {
      last_ = &(*open_.back())[key_];
    }
    *last_ = std::move(value);
    return true;
  }
  bool open(json value) {
    if (open_.size() >= limits_.depth || !put(std::move(value))) return false;
    open_.push_back(
        last_);  // its address is stable: nothing is added next to it before it is closed
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const JsonLimits& limits_;
  const std::stop_token& stop_;
  json root_;
  json* last_ = nullptr;
  std::vector<json*> open_;
  std::string key_;
  size_t values_ = 0;
};

}  // namespace

std::optional<json> parse_json(std::string_view text, const JsonLimits& limits,
                               const std::stop_token& stop) {
  LimitedBuilder builder(limits, stop);
  const bool is_json =
      json::sax_parse(text.begin(), text.end(), &builder, json::input_format_t::json,
                      /*strict=*/true, limits.comments);
  return is_json ? std::optional(builder.take()) : std::nullopt;
}

std::optional<nlohmann::json> parse_object(std::string_view text, const JsonLimits& limits) {
  auto value = parse_json(text, limits);
  return value && value->is_object() ? std::move(value) : std::nullopt;
}

std::string text_of_json(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

}  // namespace bodkin
