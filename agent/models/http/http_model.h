// HttpModel: a Model that speaks a wire format over HTTP, with retries before the first byte,
// limits, detection of truncated replies, and no key in any error.
#pragma once

#include <memory>

#include "agent/models/http/http.h"
#include "agent/models/wire/wire_format.h"

namespace bodkin {

struct HttpModelOptions {
  const WireFormat* format = nullptr;
  Wire wire;
  std::string description;
  std::string key_source;  // for display, as in Key; "": no key is sent
  ModelFacts facts;
  std::chrono::milliseconds first_byte{120'000}, idle{120'000}, progress{300'000};
  // How long to wait for an overloaded server; 0: two retries, like the official SDKs.
  std::chrono::milliseconds patience{0};
};

std::unique_ptr<Model> make_http_model(HttpModelOptions options);

}  // namespace bodkin
