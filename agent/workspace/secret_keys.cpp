// Private keys: PEM, SSH2 and PuTTY, also inside string literals, diffs and comments.
#include "agent/workspace/secret_scan.h"

namespace bodkin {

size_t SecretScan::private_key(size_t at) {
  if (at < dashes_end_) return at;
  dashes_end_ = at;
  while (dashes_end_ < text_.size() && text_[dashes_end_] == '-') ++dashes_end_;
  if (dashes_end_ - at < 4) return at;
  const std::string_view head = text_.substr(dashes_end_, 100);
  const size_t word = head.starts_with(' ') ? 1 : 0;
  if (!head.substr(word).starts_with("BEGIN ")) return at;
  const size_t close = head.find("----", word);
  if (close == head.npos) return at;
  const std::string_view label = head.substr(word, close - word);
  if (label.find("PRIVATE KEY") == label.npos || label.find('\n') != label.npos) return at;
  size_t begin = dashes_end_ + close;
  while (begin < text_.size() && text_[begin] == '-') ++begin;
  constexpr size_t kMax = 64 << 10;  // bytes of a key
  if (key_end_ < begin)
    key_end_ = std::min(text_.find("-END ", begin), text_.find("- END ", begin));
  const size_t end = std::min({key_end_, begin + kMax, text_.size()});
  const size_t stop = line_end(begin);
  if (end <= stop) return hide_runs(begin, end, 8, false);  // all of it in one line
  return hide_lines(hide_runs(begin, stop, 40, false), end);
}

size_t SecretScan::putty(size_t at) {
  size_t count = 0;
  for (size_t i = at + 14; i < text_.size() && i < at + 24; ++i) {
    if (text_[i] >= '0' && text_[i] <= '9')
      count = count * 10 + static_cast<size_t>(text_[i] - '0');
    else if (text_[i] != ' ')
      break;
  }
  const size_t begin = line_end(at);
  size_t end = begin;
  for (size_t i = 0; i < std::min<size_t>(count, 1000) && end < text_.size(); ++i)
    end = line_end(end + 1);
  return hide_lines(begin, end);
}

size_t SecretScan::hide_runs(size_t begin, size_t end, size_t least, bool is_continuation) {
  for (size_t i = begin; i < end;) {
    if (!is_token_char(kBase64, text_[i])) {
      ++i;
      continue;
    }
    size_t from = i;
    while (i < end && is_token_char(kBase64, text_[i])) ++i;
    if (from > 0 && text_[from - 1] == '\\') ++from;  // "\nMII…"
    if (i < from + least) continue;
    add(from, i, is_continuation);
    is_continuation = true;
  }
  return end;
}

size_t SecretScan::hide_lines(size_t begin, size_t end) {
  const size_t known = found_.size();
  size_t headers = 0;
  for (size_t line = begin; line < end;) {
    const size_t stop = std::min(line_end(line), end);
    const std::string_view text = text_.substr(line, stop - line);
    if (const auto run = run_of_key(text)) {
      add(line + run->begin, line + run->end, found_.size() > known);
    } else if (found_.size() > known || ++headers > 12 || !is_header(text)) {
      return std::max(begin, line);
    }
    line = stop + 1;
  }
  return std::max(begin, std::min(end, text_.size()));
}

void SecretScan::lines_of_keys() {
  std::ranges::sort(found_, {}, &SecretPlace::begin);
  std::vector<SecretPlace> more;
  std::vector<LineRange> before;  // lines of base64 just above
  bool is_public = false;         // between the lines of a certificate, or another block
  for (size_t line = 0; line < text_.size();) {
    const size_t stop = line_end(line);
    const std::string_view text = text_.substr(line, std::min<size_t>(stop - line, 1000));
    const bool is_mark = text.find("-----") != text.npos;
    auto run = is_mark ? std::nullopt : run_of_key(text);
    const auto is_long = [](size_t size) { return size == 64 || size == 70; };  // PEM, OpenSSH
    if (run && text[run->begin] == '+' && is_long(run->end - run->begin - 1))
      ++run->begin;                                                     // a diff
    if (is_mark && text.find("BEGIN ") != text.npos) is_public = true;  // private: found_ has it
    if (is_mark && text.find("END ") != text.npos) {
      if (!is_public && text.find("PRIVATE KEY") != text.npos)
        for (const LineRange& each : before) more.push_back({each.begin, each.end});
      is_public = false;
    }
    if (run) {
      const std::string_view body = text.substr(run->begin, run->end - run->begin);
      before.push_back({line + run->begin, line + run->end});
      const bool is_hex = std::ranges::all_of(body, [](char c) { return is_token_char(kHex, c); });
      if (!is_public && !is_hex && is_long(body.size()) && looks_secret(body) &&
          entropy(body) > 4.5)
        more.push_back({line + run->begin, line + run->end});
    } else {
      before.clear();
    }
    line = stop + 1;
  }
  for (SecretPlace& place : more) {
    const auto next = std::ranges::upper_bound(found_, place.begin, {}, &SecretPlace::begin);
    const bool is_known = next != found_.begin() && std::prev(next)->end > place.begin;
    if (!is_known) found_.insert(next, place);
  }
}

bool SecretScan::is_header(std::string_view line) {
  return line.find(": ") != line.npos || std::ranges::none_of(line, is_letter);
}

std::optional<LineRange> SecretScan::run_of_key(std::string_view line) {
  size_t begin = 0, end = 0;
  for (size_t i = 0; i < line.size();) {
    if (!is_token_char(kBase64, line[i])) {
      ++i;
      continue;
    }
    size_t from = i;
    while (i < line.size() && is_token_char(kBase64, line[i])) ++i;
    if (from > 0 && line[from - 1] == '\\') ++from;
    if (i - from > end - begin) begin = from, end = i;
  }
  if (end - begin >= 40) return LineRange{begin, end};
  if (end - begin < 4) return std::nullopt;
  size_t last = begin;  // of what is in front
  while (last > 0 && std::string_view(" \t\"'`").find(line[last - 1]) != std::string_view::npos)
    --last;
  if (last > 0 && is_token_char(kWord, line[last - 1])) return std::nullopt;
  const bool is_place = last > 0 && (line[last - 1] == '|' || line[last - 1] == ':');
  if (!is_place && std::ranges::any_of(line.substr(0, begin), is_letter)) return std::nullopt;
  for (size_t i = end; i < line.size(); ++i)
    if (is_token_char(kWord, line[i]) && line[i - 1] != '\\') return std::nullopt;
  return LineRange{begin, end};
}

}  // namespace bodkin
