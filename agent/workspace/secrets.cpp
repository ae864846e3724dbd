#include "agent/workspace/secrets.h"

#include <algorithm>
#include <array>

#include "agent/support/held_secrets.h"
#include "agent/workspace/secret_scan.h"

namespace bodkin {

namespace {

// The first two characters of each form. Most words are done with that.
constexpr std::array<std::array<bool, 128>, 128> kPairs = [] {
  std::array<std::array<bool, 128>, 128> pairs{};
  for (const TokenForm& form : kTokenForms)
    pairs[static_cast<size_t>(form.prefix[0])][static_cast<size_t>(form.prefix[1])] = true;
  for (const char* other :
       {"ey", "SG", "Ac", "Be", "be", "BE", "Ba", "ba", "BA", "ma", "dt", "pa", "ac"})
    pairs[static_cast<size_t>(other[0])][static_cast<size_t>(other[1])] = true;
  return pairs;
}();

}  // namespace

std::vector<SecretPlace> SecretScan::run() {
  size_t at = 0;
  while (at < text_.size()) {
    const char c = text_[at];
    size_t next = at + 1;
    if (c == '-') {
      next = std::max({private_key(at), mailchimp(at), option(at), next});
    } else if (c == ':') {
      next = std::max({address(at), bot(at), around_colon(at), assigned(at), next});
    } else if (c == '=') {
      next = std::max({assigned(at), signature(at), password(at), next});
    } else if (c == '>' || c == ',') {
      next = std::max(assigned(at), next);
    } else if (c == '.') {
      next = std::max(behind_dot(at), next);
    } else if (c == '_') {
      next = std::max(around_underscore(at), next);
    } else if (c == '~') {
      next = std::max(client_secret(at), next);
    } else if (c == 'P' && text_.substr(at).starts_with("Private-Lines:")) {
      next = std::max(putty(at), next);
    }
    if (next == at + 1 && next < text_.size() && is_token_char(kWord, c) &&
        kPairs[static_cast<size_t>(c)][text_[next] & 127] && begins(at)) {
      next = std::max(token(at), next);
      if (next == at + 1 && (c == 'B' || c == 'b')) next = std::max(bearer(at), next);
    }
    at = next;
  }
  lines_of_keys();
  return std::move(found_);
}

// Decides: which text is secret.
std::vector<SecretPlace> find_secrets(std::string_view text) {
  std::vector<SecretPlace> places = SecretScan(text).run();
  for (const HeldPlace& held : held_secrets_in(text)) places.push_back({held.begin, held.end});
  join_overlapping(places);
  return places;
}

}  // namespace bodkin
