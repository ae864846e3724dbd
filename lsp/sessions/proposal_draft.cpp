#include "lsp/sessions/proposal_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/support/fnv1a.h"
#include "edits/plan/diff.h"

namespace bodkin {

namespace {

ProposedName name_in(const Roots& roots, const std::string& path) {
  return {roots.file_at(path), path, ""};
}

// An edit stays below one folder: the other name of a file is in the same one, or in none.
ProposedName name_beside(const ProposedName& first, const Roots& roots, const std::string& path) {
  ProposedName name = name_in(roots, path);
  if (!first.file.folder.empty()) name.file = below(first.file.folder, name.file.full());
  return name;
}

// The files that an undo leaves as they are, and why; and those in which it leaves some lines.
struct LeftOut {
  std::vector<std::string> changed, taken, secret, elsewhere, lines;
  std::vector<std::string> others;  // the other halves of moves
  std::vector<std::string> paths;   // all of them

  // `is_blocked`: something is where it would be made or moved to.
  struct Why {
    bool is_elsewhere = false, is_blocked = false, has_changed = false, has_secret = false;
  };
  // Whether the file stays as it is. `only`: the lines that alone stay, if nothing else is in the
  // way.
  bool leaves(const ProposedFile& file, const Why& why, const std::vector<std::string>& only) {
    const bool is_kept = why.is_elsewhere || why.is_blocked || why.has_secret;
    if (!is_kept && only.empty() && !why.has_changed) return false;
    paths.push_back(file.name.path);
    if (!is_kept && !only.empty()) {
      lines.insert(lines.end(), only.begin(), only.end());
      return false;
    }
    const bool is_made = file.kind == ProposedFile::Kind::create || file.moved_to;
    if (!why.is_elsewhere && !why.has_secret && why.is_blocked && is_made)
      taken.push_back(file.last_name().path);
    else
      (why.is_elsewhere ? elsewhere : why.has_secret ? secret : changed).push_back(file.name.path);
    return true;
  }

  // A file that was moved to, or from, one that stays as it is stays, too: takes its hunks out.
  void leave_halves(const Proposal& proposal, std::vector<size_t>& hunks) {
    for (const ProposedFile& file : proposal.files) {
      if (!is_move_without_target(proposal, file, &hunks)) continue;
      for (const ProposedHunk& hunk : file.hunks) std::erase(hunks, hunk.index);
      others.push_back(file.name.path);
      paths.push_back(file.name.path);
    }
  }

