// Passwords in the arguments of commands: "mysql -pX", "sshpass -p X", "tool --token X".

#include "agent/workspace/secret_scan.h"

namespace bodkin {

namespace {

struct PasswordOption {
  std::string_view program;  // a word of the command; with a '*', the beginning of one
  char letter;               // of the option
  bool is_attached;          // "-pX" alone: "-p" without a value asks
};
constexpr PasswordOption kPasswordOptions[] = {
    {"mysql*", 'p', true},     {"mariadb*", 'p', true}, {"7z*", 'p', true},
    {"sshpass", 'p', false},   {"mongo*", 'p', false},  {"cqlsh", 'p', false},
    {"login", 'p', false},  // of docker, podman, az and helm
    {"redis-cli", 'a', false}, {"ldap*", 'w', false},   {"sqlcmd", 'P', false},
    {"bcp", 'P', false},       {"zip", 'P', false},     {"unzip", 'P', false},
};

constexpr size_t kMaxBefore = 300;  // bytes of a command before the option

}  // namespace

bool SecretScan::calls(size_t at, std::string_view program) const {
  const bool is_beginning = program.ends_with('*');
  if (is_beginning) program.remove_suffix(1);
  constexpr std::string_view kBetween = " \t\"'`,[(=";
  size_t end = at;
  while (end > 0 && at - end < kMaxBefore) {
    size_t begin = end;
    while (begin > 0 && at - begin < kMaxBefore && text_[begin - 1] != '/' &&
           std::string_view("\n|;&").find(text_[begin - 1]) == std::string_view::npos &&
           kBetween.find(text_[begin - 1]) == std::string_view::npos)
      --begin;
    const std::string_view word = text_.substr(begin, end - begin);
    if (is_beginning ? word.starts_with(program) : word == program) return true;
    const bool ends_command =
        begin == 0 ||
        (kBetween.find(text_[begin - 1]) == std::string_view::npos && text_[begin - 1] != '/');
    if (ends_command) return false;
    end = begin - 1;
  }
  return false;
}

LineRange SecretScan::argument(size_t at) const {
  const size_t most = std::min(text_.size(), at + 200);
  const char quote = at < most ? text_[at] : '\0';
  if (quote == '"' || quote == '\'') {
    const size_t end = std::min(text_.find(quote, at + 1), line_end(at));
    return {at + 1, end < most && text_[end] == quote ? end : at + 1};
  }
  size_t end = at;
  while (end<most&& static_cast<unsigned char>(text_[end])> ' ' &&
         std::string_view("\"'`|;&<>)]").find(text_[end]) == std::string_view::npos)
    ++end;
  return {at, end};
}

size_t SecretScan::option(size_t at) {
  if (at + 4 >= text_.size()) return at;
  const char before = at > 0 ? text_[at - 1] : ' ';
  if (std::string_view(" \t\"'").find(before) == std::string_view::npos) return at;
  const auto next_word = [this](size_t from) {  // of a list, too: "-p", "X"
    const size_t begin = text_.find_first_not_of(" \t\"',", from);
    return begin == text_.npos || begin - from > 5 || begin == from ? from : begin;
  };
  if (text_[at + 1] == '-') {
    const size_t end = run_end(kToken, at);
    const std::string_view name = text_.substr(at + 2, end - at - 2);
    const size_t value = next_word(end);
    if (value == end || name.size() > 40 || !says_secret(name)) return at;
    const auto [begin, last] = argument(value);
    const std::string_view found = text_.substr(begin, last - begin);
    return found.size() >= 10 && is_short_key(name, found, true) ? add(begin, last) : at;
  }
  for (const PasswordOption& each : kPasswordOptions) {
    if (text_[at + 1] != each.letter) continue;
    const size_t value =
        each.is_attached || next_word(at + 2) == at + 2 ? at + 2 : next_word(at + 2);
    const auto [begin, last] = argument(value);
    const std::string_view found = text_.substr(begin, last - begin);
    if (found.size() < 4 || is_placeholder(found) || found[0] == '-') continue;
    if (calls(at, each.program)) return add(begin, last);
  }
  return at;
}

}  // namespace bodkin
