// The model of the mode human, which asks none.
#pragma once

#include <string>
#include <utility>

#include "agent/models/model.h"

namespace bodkin {

class NoModel : public Model {
 public:
  // `why`: what a request would be answered with.
  explicit NoModel(std::string why) : why_(std::move(why)) {}
  std::expected<ModelReply, ModelError> respond(const ModelRequest&, const Task&) override {
    return std::unexpected(ModelError{"not_found", why_});
  }
  std::string description() const override { return "no model"; }
  bool has_tools() const override { return true; }

 private:
  const std::string why_;
};

}  // namespace bodkin
