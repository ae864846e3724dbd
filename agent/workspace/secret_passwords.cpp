// Credentials in addresses, headers and connection strings, and what looks random.
#include <cmath>
#include <string>

#include "agent/support/base64.h"
#include "agent/workspace/secret_scan.h"

namespace bodkin {

namespace {

constexpr std::string_view kNoPasswords[] = {"password", "passwd", "pass",    "pwd",
                                             "pw",       "secret", "user",    "username",
                                             "test",     "xxx",    "example", "guest"};

}  // namespace

bool SecretScan::equals_ignoring_case(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(),
                                                   [](char a, char b) { return low(a) == b; });
}

double SecretScan::entropy(std::string_view text) {
  std::array<int, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  for (const int count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / static_cast<double>(text.size());
    bits -= share * std::log2(share);
  }
  return bits;
}

bool SecretScan::looks_random(std::string_view value) {
  size_t digits = 0, upper = 0, lower = 0, hex = 0, changes = 0;
  int last = -1;
  for (const char c : value) {
    const int kind = c >= '0' && c <= '9'   ? 0
                     : c >= 'A' && c <= 'Z' ? 1
                     : c >= 'a' && c <= 'z' ? 2
                                            : 3;
    digits += kind == 0, upper += kind == 1, lower += kind == 2, hex += is_token_char(kHex, c);
    changes += last >= 0 && kind != last;
    last = kind;
  }
  if (digits < 2 || upper + lower == 0) return false;
  if (hex == value.size()) return value.size() >= 32 && entropy(value) > 3.0;
  // In random letters and digits the kind changes every other time; in "myKeyForTests2024" it does
  // not.
  return entropy(value) > 3.5 && changes * 3 >= value.size();
}

bool SecretScan::reads_as_words(std::string_view value) {
  size_t letters = 0, digits = 0, changes = 0, consonants = 0;
  char last = '-';
  for (const char c : value) {
    const char kind = kind_of(c);
    // A word may begin with a capital.
    const bool is_inside = kind != '-' && last != '-' && kind != last;
    changes += is_inside && !(last == 'A' && kind == 'a');
    const bool is_letter_here = kind == 'A' || kind == 'a';
    letters += is_letter_here, digits += kind == '0';
    const bool is_vowel = std::string_view("aeiouy").find(low(c)) != std::string_view::npos;
    consonants = is_letter_here && !is_vowel ? consonants + 1 : 0;
    if (consonants == 6) return false;  // nothing that one can say
    last = kind;
  }
  return letters >= digits * 2 && changes * (digits > 0 ? 6 : 5) < letters;
}

size_t SecretScan::password(size_t at) {
  size_t begin = at;
  while (begin > 0 && at - begin < 9 && is_token_char(kWord, text_[begin - 1])) --begin;
  const std::string_view name = text_.substr(begin, at - begin);
  if (!equals_ignoring_case(name, "password") && !equals_ignoring_case(name, "pwd")) return at;
  const char before = begin > 0 ? text_[begin - 1] : '\n';
  const bool in_address = before == '&' || before == '?';
  size_t end = at + 1;
  const size_t most = std::min(text_.size(), at + 200);
  while (end<most&& static_cast<unsigned char>(text_[end])> ' ' &&
         std::string_view(";\"'`<>\\&").find(text_[end]) == std::string_view::npos)
    ++end;
  const bool in_list = before == ';' || (end < most && text_[end] == ';');
  if (!in_address && !(in_list && names_a_server(at))) return at;
  const std::string_view value = text_.substr(at + 1, end - at - 1);
  return value.size() >= 4 && !is_placeholder(value) ? add(at + 1, end) : at;
}

bool SecretScan::names_a_server(size_t at) {
  if (at < line_begin_ || at >= line_end_) {
    line_end_ = line_end(at);
    const size_t before = text_.rfind('\n', at);
    line_begin_ = before == text_.npos ? 0 : before + 1;
    std::string line(text_.substr(line_begin_, line_end_ - line_begin_));
    std::ranges::transform(line, line.begin(), low);
    line_names_server_ = std::ranges::any_of(
        std::initializer_list<const char*>{"server=", "host=", "data source=", "datasource=",
                                           "user id=", "uid=", "database=", "initial catalog="},
        [&](const char* word) { return line.find(word) != line.npos; });
  }
  return line_names_server_;
}

