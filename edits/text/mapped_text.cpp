#include "edits/text/mapped_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include "edits/text/find_bytes.h"
#include "edits/text/stopping.h"

namespace bodkin {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr size_t kMaxScans = 12;        // about what an index costs
constexpr size_t kSteps = 300'000'000;  // of some nanoseconds at most

}  // namespace

MappedText::MappedText(const Text& text) : text_(text), budget_(kSteps) {
  bytes_ = text_.chunk_at(0);
  if (bytes_.size() != text_.size()) {  // an edited text is in pieces
    copy_ = text_.str();
    bytes_ = copy_;
  }
  if (bytes_.starts_with(kByteOrderMark)) first_ = kByteOrderMark.size();
  const bool has_newlines = bytes_.find('\n') != std::string_view::npos;
  if (!has_newlines) terminator_ = '\r';
  if (has_newlines && text_.has_lone_returns()) {  // which end lines of the text, and not here
    for (size_t at = first_; at < bytes_.size();) {
      begins_.push_back(at);
      at = std::min(bytes_.find('\n', at), bytes_.size() - 1) + 1;
    }
    line_count_ = begins_.size();
    begins_.push_back(bytes_.size());
    return;
  }
  line_count_ = text_.line_count();
  const size_t last = line_count_ > 1 ? text_.line_begin(line_count_ - 1) : first_;
  if (last >= bytes_.size()) --line_count_;  // nothing is in the last line
}

size_t MappedText::looked_up(size_t line) const {
  constexpr size_t kFew = 512;
  if (++lookups_ > kFew) {
    begins_ = text_.line_begins();
    begins_[0] = first_;
    begins_.resize(line_count_);
    begins_.push_back(bytes_.size());
    return begins_[line];
  }
  if (line >= line_count_) return bytes_.size();
  return line == 0 ? first_ : text_.line_begin(line);
}

std::string_view MappedText::line_end_near(size_t i) const {
  const size_t count = line_count();
  if (i > 0 && i <= count && !line_end(i - 1).empty()) return line_end(i - 1);
  if (i < count && !line_end(i).empty()) return line_end(i);
  if (count > 0 && !line_end(0).empty()) return line_end(0);
  return "\n";
}

size_t MappedText::line_at(size_t offset) const {
  if (line_count() == 0) return 0;
  if (begins_.empty()) return std::min(text_.line_of(offset), line_count() - 1);
  const auto it = std::upper_bound(begins_.begin(), begins_.end() - 1, offset);
  return it == begins_.begin() ? 0 : static_cast<size_t>(it - begins_.begin()) - 1;
}

// The sum of a number for each byte that is not blank, times its place among those: no step waits
// for the one before it, as all lines of a file are read.
uint32_t MappedText::hash(std::string_view line) {
  static constexpr auto kNumbers = [] {
    std::array<uint32_t, 256> numbers{};
    uint32_t next = 1;
    for (size_t i = 0; i < numbers.size(); ++i) {
      next = next * 1664525 + 1013904223;
      numbers[i] = is_space(static_cast<char>(i)) ? 0 : next;
    }
    return numbers;
  }();
  const auto sum = [](std::string_view text) {
    uint32_t hash = 0, place = 1;
    for (const char c : text) {
      const uint32_t number = kNumbers[static_cast<unsigned char>(c)];
      hash += number * place;
      place += 2 * (number != 0);
    }
    return hash ^ (hash >> 15);  // the low bits choose the chain, and are the weakest
  };
  std::string buffer;
  return sum(is_ascii(line) ? line : punctuation_key(line, buffer));
}

bool MappedText::lines_with(std::string_view text, size_t most, std::vector<size_t>& lines) const {
  lines.clear();
  if (text.empty()) return false;
  if (scans_ < kMaxScans) {
    ++scans_;
    size_t hits = 0;
    for (size_t at = first_; at < bytes_.size();) {
      const size_t hit = find_bytes(bytes_, text, at);
      if (hit == bytes_.npos) break;
      const size_t number = line_at(hit);
      if (trimmed(line(number)) == text) {
        lines.push_back(number);
      }
      if (++hits > most * 4 || lines.size() > most) {
        scans_ = kMaxScans;  // the text is common: scanning does not pay
        return lines_with(text, most, lines);
      }
      at = std::max(next_of(number), hit + 1);
    }
    return true;
  }
  const auto hashed = lines_hashed(hash(text), most);
  if (!hashed) return false;
  std::ranges::copy_if(*hashed, std::back_inserter(lines),
                       [&](size_t at) { return trimmed(line(at)) == text; });
  return true;
}

const MappedText::Index& MappedText::index() const {
  if (!index_.heads.empty()) return index_;
  auto& [hashes, heads, nexts] = index_;
  hashes.resize(line_count());
  for (size_t i = 0; i < line_count(); ++i) hashes[i] = hash(line(i));
  heads.assign(std::bit_ceil(line_count() + 1), 0);
  nexts.assign(line_count(), 0);
  for (size_t i = line_count(); i-- > 0;) {
    uint32_t& head = heads[hashes[i] & (heads.size() - 1)];
    nexts[i] = head;
    head = static_cast<uint32_t>(i + 1);
  }
  return index_;
}

std::optional<std::vector<size_t>> MappedText::lines_hashed(uint32_t hash, size_t most) const {
  const auto& [hashes, heads, nexts] = index();
  std::vector<size_t> lines;
  size_t steps = 0;
  for (uint32_t at = heads[hash & (heads.size() - 1)]; at != 0; at = nexts[at - 1]) {
    if (++steps > most * 16 || lines.size() > most) return std::nullopt;
    if (hashes[at - 1] == hash) lines.push_back(at - 1);
  }
  if (lines.size() > most) return std::nullopt;
  return lines;
}

size_t MappedText::cost_of_search() const {
  return scans_ < kMaxScans ? bytes_.size() / 16 : index_.heads.empty() ? line_count() : 64;
}

const MappedText::Indentation& MappedText::indentation() const {
  if (indentation_known_) return indentation_;
  indentation_known_ = true;
  std::array<size_t, 17> steps{};  // how often a line is so many columns deeper than the one above
  size_t before = 0, deeper = 0;
  for (size_t i = 0; i < line_count(); ++i) {
    const std::string_view text = line(i);
    const size_t depth = indentation_of(text).size();
    if (depth == text.size()) continue;
    indentation_.tabs |= text[0] == '\t';
    if (depth > before + 1 && depth - before < steps.size()) ++steps[depth - before], ++deeper;
    before = depth;
  }
  const auto most = std::max_element(steps.begin(), steps.end());
  if (*most > 0) indentation_.unit = static_cast<size_t>(most - steps.begin());
  indentation_.blanks = !indentation_.tabs && deeper > 0;
  return indentation_;
}

bool MappedText::spend(size_t steps) const {
  gave_up_ = gave_up_ || steps > budget_ || is_stopped();
  if (gave_up_) return false;
  budget_ -= steps;
  return true;
}

}  // namespace bodkin
