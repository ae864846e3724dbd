#include "lsp/review/proposals.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "edits/plan/diff.h"
#include "edits/text/line_keys.h"

namespace bodkin::lsp {

namespace {

// An editor may report an insertion some equal lines away from where it was asked for.
constexpr size_t kSlide = 1 << 16;

bool is_line_begin(const Text& text, size_t offset) {
  if (offset == 0) return true;
  const std::string before = text.substr(offset - 1, 1);
  return before == "\n" || before == "\r";
}

// How far a change may slide and still have the same effect: as far as the text goes on as the
// change's own text does.
struct Reach {
  size_t ahead = 0, back = 0;  // bytes
};

Reach reach_of(const Text& text, const Replacement& change) {
  const size_t end = change.offset + change.length;
  Reach reach;
  // Nearly always the first few bytes differ.
  for (size_t most : {size_t{64}, kSlide}) {
    const std::string now = change.text + text.substr(end, most);
    const std::string then = text.substr(change.offset, most);
    const auto differs = std::ranges::mismatch(now, then);
    reach.ahead = static_cast<size_t>(differs.in1 - now.begin());
    if (reach.ahead < 64) break;
  }
  for (size_t most : {size_t{64}, kSlide}) {
    const size_t before = std::min(most, change.offset), all = std::min(most, end);
    const std::string now = text.substr(change.offset - before, before) + change.text;
    const std::string then = text.substr(end - all, all);
    const auto differs = std::mismatch(now.rbegin(), now.rend(), then.rbegin(), then.rend());
    reach.back = static_cast<size_t>(differs.first - now.rbegin());
    if (reach.back < 64) break;
  }
  return reach;
}

// Does the change have the same effect as replacing the hunk's region by `with`?
bool is_the_same(const Text& text, const Replacement& change, const Reach& reach,
                 const ProposedHunk& hunk, const std::string& with) {
  const size_t change_end = change.offset + change.length;
  if (hunk.begin > change.offset + reach.ahead || hunk.end + reach.back < change_end) return false;
  if (change.text.size() + (hunk.end - hunk.begin) != with.size() + change.length) return false;
  const size_t low = std::min(change.offset, hunk.begin);
  const size_t high = std::max(change_end, hunk.end);
  if (high - low > kSlide + (hunk.end - hunk.begin) + change.length) return false;
  const std::string by_change = text.substr(low, change.offset - low) + change.text +
                                text.substr(change_end, high - change_end);
  const std::string by_hunk =
      text.substr(low, hunk.begin - low) + with + text.substr(hunk.end, high - hunk.end);
  return by_change == by_hunk;
}

void shift(ProposedHunk& hunk, size_t taken, size_t given) {
  hunk.begin = hunk.begin - taken + given;
  hunk.end = hunk.end - taken + given;
}

// The region grows over a change of [begin, end) that touches it.
void cover(ProposedHunk& hunk, size_t begin, size_t end, size_t given) {
  hunk.end = std::max(end, hunk.end) - (end - begin) + given;
  hunk.begin = std::min(begin, hunk.begin);
  hunk.touched = true;
}

}  // namespace

std::string_view name_of(Verification::State state) {
  switch (state) {
    case Verification::State::verified:
      return "verified";
    case Verification::State::failed:
      return "failed";
    case Verification::State::unknown:
      return "unknown";
  }
  return "unknown";
}

std::string in_words(const Verification& verification) {
  switch (verification.state) {
    case Verification::State::verified:
      return verification.by.empty() ? "checked" : "checked by " + verification.by;
    case Verification::State::failed:
      return "has problems";
    case Verification::State::unknown:
      break;
  }
  return verification.by.empty() ? "not checked" : "only " + verification.by + " was checked";
}

std::string_view name_of(Proposal::State state) {
  switch (state) {
    case Proposal::State::ready:
      return "ready";
    case Proposal::State::applying:
      return "applying";
    case Proposal::State::applied:
      return "applied";
    case Proposal::State::partly:
      return "partly";
    case Proposal::State::stale:
      return "stale";
    case Proposal::State::refused:
      return "refused";
    case Proposal::State::unknown:
      return "unknown";
    case Proposal::State::discarded:
      return "discarded";
  }
  return "unknown";
}

bool Proposal::is_open() const {
  return state != State::applying && state != State::discarded &&
         count(ProposedHunk::State::pending) > 0;
}

size_t Proposal::count(ProposedHunk::State wanted) const {
  size_t result = 0;
  for (const auto& file : files) {
    result += static_cast<size_t>(
        std::ranges::count(file.hunks, wanted, [](const auto& hunk) { return hunk.state; }));
  }
  return result;
}

size_t Proposal::bytes() const {
  size_t result = title.size() + message.size() + 1000;
  for (const auto& file : files) {
    result += file.text.size() + 1000;
    for (const auto& hunk : file.hunks) {
      result += hunk.old_text.size() + hunk.new_text.size() + sizeof hunk;
    }
  }
  return result;
}

size_t Proposal::hunk_count() const {
  size_t result = 0;
  for (const auto& file : files) result += file.hunks.size();
  return result;
}

// The indexes ascend over files and hunks.
ProposedHunk* hunk_at(Proposal& proposal, size_t index) {
  const auto file = std::ranges::lower_bound(
      proposal.files, index, {}, [](const ProposedFile& each) { return each.hunks.back().index; });
  if (file == proposal.files.end()) return nullptr;
  const auto hunk = std::ranges::lower_bound(file->hunks, index, {}, &ProposedHunk::index);
  return hunk != file->hunks.end() && hunk->index == index ? &*hunk : nullptr;
}

std::vector<std::string> superfluous(const Proposals& proposals,
                                     const std::function<bool(const std::string& id)>& is_busy) {
  struct Most {
    size_t count, bytes;
  };
  std::vector<std::string> result;
  size_t count = proposals.size(), bytes = 0;
  for (const auto& [id, proposal] : proposals) bytes += proposal.bytes();
  // Those that are over go early: they are only looked at again, or undone.
  for (const auto& [open, most] : {std::pair(false, Most{200, size_t{64} << 20}),
                                   std::pair(true, Most{500, size_t{256} << 20})}) {
    for (const auto& [id, proposal] : proposals) {
      if (count <= most.count && bytes <= most.bytes) break;
      if (proposal.is_open() != open || is_busy(id)) continue;
      result.push_back(id);
      --count;
      bytes -= proposal.bytes();
    }
  }
  return result;
}

namespace {

// Of the lines above and below the hunk those that are less deep than its own: the block that they
// begin and end is what the hunk's lines stand in. Without the blanks round them.
std::pair<std::string, std::string> lines_round(const Text& text, const ProposedHunk& hunk) {
  const std::string& own = hunk.old_text.empty() ? hunk.new_text : hunk.old_text;
  const size_t depth = indentation_of(std::string_view(own).substr(0, own.find('\n'))).size();
  const auto at = [&](size_t line) {
    const std::string found = text.line(line);
    return indentation_of(found).size() < depth ? std::string(stripped(found)) : "";
  };
  const size_t first = text.line_of(hunk.begin), next = text.line_of(hunk.end);
  return {first > 0 ? at(first - 1) : "", hunk.end < text.size() ? at(next) : ""};
}

}  // namespace

bool ProposedHunk::is_between(const Text& now) const {
  return lines_round(now, *this) == std::pair(above, below);
}

std::vector<ProposedFile> proposed_files(const std::vector<DraftFile>& draft) {
  std::vector<ProposedFile> result;
  size_t index = 0;
  for (const DraftFile& from : draft) {
    ProposedFile file;
    file.path = from.path;
    file.moved_to = from.moved_to;
    if (from.base) file.text = from.base->text;
    const auto add = [&](size_t begin, size_t length, std::string text) {
      ProposedHunk hunk;
      hunk.index = index++;
      hunk.begin = begin;
      hunk.end = begin + length;
      hunk.old_text = file.text.substr(begin, length);
      hunk.new_text = std::move(text);
      hunk.quality = from.quality;
      std::tie(hunk.above, hunk.below) = lines_round(file.text, hunk);
      file.hunks.push_back(std::move(hunk));
    };
    if (!from.base) {
      if (!from.text) continue;
      file.kind = ProposedFile::Kind::create;
      add(0, 0, from.text->str());
    } else if (!from.text) {
      file.kind = ProposedFile::Kind::remove;
      add(0, file.text.size(), "");
    } else {
      for (Replacement& change : changed_lines(from.base->text, *from.text)) {
        add(change.offset, change.length, std::move(change.text));
      }
    }
    if (file.hunks.empty() && from.moved_to && from.text) {
      // A rename alone has no text by which it could be recognised: it is a new file and a removal.
      ProposedFile created = file;
      created.kind = ProposedFile::Kind::create;
      created.path = *from.moved_to;
      created.moved_to.reset();
      created.text = Text();
      created.hunks.push_back({index++, 0, 0, "", from.text->str()});
      result.push_back(std::move(created));
      file.kind = ProposedFile::Kind::remove;
      file.moved_to.reset();
      add(0, file.text.size(), "");
    }
    if (!file.hunks.empty()) result.push_back(std::move(file));
  }
  return result;
}

namespace {

// The hunks first … last, flipped: those that are applied get their old text, or (`undo` is false)
// those that have it get their new one. Nothing: the change does something else.
bool flip_run(ProposedFile& file, const Text& before, const Replacement& change, size_t first,
              size_t last, bool undo) {
  const auto flips = [&](const ProposedHunk& hunk) {
    return undo ? hunk.state == ProposedHunk::State::applied : hunk.has_old_text();
  };
  if (!flips(file.hunks[first]) || !flips(file.hunks[last])) return false;
  size_t taken = 0, given = 0;
  for (size_t i = first; i <= last; ++i) {
    const ProposedHunk& hunk = file.hunks[i];
    if (i > first && hunk.begin < file.hunks[i - 1].end) return false;
    if (!flips(hunk)) continue;
    taken += hunk.end - hunk.begin;
    given += (undo ? hunk.old_text : hunk.new_text).size();
  }
  if (change.text.size() + taken != given + change.length) return false;
  const size_t change_end = change.offset + change.length;
  const size_t low = std::min(change.offset, file.hunks[first].begin);
  const size_t high = std::max(change_end, file.hunks[last].end);
  if (high - low > kSlide + change.length + taken) return false;
  std::string by_hunks;
  size_t at = low;
  for (size_t i = first; i <= last; ++i) {
    const ProposedHunk& hunk = file.hunks[i];
    if (!flips(hunk)) continue;
    by_hunks += before.substr(at, hunk.begin - at) + (undo ? hunk.old_text : hunk.new_text);
    at = hunk.end;
  }
  by_hunks += before.substr(at, high - at);
  if (by_hunks != before.substr(low, change.offset - low) + change.text +
                      before.substr(change_end, high - change_end)) {
    return false;
  }
  size_t shrunk = 0, grown = 0;
  for (size_t i = first; i < file.hunks.size(); ++i) {
    ProposedHunk& hunk = file.hunks[i];
    const size_t size = hunk.end - hunk.begin;
    const bool flipped = i <= last && flips(hunk);
    const size_t now = flipped ? (undo ? hunk.old_text : hunk.new_text).size() : size;
    hunk.begin = hunk.begin + grown - shrunk;
    hunk.end = hunk.begin + now;
    hunk.touched = hunk.touched || flipped;
    shrunk += size;
    grown += now;
  }
  return true;
}

// One change that flips several hunks: the editor's own undo, or an edit that came as one piece.
bool flip_several(ProposedFile& file, const Text& before, const Replacement& change) {
  const size_t count = file.hunks.size();
  size_t first = 0, last = count;
  while (first < count && file.hunks[first].end < change.offset) ++first;
  while (last > 0 && file.hunks[last - 1].begin > change.offset + change.length) --last;
  // The change may begin or end some equal lines away from a hunk.
  const size_t earliest = first > 0 ? first - 1 : 0, latest = std::min(last, count - 1);
  if (count < 2 || latest <= earliest) return false;
  for (const bool undo : {true, false}) {
    for (size_t i = earliest; i <= std::min(first, latest); ++i) {
      for (size_t j = latest; j > i && j + 1 >= last; --j) {
        if (flip_run(file, before, change, i, j, undo)) return true;
      }
    }
  }
  return false;
}

}  // namespace

void track(ProposedFile& file, const Replacement& change) {
  using State = ProposedHunk::State;
  const Text before = file.text;
  file.text = before.replace(change.offset, change.length, change.text);
  const size_t begin = change.offset, end = change.offset + change.length;

  const Reach reach = reach_of(before, change);
  for (ProposedHunk& taken : file.hunks) {
    if (!taken.has_old_text() && taken.state != State::applied) continue;
    const std::string& with = taken.state == State::applied ? taken.old_text : taken.new_text;
    if (!is_the_same(before, change, reach, taken, with)) continue;
    const size_t old_end = taken.end, old_size = taken.end - taken.begin;
    for (ProposedHunk& other : file.hunks) {
      if (other.index == taken.index) continue;
      if (other.index > taken.index && other.begin >= old_end) {
        shift(other, old_size, with.size());
      } else if (other.index > taken.index || other.end > taken.begin) {
        cover(other, taken.begin, old_end, with.size());
      }
    }
    taken.end = taken.begin + with.size();
    taken.touched = true;
    return;
  }
  if (flip_several(file, before, change)) return;
  for (ProposedHunk& hunk : file.hunks) {
    // At the border a change is outside only if it leaves the hunk's lines whole.
    if (begin > hunk.end || (begin == hunk.end && is_line_begin(before, hunk.end))) continue;
    const bool whole_lines =
        change.text.empty() ? is_line_begin(before, begin) : change.text.back() == '\n';
    if (end < hunk.begin || (end == hunk.begin && whole_lines)) {
      shift(hunk, change.length, change.text.size());
      continue;
    }
    cover(hunk, begin, end, change.text.size());
  }
}

namespace {

// What a hunk is by what its region holds.
ProposedHunk::State state_now(const ProposedHunk& hunk, bool holds_new, bool holds_old) {
  using State = ProposedHunk::State;
  if (holds_new) return State::applied;
  if (holds_old) return hunk.was_applied ? State::discarded : State::pending;
  return hunk.state == State::discarded ? State::discarded : State::stale;
}

// Neovim reports a change of a file's last line as if its newline were another one.
bool lost_its_newline(const Text& text, const ProposedHunk& hunk) {
  return hunk.end > hunk.begin && !is_line_begin(text, hunk.end) &&
         text.substr(hunk.end, 1) == "\n";
}

// Returns whether that is something else than it was.
bool become(ProposedHunk& hunk, ProposedHunk::State now) {
  if (now == ProposedHunk::State::applied) hunk.was_applied = true;
  return now != std::exchange(hunk.state, now);
}

// A file that is to be created is there or not, as a whole: what somebody else put in its place is
// never added to.
bool settle_new(ProposedFile& file) {
  using State = ProposedHunk::State;
  ProposedHunk& hunk = file.hunks[0];
  hunk.touched = false;
  hunk.begin = 0;
  hunk.end = file.text.size();
  if (hunk.state == State::discarded && !hunk.was_applied) return false;
  const std::string text = file.text.str();
  // Some editors keep the empty line that a new buffer begins with.
  const bool is_there = text == hunk.new_text || text == hunk.new_text + "\n";
  return become(hunk, state_now(hunk, !text.empty() && is_there, text.empty()));
}

}  // namespace

bool settle(ProposedFile& file) {
  using State = ProposedHunk::State;
  bool changed = false;
  // The whole as it was offered: however the editor cut it into changes, it is our edit.
  if (file.offered && file.offered->text == file.text) {
    for (ProposedHunk& hunk : file.hunks) {
      hunk.touched = false;
      const auto region = file.offered->regions.find(hunk.index);
      if (region == file.offered->regions.end()) continue;
      hunk.begin = region->second.begin;
      hunk.end = region->second.end;
      if (!region->second.taken) continue;
      changed |= become(hunk, file.offered->undo ? State::discarded : State::applied);
    }
    file.offered.reset();
    return changed;
  }
  if (file.kind == ProposedFile::Kind::create) return settle_new(file);
  for (size_t i = 0; i < file.hunks.size(); ++i) {
    ProposedHunk& hunk = file.hunks[i];
    if (!std::exchange(hunk.touched, false)) continue;
    if (hunk.state == State::discarded && !hunk.was_applied) continue;
    const auto holds = [&](const std::string& text) {
      const size_t size = hunk.end - hunk.begin;
      // Whole lines: "b" at the end of "ab" is not the line "b".
      return size == text.size() && is_line_begin(file.text, hunk.begin) &&
             (hunk.end == file.text.size() || is_line_begin(file.text, hunk.end)) &&
             file.text.substr(hunk.begin, size) == text;
    };
    const size_t next = i + 1 < file.hunks.size() ? file.hunks[i + 1].begin : file.text.size();
    if (lost_its_newline(file.text, hunk) && hunk.end < next) {
      ++hunk.end;
      if (!holds(hunk.new_text) && !holds(hunk.old_text)) --hunk.end;
    }
    changed |= become(hunk, state_now(hunk, holds(hunk.new_text), holds(hunk.old_text)));
  }
  return changed;
}

void adopt_new_name(ProposedFile& file) {
  file.moved_from = std::exchange(file.path, *std::exchange(file.moved_to, std::nullopt));
  file.moved_from_uri = std::exchange(file.uri, *std::exchange(file.moved_to_uri, std::nullopt));
  std::swap(file.lands, file.other_lands);
}

void adopt_old_name(ProposedFile& file) {
  file.moved_to = std::exchange(file.path, *std::exchange(file.moved_from, std::nullopt));
  file.moved_to_uri = std::exchange(file.uri, *std::exchange(file.moved_from_uri, std::nullopt));
  std::swap(file.lands, file.other_lands);
}

Offer offer_of(const ProposedFile& file, const std::vector<size_t>* only) {
  Offer offer{file.text, {}};
  const auto is_taken = [&](const ProposedHunk& hunk) {
    return hunk.state == ProposedHunk::State::pending &&
           (!only || std::ranges::find(*only, hunk.index) != only->end());
  };
  for (auto hunk = file.hunks.rbegin(); hunk != file.hunks.rend(); ++hunk) {
    if (!is_taken(*hunk)) continue;
    offer.text = offer.text.replace(hunk->begin, hunk->end - hunk->begin, hunk->new_text);
  }
  size_t grown = 0, shrunk = 0;
  for (const ProposedHunk& hunk : file.hunks) {
    const bool taken = is_taken(hunk);
    const size_t size = hunk.end - hunk.begin;
    const size_t begin = hunk.begin + grown - shrunk;
    const size_t now = taken ? hunk.new_text.size() : size;
    offer.regions[hunk.index] = {begin, begin + now, taken};
    grown += now;
    shrunk += size;
  }
  return offer;
}

void update_state(Proposal& proposal) {
  using State = Proposal::State;
  if (proposal.state == State::applying) return;
  const size_t pending = proposal.count(ProposedHunk::State::pending);
  const size_t applied = proposal.count(ProposedHunk::State::applied);
  const size_t stale = proposal.count(ProposedHunk::State::stale);
  if (proposal.state == State::discarded && applied == 0) return;  // else it was done again
  if (proposal.state == State::applied && applied > 0) return;     // what came after is history
  if (pending > 0) {
    proposal.state = applied > 0 ? State::partly : State::ready;
  } else if (applied > 0) {
    proposal.state = stale > 0 ? State::partly : State::applied;
  } else if (stale > 0) {
    proposal.state = State::stale;
  } else {
    proposal.state = State::discarded;
  }
}

Result<Reverse> reverse_of(const Proposal& proposal) {
  using State = ProposedHunk::State;
  using Kind = ProposedFile::Kind;
  Reverse reverse{proposal, {}, false};
  for (ProposedFile& file : reverse.proposal.files) {
    bool is_changed = false;
    for (ProposedHunk& hunk : file.hunks) {
      if (hunk.state == State::stale && hunk.was_applied) {
        return fail(Error::Code::stale, named(proposal) + " cannot be undone: " + file.path +
                                            " has changed since. Undo it in the editor.");
      }
      const bool is_applied = hunk.state == State::applied;
      std::swap(hunk.old_text, hunk.new_text);
      hunk.state = is_applied ? State::pending : State::discarded;
      if (!is_applied) continue;
      is_changed = true;
      reverse.hunks.push_back(hunk.index);
    }
    if (!is_changed) continue;
    if (file.kind == Kind::create) {
      file.kind = Kind::remove;
    } else if (file.kind == Kind::remove) {
      file.kind = Kind::create;
    }
    file.moved_to = std::exchange(file.moved_from, std::nullopt);
    file.moved_to_uri = std::exchange(file.moved_from_uri, std::nullopt);
    reverse.moves_files |= file.kind != Kind::update || file.moved_to.has_value();
  }
  if (reverse.hunks.empty()) {
    return fail(Error::Code::unavailable, named(proposal) + " is not applied.");
  }
  return reverse;
}

std::string named(const Proposal& proposal) {
  constexpr size_t kMostFiles = 3;
  std::string result = "“" + proposal.title + "” (";
  for (size_t i = 0; i < proposal.files.size() && i < kMostFiles; ++i) {
    if (i > 0) result += ", ";
    result += proposal.files[i].path;
  }
  if (proposal.files.size() > kMostFiles) {
    result += " and " + counted(proposal.files.size() - kMostFiles, "other file");
  }
  return result + ")";
}

std::string counted(size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

Result<std::vector<DraftFile>> draft_of(const Proposal& proposal) {
  std::vector<DraftFile> result;
  for (const ProposedFile& file : proposal.files) {
    bool taken = false;
    for (const ProposedHunk& hunk : file.hunks) {
      if (hunk.state == ProposedHunk::State::stale) {
        return fail(Error::Code::stale,
                    file.path + " changed since the proposal was made. Ask again.");
      }
      taken = taken || hunk.state == ProposedHunk::State::pending;
    }
    if (!taken) continue;
    DraftFile draft;
    draft.path = file.path;
    draft.moved_to = file.moved_to;
    if (file.kind != ProposedFile::Kind::create) {
      draft.base = Snapshot{file.path, std::nullopt, file.text};
    }
    if (file.kind != ProposedFile::Kind::remove) draft.text = offer_of(file, nullptr).text;
    draft.quality = file.hunks[0].quality;
    result.push_back(std::move(draft));
  }
  if (result.empty()) {
    return fail(Error::Code::stale, "This proposal has nothing left to refine.");
  }
  return result;
}

std::string unified_diff(const Proposal& proposal) {
  std::string result;
  for (const ProposedFile& file : proposal.files) {
    const Text after = offer_of(file, nullptr).text;
    const bool is_new = file.kind == ProposedFile::Kind::create;
    const bool is_gone = file.kind == ProposedFile::Kind::remove;
    result += bodkin::unified_diff(file.path, file.moved_to.value_or(file.path),
                                   is_new ? nullptr : &file.text, is_gone ? nullptr : &after);
  }
  return result;
}

}  // namespace bodkin::lsp
