// Random values that are called a password or key.
#include <cmath>
#include <string>

#include "agent/support/base64.h"
#include "agent/workspace/secret_scan.h"

namespace bodkin {

SecretScan::Kinds SecretScan::kinds_in(std::string_view text) {
  Kinds kinds;
  char last = 0;
  for (const char c : text) {
    const char kind = kind_of(c);
    kinds.digits += kind == '0', kinds.upper += kind == 'A', kinds.small += kind == 'a';
    kinds.changes += last != 0 && kind != last;
    last = kind;
  }
  return kinds;
}

SecretScan::Called SecretScan::called_at(size_t at) const {
  const auto is_one_of = [this](size_t i, std::string_view chars) {
    return chars.find(text_[i]) != std::string_view::npos;
  };
  const auto back_over = [&](size_t end, std::string_view chars) {
    for (size_t most = 80; end > 0 && most > 0 && is_one_of(end - 1, chars); --most) --end;
    return end;
  };
  const auto word_begin = [this](size_t end) {
    size_t begin = end;
    while (begin > 0 && end - begin < 48 && is_token_char(kToken, text_[begin - 1])) --begin;
    return begin;
  };
  size_t end = at;
  if (text_[at] == '>' || text_[at] == ',') {
    // <NAME>…</NAME> and f("NAME", "…")
    const bool is_tag = text_[at] == '>';
    if (!is_tag && (at == 0 || !is_one_of(at - 1, "\"'"))) return {};
    if (!is_tag) --end;
    const size_t begin = word_begin(end);
    if (begin == end || begin < (is_tag ? 1u : 2u) ||
        text_[begin - 1] != (is_tag ? '<' : text_[end]))
      return {};
    if (is_tag) return {text_.substr(begin, end - begin), begin, true};
    const size_t value = std::min(text_.find_first_not_of(" \t", at + 1), text_.size() - 1);
    if (text_[begin - 2] != '(' || !is_one_of(value, "\"'")) return {};
    return {text_.substr(begin, end - begin), begin, false};
  }
  while (end > 0 && at - end < 3 && (text_[end - 1] == ' ' || text_[end - 1] == ':')) --end;
  if (end > 0 && (text_[end - 1] == '"' || text_[end - 1] == '\'')) --end;
  if (end > 0 && text_[end - 1] == '\\') --end;
  const size_t begin = word_begin(end);
  const std::string_view name = text_.substr(begin, end - begin);
  const std::string_view before =
      text_.substr(begin - std::min<size_t>(begin, 8), std::min<size_t>(begin, 8));
  if (before.ends_with(" -u ") || before.ends_with(" --user ")) return {"password", begin, true};
  if (!equals_ignoring_case(name, "value")) return {name, begin, false};
  // <add key="NAME" value="…"/> and "- name: NAME" with "value: …" in the next line
  const size_t name_end = back_over(begin, " \t\r\n\"',-");
  const size_t name_begin = word_begin(name_end);
  const size_t sign = back_over(name_begin, " \t\"'");
  if (sign == 0 || !is_one_of(sign - 1, ":=")) return {name, begin, false};
  const size_t key_end = back_over(sign - 1, " \t\"'");
  const std::string_view key = text_.substr(word_begin(key_end), key_end - word_begin(key_end));
  if (!equals_ignoring_case(key, "key") && !equals_ignoring_case(key, "name"))
    return {name, begin, false};
  return {text_.substr(name_begin, name_end - name_begin), begin, true};
}

size_t SecretScan::with_signs(std::string_view name, size_t value) {
  if (!says_secret(name)) return value;
  constexpr size_t kLeast = 10, kMost = 128;
  const char quote = text_[value - 1];
  const bool is_quoted = quote == '"' || quote == '\'' || quote == '`';
  size_t end = value;
  while (end < text_.size() && end - value <= kMost &&
         std::string_view(is_quoted ? "\"'`\r\n" : "\"'`<>&;, \t\r\n").find(text_[end]) ==
             std::string_view::npos)
    ++end;
  const std::string_view found = text_.substr(value, end - value);
  if (found.size() < kLeast || found.size() > kMost) return value;
  // Variables, expressions, formats and addresses.
  if (found.find_first_of("$!@#^&*?") == found.npos ||
      found.find_first_of("(){}[]<>=\\ /|") != found.npos)
    return value;
  const auto [digits, upper, small, changes] = kinds_in(found);
  const bool is_random = digits > 1 && upper + small > 1 && changes * 5 >= found.size() * 2 &&
                         entropy(found) > std::log2(static_cast<double>(found.size())) - 1.0;
  return is_random ? add(value, end) : value;
}

size_t SecretScan::assigned(size_t at) {
  constexpr size_t kLeast = 12;
  if (at + kLeast >= text_.size() || text_[at + 1] == ':' ||
      (at > 0 && text_[at - 1] == ':' && text_[at] == ':'))
    return at;
  const Called called = called_at(at);
  const std::string_view name = called.name;
  if (name.empty()) return at;
  // The value.
  size_t value = at + 1;
  while (value < text_.size() && value - at < 8 &&
         std::string_view(" \t=:>[\"'\\`").find(text_[value]) != std::string_view::npos)
    ++value;
  if (const size_t quoted = quoted_key(name, value); quoted > value) return quoted;
  if (const size_t end = with_signs(name, value); end > value) return end;
  const size_t most = std::min(text_.size(), value + 512);
  size_t last = value;
  while (last < most &&
         (is_token_char(kToken, text_[last]) || is_token_char(kBase64, text_[last]) ||
          text_[last] == '.' || text_[last] == '~' || text_[last] == '!'))
    ++last;
  if (last - value < kLeast || (last == most && most < text_.size())) return at;
  // A call or a member of something is code.
  const char behind = last < text_.size() ? text_[last] : '\n';
  if (behind == '(' || behind == '[' || behind == '{') return at;
  const std::string_view found = text_.substr(value, last - value);
  if (is_login(name, found) ||
      is_short_key(name, found, called.is_literal || is_literal(called.begin, value, last)))
    return add(value, last);
  const bool is_random = found.size() >= 16 && looks_random(found);
  if (!is_random && found.size() != 40) return at;
  // The shell's working folder, in an environment.
  const bool is_folder = found[0] == '/' && (equals_ignoring_case(name, "pwd") ||
                                             equals_ignoring_case(name, "oldpwd"));
  return says_secret(name) && !is_folder && (is_random || is_key_of_aws(name, found))
             ? add(value, last)
             : at;
}

size_t SecretScan::quoted_key(std::string_view name, size_t value) {
  if (name.size() < 9 || !equals_ignoring_case(name.substr(name.size() - 10 + (name.size() < 10)),
                                               name.size() < 10 ? "secretkey" : "secret_key"))
    return value;
  const char quote = value > 0 ? text_[value - 1] : '\0';
  if (quote != '"' && quote != '\'') return value;
  const size_t end = std::min(text_.find(quote, value), line_end(value));
  if (end >= text_.size() || text_[end] != quote || end - value > 200) return value;
  const std::string_view found = text_.substr(value, end - value);
  if (found.size() < 16 || is_placeholder(found) || found.find('{') != found.npos ||
      found.find("://") != found.npos || !looks_secret(found))
    return value;
  return add(value, end);
}

bool SecretScan::is_login(std::string_view name, std::string_view value) {
  if (!equals_ignoring_case(name, "auth") && !equals_ignoring_case(name, "_auth")) return false;
  const auto bytes = bytes_of_base64(value);
  return bytes && bytes->find(':') != bytes->npos &&
         std::ranges::all_of(*bytes, [](char c) { return static_cast<unsigned char>(c) >= ' '; });
}

// In quotes, or alone with its name in a line: no expression of a program, most likely.
bool SecretScan::is_literal(size_t name, size_t value, size_t end) const {
  const char quote = text_[value - 1], behind = end < text_.size() ? text_[end] : '\n';
  if (quote == '"' || quote == '\'' || quote == '`') return behind == quote;
  const bool has_words = text_.substr(value, end - value).find('_') != text_.npos;
  if (has_words || (behind != '\n' && behind != '\r')) return false;
  const size_t before = name == 0 ? text_.npos : text_.rfind('\n', name - 1);
  std::string_view start = text_.substr(before + 1, name - before - 1);
  if (start.ends_with("export ")) start.remove_suffix(7);
  // "a.b.password=…" of settings; programs have spaces around it.
  if (text_[value - 1] == '=' && is_token_char(kToken, text_[value - 2]))
    while (!start.empty() && (is_token_char(kToken, start.back()) || start.back() == '.'))
      start.remove_suffix(1);
  return start.size() < 40 && start.find_first_not_of(" \t+-") == start.npos;
}

bool SecretScan::is_short_key(std::string_view name, std::string_view value, bool is_literal) {
  constexpr std::string_view kWords[] = {"your",  "example", "change", "test",   "dummy",  "xxxx",
                                         "here",  "place",   "fake",   "sample", "secret", "token",
                                         "local", "none",    "1234",   "pass",   "user",   "key",
                                         "admin", "name",    "abcd"};
  const bool is_of_environment =
      (name.find('_') != name.npos || name == "PGPASSWORD") &&
      std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
  if ((!is_of_environment && !is_literal) || value.find('.') != value.npos || value[0] == '/' ||
      !says_secret(name))
    return false;
  std::string lower(value);
  std::ranges::transform(lower, lower.begin(), low);
  for (const std::string_view word : kWords)
    if (lower.find(word) != lower.npos) return false;
  const auto [digits, upper, small, changes] = kinds_in(value);
  if (value.find_first_of("-_") != value.npos && reads_as_words(value)) return false;
  // All letters of random ones differ in case; those of a word do not.
  const bool is_mixed = digits > 0 ? upper + small > 0 && changes * 8 >= value.size()
                                   : upper > 1 && small > 1 && changes * 4 >= value.size();
  const bool is_no_name = (digits > 1 && upper + small > 1) ||
                          (upper > 3 && small > 3 && changes * 5 >= value.size() * 2);
  if (!is_of_environment && !is_no_name) return false;
  return is_mixed && entropy(value) > std::log2(static_cast<double>(value.size())) - 1.8;
}

bool SecretScan::is_key_of_aws(std::string_view name, std::string_view value) {
  std::string word;
  for (const char c : name)
    if (c != '_' && c != '-') word += low(c);
  return (word.find("secretaccesskey") != word.npos || word.find("awssecret") != word.npos) &&
         std::ranges::all_of(value, [](char c) { return is_token_char(kBase64, c); }) &&
         std::ranges::any_of(value, [](char c) { return c >= 'A' && c <= 'Z'; }) &&
         std::ranges::any_of(value, is_letter) && entropy(value) > 3.5;
}

bool SecretScan::says_secret(std::string_view name) {
  char lower[64];
  size_t size = 0;
  for (const char c : name)
    if (c != '_' && c != '-') lower[size++] = low(c);
  const std::string_view word(lower, size);
  for (const std::string_view part :
       {"secret", "token", "passw", "pwd", "apikey", "accesskey", "authkey", "accountkey",
        "privatekey", "encryptionkey", "signingkey", "credential", "masterkey", "sharedkey",
        "connectionstring", "sessionkey", "webhook"})
    if (word.find(part) != word.npos) return true;
  return false;
}

}  // namespace bodkin
