#include "lsp/proposals.h"

#include <algorithm>
#include <utility>

#include "edits/diff.h"

namespace bodkin::lsp {

namespace {

// An editor may report an insertion some equal lines away from where it was asked for.
constexpr size_t kSlide = 1 << 16;

bool is_line_begin(const Text& text, size_t offset) {
  if (offset == 0) return true;
  const std::string before = text.substr(offset - 1, 1);
  return before == "\n" || before == "\r";
}

// Does the change have the same effect as replacing the hunk's region by `with`?
bool is_the_same(const Text& text, const Replacement& change, const ProposedHunk& hunk,
                 const std::string& with) {
  const size_t change_end = change.offset + change.length;
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

size_t Proposal::hunk_count() const {
  size_t result = 0;
  for (const auto& file : files) result += file.hunks.size();
  return result;
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

void track(ProposedFile& file, const Replacement& change) {
  using State = ProposedHunk::State;
  const Text before = file.text;
  file.text = before.replace(change.offset, change.length, change.text);
  const size_t begin = change.offset, end = change.offset + change.length;

  for (ProposedHunk& taken : file.hunks) {
    if (taken.state != State::pending && taken.state != State::applied) continue;
    const std::string& with = taken.state == State::pending ? taken.new_text : taken.old_text;
    if (!is_the_same(before, change, taken, with)) continue;
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

// A file that is to be created is there or not, as a whole: what somebody else put in its place is
// never added to.
bool settle_new(ProposedFile& file) {
  using State = ProposedHunk::State;
  ProposedHunk& hunk = file.hunks[0];
  hunk.touched = false;
  hunk.begin = 0;
  hunk.end = file.text.size();
  if (hunk.state == State::discarded) return false;
  const std::string text = file.text.str();
  // Some editors keep the empty line that a new buffer begins with.
  const bool is_there = text == hunk.new_text || text == hunk.new_text + "\n";
  const State now = text.empty() ? State::pending : is_there ? State::applied : State::stale;
  return now != std::exchange(hunk.state, now);
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
      changed = changed || (region->second.taken && hunk.state != State::applied);
      if (region->second.taken) hunk.state = State::applied;
    }
    file.offered.reset();
    return changed;
  }
  if (file.kind == ProposedFile::Kind::create) return settle_new(file);
  for (ProposedHunk& hunk : file.hunks) {
    if (!std::exchange(hunk.touched, false) || hunk.state == State::discarded) continue;
    const size_t size = hunk.end - hunk.begin;
    State now = State::stale;
    // Whole lines: "b" at the end of "ab" is not the line "b".
    const bool whole = is_line_begin(file.text, hunk.begin) &&
                       (hunk.end == file.text.size() || is_line_begin(file.text, hunk.end));
    const auto holds = [&](const std::string& text) {
      return whole && size == text.size() && file.text.substr(hunk.begin, size) == text;
    };
    if (holds(hunk.new_text)) {
      now = State::applied;
    } else if (holds(hunk.old_text)) {
      now = State::pending;
    }
    changed = changed || now != hunk.state;
    hunk.state = now;
  }
  return changed;
}

void adopt_new_name(ProposedFile& file) {
  file.path = *std::exchange(file.moved_to, std::nullopt);
  file.uri = *std::exchange(file.moved_to_uri, std::nullopt);
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
  if (proposal.state == State::applying || proposal.state == State::discarded) return;
  const size_t pending = proposal.count(ProposedHunk::State::pending);
  const size_t applied = proposal.count(ProposedHunk::State::applied);
  const size_t stale = proposal.count(ProposedHunk::State::stale);
  if (proposal.state == State::applied && applied > 0) return;  // what came after is history
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
                    "The text of " + file.path + " changed since the proposal was made: ask anew.");
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
    return fail(Error::Code::stale, "Nothing of this proposal is left to refine.");
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