size_t SecretScan::netrc(size_t at) {
  if (!text_.substr(at, 8).starts_with("machine ")) return at;
  const size_t most = std::min(text_.size(), at + 1024);
  size_t next = at + 7;
  const auto word = [&] {
    while (next < most && (text_[next] == ' ' || text_[next] == '\t' || text_[next] == '\n'))
      ++next;
    const size_t begin = next;
    while (next<most&& static_cast<unsigned char>(text_[next])> ' ' && text_[next] != '"') ++next;
    return text_.substr(begin, next - begin);
  };
  word();  // the host
  bool has_login = false;
  for (int i = 0; i < 3; ++i) {
    const std::string_view key = word();
    const std::string_view value = word();
    if (key == "login" || key == "account") {
      has_login = true;
    } else if (key == "password" && has_login) {
      if (value.size() < 4 || is_placeholder(value)) return at;
      return add(next - value.size(), next);
    } else {
      return at;
    }
  }
  return at;
}

size_t SecretScan::bearer(size_t at) {
  for (const std::string_view scheme : {"bearer ", "basic "}) {
    if (!equals_ignoring_case(text_.substr(at, scheme.size()), scheme)) continue;
    const size_t begin = at + scheme.size();
    size_t end = begin;
    const size_t most = std::min(text_.size(), begin + 8192);
    while (end < most && (is_token_char(kToken, text_[end]) || is_token_char(kBase64, text_[end]) ||
                          text_[end] == '.' || text_[end] == '~'))
      ++end;
    const std::string_view value = text_.substr(begin, end - begin);
    if (value.size() >= 16 && looks_secret(value)) return add(begin, end);
    if (scheme == "basic " && is_login("auth", value)) {
      const std::string login = *bytes_of_base64(value);
      const std::string password = login.substr(login.find(':') + 1);
      if (password.size() >= 8 && password != login.substr(0, login.find(':')) &&
          !is_placeholder(password))
        return add(begin, end);
    }
  }
  return at;
}

size_t SecretScan::address(size_t at) {
  if (!text_.substr(at, 3).starts_with("://")) return at;
  constexpr size_t kMax = 1024;
  size_t colon = text_.npos, sign = text_.npos;
  const size_t begin = at + 3, most = std::min(text_.size(), begin + kMax);
  if (begin < address_end_) return at;  // looked at already
  size_t i = begin;
  for (; i < most; ++i) {
    const char c = text_[i];
    if (c == '@') sign = i;
    if (static_cast<unsigned char>(c) <= ' ' || c == '/' || c == '"' || c == '\'' || c == '<' ||
        c == '>' || c == '`' || c == '\\' || c == '?' || c == '#' || c == ',')
      break;
    if (c == ':' && colon == text_.npos) colon = i;
  }
  address_end_ = i;
  if (sign == text_.npos || (colon != text_.npos && colon > sign)) return at;
  if (colon == text_.npos) {  // a token in the user's place
    const std::string_view user = text_.substr(begin, sign - begin);
    return user.size() >= 20 && looks_secret(user) ? add(begin, sign) : at;
  }
  const std::string_view password = text_.substr(colon + 1, sign - colon - 1);
  const std::string_view user = text_.substr(begin, colon - begin);
  if (password.size() < 4 || password == user || password[0] == ']' || is_placeholder(password))
    return at;
  return add(colon + 1, sign);
}

bool SecretScan::is_placeholder(std::string_view value) {
  return std::string_view("$%{<*[(&.").find(value[0]) != std::string_view::npos ||
         std::ranges::any_of(kNoPasswords,
                             [&](auto word) { return equals_ignoring_case(value, word); });
}

bool SecretScan::looks_secret(std::string_view value) {
  const bool has_digit = value.find_first_of("0123456789") != value.npos;
  const bool has_letter =
      std::ranges::any_of(value, [](char c) { return low(c) >= 'a' && low(c) <= 'z'; });
  return has_digit && has_letter && entropy(value.substr(0, 200)) > 3.0;
}

}  // namespace bodkin
