#include "lsp/sessions/proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/support/shown_text.h"
#include "edits/text/find_bytes.h"
#include "edits/text/line_keys.h"

namespace bodkin {

std::string_view name_of(Proposal::State state) {
  constexpr std::string_view kNames[] = {"ready", "applying", "applied", "partly",
                                         "stale", "refused",  "unknown", "discarded"};
  return kNames[static_cast<size_t>(state)];
}

std::pair<std::string, std::string> lines_around(const Text& text, const ProposedHunk& hunk) {
  const std::string& own = hunk.old_text.empty() ? hunk.new_text : hunk.old_text;
  const size_t depth = indentation_of(std::string_view(own).substr(0, own.find('\n'))).size();
  const auto at = [&](size_t line) {
    const std::string found = text.line(line);
    return indentation_of(found).size() < depth ? std::string(trimmed(found)) : "";
  };
  const size_t first = text.line_of(hunk.begin), next = text.line_of(hunk.end);
  return {first > 0 ? at(first - 1) : "", hunk.end < text.size() ? at(next) : ""};
}

bool ProposedHunk::is_between(const Text& now) const {
  return lines_around(now, *this) == std::pair(above, below);
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

std::vector<size_t> Proposal::applied_hunks() const {
  std::vector<size_t> result;
  for (const ProposedFile& file : files)
    for (const ProposedHunk& hunk : file.hunks)
      if (hunk.state == ProposedHunk::State::applied) result.push_back(hunk.index);
  return result;
}

bool Proposal::is_in_place() const {
  return count(ProposedHunk::State::applied) > 0 ||
         std::ranges::any_of(files,
                             [](const ProposedFile& file) { return file.moved_from.has_value(); });
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

void update_state(Proposal& proposal) {
  using State = Proposal::State;
  if (proposal.state == State::applying) return;
  const size_t pending = proposal.count(ProposedHunk::State::pending);
  const size_t applied = proposal.count(ProposedHunk::State::applied);
  const size_t stale = proposal.count(ProposedHunk::State::stale);
  if (proposal.state == State::discarded && applied == 0) return;  // else it was done again
  // Later changes are history, except those that the editor's undo took back.
  if (proposal.state == State::applied && applied > 0 && pending == 0) return;
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

bool is_listed(const ProposedHunk& hunk, const std::vector<size_t>* only) {
  return !only || std::ranges::find(*only, hunk.index) != only->end();
}

bool has_listed(const ProposedFile& file, const std::vector<size_t>* only) {
  return std::ranges::any_of(file.hunks, [&](const auto& hunk) { return is_listed(hunk, only); });
}

void set_offered(Proposal& proposal, const std::vector<size_t>* only, bool is_offered) {
  for (ProposedFile& file : proposal.files)
    for (ProposedHunk& hunk : file.hunks)
      if (is_listed(hunk, only)) hunk.is_offered = is_offered;
}

void take_back(Proposal& proposal, const std::vector<size_t>& undone) {
  using State = ProposedHunk::State;
  if (undone.empty()) return;
  const auto is_never_taken = [](const ProposedHunk& hunk) {
    return hunk.state == State::pending && !hunk.was_applied;
  };
  if (proposal.count(State::applied) == 0 && !proposal.any_hunk(is_never_taken))
    return discard_undone(proposal);
  for (const size_t index : undone) hunk_at(proposal, index)->state = State::pending;
}

void discard_undone(Proposal& proposal) {
  using State = ProposedHunk::State;
  for (ProposedFile& file : proposal.files)
    for (ProposedHunk& hunk : file.hunks)
      if (hunk.state == State::pending && hunk.was_applied) hunk.state = State::discarded;
}

int64_t last_put_aside(const Proposal& proposal) {
  using State = ProposedHunk::State;
  int64_t last = 0;
  for (const ProposedFile& file : proposal.files)
    for (const ProposedHunk& hunk : file.hunks)
      if (hunk.state == State::discarded || hunk.state == State::stale)
        last = std::max(last, hunk.put_aside);
  return last;
}

std::vector<size_t> put_aside_at(const Proposal& proposal, int64_t time) {
  std::vector<size_t> result;
  for (const ProposedFile& file : proposal.files)
    for (const ProposedHunk& hunk : file.hunks)
      if (hunk.put_aside == time) result.push_back(hunk.index);
  return result;
}

bool make_pending_again(Proposal& proposal, const std::vector<size_t>* only) {
  if (!only && proposal.state != Proposal::State::discarded &&
      proposal.count(ProposedHunk::State::pending) > 0)
    return false;
  bool revived = false;
  for (ProposedFile& file : proposal.files) {
    for (ProposedHunk& hunk : file.hunks) {
      if (!is_listed(hunk, only)) continue;
      if (hunk.state != ProposedHunk::State::discarded || !hunk.was_applied) continue;
      hunk.state = ProposedHunk::State::pending;  // that it holds its old text is checked when the
                                                  // edit leaves
      hunk.was_applied = false;
      hunk.put_aside = 0;
      revived = true;
    }
  }
  if (!revived) return false;
  proposal.state = Proposal::State::ready;
  update_state(proposal);
  return true;
}

bool is_move_without_target(const Proposal& proposal, const ProposedFile& file,
                            const std::vector<size_t>* only) {
  using State = ProposedHunk::State;
  using Kind = ProposedFile::Kind;
  const ProposedHunk& gone = file.hunks[0];
  if (file.kind != Kind::remove || gone.state != State::pending || !is_listed(gone, only) ||
      gone.old_text.empty())
    return false;
  bool is_moved = false;
  for (const ProposedFile& other : proposal.files) {
    const ProposedHunk& made = other.hunks[0];
    if (other.kind != Kind::create || made.new_text != gone.old_text) continue;
    is_moved = true;
    if (made.state == State::applied || (made.state == State::pending && is_listed(made, only)))
      return false;
  }
  return is_moved;
}

std::optional<std::string> why_not_applicable(const Proposal& proposal,
                                              const std::vector<size_t>* only) {
  using State = ProposedHunk::State;
  size_t pending = 0, applied = 0, stale = 0, undone = 0, secret = 0;
  for (const ProposedFile& file : proposal.files) {
    for (const ProposedHunk& hunk : file.hunks) {
      if (!is_listed(hunk, only)) continue;
      pending += hunk.state == State::pending;
      applied += hunk.state == State::applied;
      stale += hunk.state == State::stale;
      secret += hunk.state == State::stale && hunk.has_secret;
      undone += hunk.state == State::discarded && hunk.was_applied;
    }
  }
  const std::string it = (only ? "This part of " : "") + named(proposal);
  if (stale > 0) {
    return it + " was not applied: " +
           (secret > 0 ? "it contains a secret, which the history does not store. Ask again"
                       : "the text it would replace has changed (" +
                             changed_places(proposal, only) + "). Ask again") +
           (pending > 0 ? ", or apply the other changes one by one." : ".");
  }
  for (const ProposedFile& file : proposal.files) {
    if (is_move_without_target(proposal, file, only))
      return it + " was not applied: " + file.name.path +
             " would be deleted without the file that it was moved to. Apply both, or neither.";
  }
  if (pending > 0) return std::nullopt;
  if (applied > 0) return it + " was already applied.";
  if (undone > 0) return it + " was undone; to apply it again, give its id, " + proposal.id + ".";
  return it + " was discarded" + (proposal.is_replaced() ? ": " + proposal.message : ".");
}

std::string changed_surroundings(const Proposal& proposal) {
  for (const ProposedFile& file : proposal.files) {
    if (file.kind != ProposedFile::Kind::update) continue;
    for (const ProposedHunk& hunk : file.hunks) {
      if (hunk.state != ProposedHunk::State::pending || hunk.is_between(file.text)) continue;
      return fmt::format("line {} of {}", file.text.line_of(hunk.begin) + 1, file.name.path);
    }
  }
  return "";
}

std::string changed_places(const Proposal& proposal, const std::vector<size_t>* only) {
  std::string first;
  size_t count = 0;
  for (const ProposedFile& file : proposal.files) {
    for (const ProposedHunk& hunk : file.hunks) {
      if (hunk.state != ProposedHunk::State::stale || !is_listed(hunk, only)) continue;
      if (count++ > 0) continue;
      first = file.is_gone ? file.name.path + ", which is gone"
              : file.kind != ProposedFile::Kind::update
                  ? file.name.path
                  : fmt::format("line {} of {}", file.text.line_of(hunk.begin) + 1, file.name.path);
    }
  }
  return count > 1 ? first + " and " + counted(count - 1, "other place") : first;
}

std::string named(const Proposal& proposal) {
  constexpr size_t kMaxFiles = 3;
  std::string result = "“" + proposal.title + "” (";
  for (size_t i = 0; i < proposal.files.size() && i < kMaxFiles; ++i) {
    if (i > 0) result += ", ";
    result += proposal.files[i].name.path;
  }
  if (proposal.files.size() > kMaxFiles) {
    result += " and " + counted(proposal.files.size() - kMaxFiles, "other file");
  }
  return result + ")";
}

std::string applied_in_words(const Proposal& proposal) {
  using State = ProposedHunk::State;
  const size_t all = proposal.hunk_count(), in_place = proposal.count(State::applied);
  if (in_place == all || proposal.count(State::pending) > 0) return "Applied";
  size_t undone = 0, changed = 0, discarded = 0;
  for (const ProposedFile& file : proposal.files) {
    for (const ProposedHunk& hunk : file.hunks) {
      changed += hunk.state == State::stale;
      undone += hunk.state == State::discarded && hunk.was_applied;
      discarded += hunk.state == State::discarded && !hunk.was_applied;
    }
  }
  std::vector<std::string> others;
  const auto were = [](size_t count) { return count == 1 ? "was" : "were"; };
  if (undone > 0) others.push_back(fmt::format("{} {} undone earlier", undone, were(undone)));
  if (discarded > 0) others.push_back(fmt::format("{} {} discarded", discarded, were(discarded)));
  if (changed > 0) others.push_back(fmt::format("the text of {} has changed", changed));
  return fmt::format("Applied {} of {} ({})", in_place, counted(all, "change"), in_words(others));
}

std::string in_words(const std::vector<std::string>& paths) {
  std::string words;
  for (size_t i = 0; i < paths.size(); ++i)
    words += (i == 0 ? "" : i + 1 == paths.size() ? " and " : ", ") + paths[i];
  return words;
}

namespace {

constexpr size_t kFurthest = 50;  // lines on each side

}  // namespace

bool is_line_begin(const Text& text, size_t offset) {
  if (offset == 0) return true;
  const std::string before = text.substr(offset - 1, 1);
  return before == "\n" || before == "\r";
}

InsertionAnchor anchor_at(const Text& text, size_t place) {
  const size_t line = text.line_of(place);
  size_t first = line, next = line;
  for (size_t far = 0; first > 0 && far < kFurthest; ++far)
    if (!is_blank(text.line(--first))) break;
  for (size_t far = 0; next < text.line_count() && far < kFurthest; ++far)
    if (!is_blank(text.line(next++))) break;
  const size_t begin = text.line_begin(first);
  const size_t end = next < text.line_count() ? text.line_begin(next) : text.size();
  return {text.substr(begin, place - begin), text.substr(place, end - place)};
}

bool stands_at(const InsertionAnchor& anchor, const Text& text, size_t place) {
  if (place < anchor.above.size() || place > text.size()) return false;
  const size_t begin = place - anchor.above.size();
  return text.substr(begin, anchor.above.size()) == anchor.above &&
         text.substr(place, anchor.below.size()) == anchor.below &&
         (begin == text.size() || is_line_begin(text, begin)) &&
         (!anchor.above.empty() || place == 0) && (!anchor.below.empty() || place == text.size());
}

std::optional<size_t> place_of(const InsertionAnchor& anchor, const Text& text) {
  const std::string bytes = text.str(), wanted = anchor.above + anchor.below;
  std::optional<size_t> found;
  if (wanted.empty()) return bytes.empty() ? found = 0 : found;
  for (size_t at = find_bytes(bytes, wanted); at != std::string::npos;
       at = find_bytes(bytes, wanted, at + 1)) {
    if (!stands_at(anchor, text, at + anchor.above.size())) continue;
    if (found) return std::nullopt;
    found = at + anchor.above.size();
  }
  return found;
}

}  // namespace bodkin