  std::string in_words() const {
    std::string why;
    const auto say = [&](const std::vector<std::string>& paths, const char* one, const char* many,
                         const char* place = "") {
      if (paths.empty()) return;
      const bool is_one = paths.size() == 1;
      const std::string places = *place && !is_one ? "the places of " : place;
      why +=
          (why.empty() ? "" : ", and ") + places + bodkin::in_words(paths) + (is_one ? one : many);
    };
    std::vector<std::string> all = lines;
    all.insert(all.end(), changed.begin(), changed.end());
    say(all, " has changed since", " have changed since");
    say(taken, " is taken", " are taken", "the place of ");
    say(secret, " contains a secret, which the history does not store",
        " contain secrets, which the history does not store");
    say(elsewhere, " is in a folder that is not open", " are in folders that are not open");
    say(others, " stays, too", " stay, too");
    return why;
  }
};

// "line 3 of a.c": the hunks of a file that stays where it is that cannot be undone or redone,
// while others can. Empty: it is all or nothing.
std::vector<std::string> changed_lines_of(const ProposedFile& file) {
  using State = ProposedHunk::State;
  std::vector<std::string> lines;
  if (file.kind != ProposedFile::Kind::update || file.moved_to || file.moved_from) return lines;
  for (const ProposedHunk& hunk : file.hunks)
    if (hunk.state == State::stale && hunk.was_applied)
      lines.push_back(
          fmt::format("line {} of {}", file.text.line_of(hunk.begin) + 1, file.name.path));
  return lines;
}

}  // namespace

std::vector<ProposedFile> proposed_files(const std::vector<ChangedFile>& draft,
                                         const Roots& roots) {
  std::vector<ProposedFile> result;
  size_t index = 0;
  for (const ChangedFile& from : draft) {
    ProposedFile file;
    file.name = name_in(roots, from.path);
    if (from.rename_to) file.moved_to = name_beside(file.name, roots, *from.rename_to);
    file.text = from.before.value_or(Text());
    const auto add = [&](size_t begin, size_t length, std::string text) {
      ProposedHunk hunk;
      hunk.index = index++;
      hunk.begin = begin;
      hunk.end = begin + length;
      hunk.old_text = file.text.substr(begin, length);
      hunk.new_text = std::move(text);
      hunk.quality = from.quality;
      std::tie(hunk.above, hunk.below) = lines_around(file.text, hunk);
      file.hunks.push_back(std::move(hunk));
    };
    if (!from.before) {
      if (!from.after) continue;
      file.kind = ProposedFile::Kind::create;
      add(0, 0, from.after->str());
    } else if (!from.after) {
      file.kind = ProposedFile::Kind::remove;
      add(0, file.text.size(), "");
    } else {
      for (Replacement& change : changed_lines(*from.before, *from.after)) {
        add(change.offset, change.length, std::move(change.text));
      }
    }
    if (file.hunks.empty() && from.rename_to && from.after) {
      // A rename alone has no text by which it could be recognised: it is a new file and a removal,
      // which are sent as a rename (workspace_edit).
      ProposedFile created = file;
      created.kind = ProposedFile::Kind::create;
      created.name = name_in(roots, *from.rename_to);
      created.moved_to.reset();
      created.text = Text();
      created.hunks.push_back({index++, 0, 0, "", from.after->str()});
      result.push_back(std::move(created));
      file.kind = ProposedFile::Kind::remove;
      file.moved_to.reset();
      add(0, file.text.size(), "");
    }
    if (!file.hunks.empty()) result.push_back(std::move(file));
  }
  return result;
}

void adopt_new_name(ProposedFile& file) {
  file.moved_from = std::exchange(file.name, *std::exchange(file.moved_to, std::nullopt));
}

void adopt_old_name(ProposedFile& file) {
  file.moved_to = std::exchange(file.name, *std::exchange(file.moved_from, std::nullopt));
}

Offer offer_of(const ProposedFile& file, const std::vector<size_t>* only) {
  Offer offer{file.text, {}};
  const auto is_taken = [&](const ProposedHunk& hunk) {
    return hunk.state == ProposedHunk::State::pending && is_listed(hunk, only);
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

void become(ProposedFile& file, const Offer& offer, ProposedHunk::State state, int64_t now) {
  using State = ProposedHunk::State;
  file.text = offer.text;
  for (ProposedHunk& hunk : file.hunks) {
    const Offer::Region& region = offer.regions.at(hunk.index);
    hunk.begin = region.begin;
    hunk.end = region.end;
    hunk.is_offered = false;
    if (!region.taken) continue;
    hunk.state = state;
    hunk.was_applied = true;
    hunk.put_aside = state == State::discarded ? now : 0;
  }
  if (state == State::discarded && file.moved_from) adopt_old_name(file);
  if (state == State::applied && file.moved_to) adopt_new_name(file);
}

uint64_t content_of(const Proposal& proposal) {
  uint64_t hash = fnv1a("");
  for (const ProposedFile& file : proposal.files) {
    const Text text = offer_of(file, nullptr).text;
    hash = fnv1a(file.last_name().file.full(), hash);
    hash = fnv1a(fmt::format("\n{}\n", text.size()), hash);
    hash = fnv1a(text.str(), hash);
  }
  return hash;
}

void set_verification(Proposal& proposal, Verification verification) {
  proposal.verification = std::move(verification);
  // An outdated verification still belongs to the content that it was of.
  if (proposal.verification.outdated.empty()) proposal.verified_content = content_of(proposal);
}

// Decides: whether a verdict still holds.
void reconsider_verification(Proposal& proposal, std::string_view since) {
  std::string& outdated = proposal.verification.outdated;
  if (content_of(proposal) == proposal.verified_content) {
    outdated.clear();
  } else if (outdated.empty()) {
    outdated = since;
  }
}

Redo redo_of(const Proposal& proposal, const OfFile& is_in_the_way, const OfFile& is_elsewhere,
             LeavesOut leaves_out) {
  using State = ProposedHunk::State;
  Redo redo;
  LeftOut left;
  for (const ProposedFile& file : proposal.files) {
    bool is_pending = false, has_changed = false, has_secret = false, has_other_text = false;
    for (const ProposedHunk& hunk : file.hunks) {
      is_pending |= hunk.state == State::pending;
      has_other_text |= hunk.state == State::pending &&
                        file.text.substr(hunk.begin, hunk.end - hunk.begin) != hunk.old_text;
      has_changed |= hunk.state == State::stale || has_other_text;
      has_secret |= hunk.has_secret && hunk.state != State::applied;
    }
    if (!is_pending && !has_changed) continue;
    const bool is_out = is_elsewhere(file);
    const bool is_blocked = !is_out && is_in_the_way(file);
    const auto lines = leaves_out == LeavesOut::hunks && is_pending && !has_other_text
                           ? changed_lines_of(file)
                           : std::vector<std::string>();
    if (left.leaves(file, {is_out, is_blocked, has_changed, has_secret}, lines)) continue;
    for (const ProposedHunk& hunk : file.hunks)
      if (hunk.state == State::pending) redo.hunks.push_back(hunk.index);
  }
  left.leave_halves(proposal, redo.hunks);
  redo.why_left_out = left.in_words();
  redo.left_out = std::move(left.paths);
  return redo;
}

// Decides: which files an undo leaves alone.
Result<Reverse> reverse_of(const Proposal& proposal, const OfFile& is_in_the_way,
                           const OfFile& is_elsewhere, LeavesOut leaves_out) {
  using State = ProposedHunk::State;
  using Kind = ProposedFile::Kind;
  Reverse reverse{proposal, {}, false, {}, {}};
  LeftOut left;
  for (ProposedFile& file : reverse.proposal.files) {
    const ProposedFile before = file;
    std::vector<size_t> applied;
    bool has_changed = false, has_secret = false;
    for (ProposedHunk& hunk : file.hunks) {
      const bool is_applied = hunk.state == State::applied;
      has_changed |= hunk.was_applied && hunk.state == State::stale;
      has_secret |= (is_applied || hunk.was_applied) && hunk.has_secret;
      std::swap(hunk.old_text, hunk.new_text);
      hunk.state = is_applied ? State::pending : State::discarded;
      if (is_applied) applied.push_back(hunk.index);
    }
    // Its text was undone in the editor, its name was not: the same text goes back.
    if (applied.empty() && !has_changed && file.moved_from) {
      ProposedHunk& hunk = file.hunks[0];
      hunk.old_text = hunk.new_text = file.text.substr(hunk.begin, hunk.end - hunk.begin);
      hunk.state = State::pending;
      applied.push_back(hunk.index);
    }
    if (applied.empty() && !has_changed) continue;
    if (file.kind == Kind::create) {
      file.kind = Kind::remove;
    } else if (file.kind == Kind::remove) {
      file.kind = Kind::create;
    }
    file.moved_to = std::exchange(file.moved_from, std::nullopt);
    const bool is_out = is_elsewhere && is_elsewhere(before);
    const bool is_blocked = !is_out && is_in_the_way && is_in_the_way(file);
    const auto lines = leaves_out == LeavesOut::hunks && !applied.empty()
                           ? changed_lines_of(before)
                           : std::vector<std::string>();
    if (!left.leaves(file, {is_out, is_blocked, has_changed, has_secret}, lines))
      reverse.hunks.insert(reverse.hunks.end(), applied.begin(), applied.end());
  }
  left.leave_halves(reverse.proposal, reverse.hunks);
  for (ProposedFile& file : reverse.proposal.files) {
    for (ProposedHunk& hunk : file.hunks)
      if (!is_listed(hunk, &reverse.hunks)) hunk.state = State::discarded;
    reverse.moves_files |= file.hunks[0].state == State::pending &&
                           (file.kind != Kind::update || file.moved_to.has_value());
  }
  reverse.why_left_out = left.in_words();
  reverse.left_out = std::move(left.paths);
  if (!reverse.hunks.empty()) return reverse;
  if (reverse.left_out.empty())
    return fail(Error::Code::unavailable, named(proposal) + " is not applied.");
  std::string why = "Cannot undo “" + proposal.title + "”: " + reverse.why_left_out + ".";
  if (leaves_out == LeavesOut::file)
    why +=
        std::string(" Undo ") + (reverse.left_out.size() == 1 ? "it" : "them") + " in the editor.";
  return fail(Error::Code::stale, std::move(why));
}

}  // namespace bodkin
