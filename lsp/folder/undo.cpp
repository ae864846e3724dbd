#include "lsp/folder/undo.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "agent/platform/files.h"
#include "lsp/review/landing.h"
#include "lsp/sessions/changed_files.h"
#include "lsp/sessions/proposal_draft.h"
#include "lsp/sessions/proposal_record.h"

namespace bodkin {

namespace {

using State = ProposedHunk::State;
using Kind = ProposedFile::Kind;

bool is_called(const ProposedFile& file, const std::string& path) {
  return std::ranges::any_of(names_of(file), [&](const auto* name) { return name->path == path; });
}

// A rename alone is kept as a new file and a removal.
bool are_halves_of_move(const ProposedFile& one, const ProposedFile& other) {
  return one.kind == Kind::create && other.kind == Kind::remove &&
         one.hunks[0].new_text == other.hunks[0].old_text && !one.hunks[0].new_text.empty();
}

// Keeps only the files that are named in `only`. Error: not_found.
Result<void> keep_only(Proposal& proposal, const std::vector<std::string>& only) {
  if (only.empty()) return {};
  std::vector<bool> is_meant(proposal.files.size());
  for (const std::string& path : only) {
    bool is_known = false;
    for (size_t i = 0; i < proposal.files.size(); ++i) {
      if (!is_called(proposal.files[i], path)) continue;
      is_known = is_meant[i] = true;
      for (size_t j = 0; j < proposal.files.size(); ++j) {
        const ProposedFile &one = proposal.files[i], &other = proposal.files[j];
        if (are_halves_of_move(one, other) || are_halves_of_move(other, one)) is_meant[j] = true;
      }
    }
    if (is_known) continue;
    std::vector<std::string> paths;
    for (const ProposedFile& file : proposal.files) paths.push_back(file.name.path);
    return fail(Error::Code::not_found, "“" + proposal.title + "” has not changed " + path +
                                            ", but " + in_words(paths) + ".");
  }
  std::vector<ProposedFile> meant;
  for (size_t i = 0; i < proposal.files.size(); ++i)
    if (is_meant[i]) meant.push_back(std::move(proposal.files[i]));
  proposal.files = std::move(meant);
  return {};
}

// `stored`: as the history has it; it stays so for the files that are not written, even if they
// have changed. `back`: whose pending hunks are to be written.
UndoPlan plan_of(const Proposal& stored, Proposal proposal, const Proposal& back,
                 const std::vector<size_t>& hunks, State state) {
  UndoPlan plan;
  const int64_t now = history_time();
  std::vector<std::string> kept;
  plan.files = with_hunks(back, hunks, kept);
  for (const ProposedFile& file : proposal.files)
    if (file.removed) plan.removed[file.name.path] = *file.removed;
  for (size_t i = 0; i < proposal.files.size(); ++i) {
    ProposedFile& file = proposal.files[i];
    const auto from = std::ranges::find_if(back.files, [&](const ProposedFile& each) {
      return each.hunks[0].index == file.hunks[0].index && has_listed(each, &hunks);
    });
    if (from != back.files.end())
      become(file, offer_of(*from, &hunks), state, now);
    else
      file = stored.files[i];
  }
  if (state == State::discarded) {
    // `applied` says that what came after it is history, which an undo is not.
    if (proposal.state == Proposal::State::applied) proposal.state = Proposal::State::partly;
  } else {
    proposal.state = Proposal::State::ready;
  }
  update_state(proposal);
  plan.before = stored;
  plan.after = std::move(proposal);
  return plan;
}

// Whether bodkin has undone it, and it is not in place again.
bool is_undone(const ProposedHunk& hunk) {
  return hunk.put_aside > 0 && hunk.was_applied &&
         (hunk.state == State::discarded || hunk.state == State::stale);
}

// Marks what was shown and never taken as applied once, so that it can be applied like that: what
// nobody has put aside, and all of a proposal of which nothing was ever taken. Returns the indices.
std::vector<size_t> mark_never_taken(Proposal& proposal) {
  const auto is_discarded = [](const ProposedHunk& hunk) {
    return hunk.state == State::discarded && !hunk.was_applied;
  };
  const bool is_whole = !proposal.any_hunk(std::not_fn(is_discarded));
  std::vector<size_t> marked;
  for (ProposedFile& file : proposal.files) {
    for (ProposedHunk& hunk : file.hunks) {
      if (!is_discarded(hunk) || (hunk.put_aside > 0 && !is_whole)) continue;
      hunk.was_applied = true;
      marked.push_back(hunk.index);
    }
  }
  return marked;
}

struct Checks {
  OfFile is_in_the_way, is_elsewhere;
};

Checks checks_of(const Roots& roots, const FilesNow& now) {
  return {
      [&now](const ProposedFile& file) {
        const bool is_made = file.kind == Kind::create || file.moved_to;
        if (is_made && now.exists(file.last_name().path)) return true;
        Proposal alone;
        alone.files.push_back(file);
        return !lsp::check_landings(alone, nullptr);
      },
      [&roots](const ProposedFile& file) { return !roots.find_absolute(file.name.file.full()); }};
}

// Decides: which of its two names a moved file has.
// The files say it: the history may be of before the last undo or redo, or somebody has moved the
// file since.
void bring_up_to_date(ProposedFile& file, const FilesNow& now) {
  const ProposedFile kept = file;
  const ProposedName* other = file.moved_to ? &*file.moved_to : nullptr;
  if (file.moved_from) other = &*file.moved_from;
  const bool has_other_name = file.kind == Kind::update && other && !now.exists(file.name.path) &&
                              now.read(other->path).has_value();
  if (has_other_name) file.moved_to ? adopt_new_name(file) : adopt_old_name(file);
  compare_with_now(file, now.read(file.name.path).value_or(Text()), true);
  // An undone hunk is not undone again because somebody else has moved the file.
  if (has_other_name && file.moved_from &&
      std::ranges::all_of(file.hunks, [](const ProposedHunk& hunk) {
        return hunk.state != State::applied && hunk.state != State::stale;
      })) {
    file = kept;
    compare_with_now(file, Text(), true);
  }
}

void bring_up_to_date(Proposal& proposal, const Roots& roots, const FilesNow& now) {
  for (ProposedFile& file : proposal.files) {
    for (ProposedName* name : names_of(file)) name->path = roots.path_of(name->file);
    if (roots.find_absolute(file.name.file.full())) bring_up_to_date(file, now);
  }
}

// `stored`: the same as the history has it. `taken`: hunks of which only that is new.
Result<UndoPlan> plan_redo(const Proposal& stored, Proposal proposal,
                           const std::vector<size_t>& taken, const Roots& roots,
                           const FilesNow& now, const std::vector<std::string>& only,
                           Redoes redoes) {
  bring_up_to_date(proposal, roots, now);
  Proposal meant = proposal;
  if (const auto known = keep_only(meant, only); !known) return std::unexpected(known.error());
  // Hunks that still wait for the user are not applied again, nor those that somebody else has
  // taken back, nor, if no files are chosen, those that were undone before the last time.
  int64_t last = 0;
  for (const ProposedFile& file : meant.files)
    for (const ProposedHunk& hunk : file.hunks)
      if (only.empty() && is_undone(hunk)) last = std::max(last, hunk.put_aside);
  const auto is_wanted = [&](const ProposedHunk& hunk) {
    if (redoes == Redoes::also_discarded) return hunk.was_applied && hunk.state != State::pending;
    return is_undone(hunk) && (last == 0 || hunk.put_aside == last);
  };
  bool is_any = false;
  for (ProposedFile& file : meant.files) {
    for (ProposedHunk& hunk : file.hunks) {
      if (hunk.state == State::applied) continue;
      if (!is_wanted(hunk)) {
        hunk.state = State::discarded, hunk.was_applied = hunk.has_secret = false;
        continue;
      }
      is_any = true;
      if (file.text.substr(hunk.begin, hunk.end - hunk.begin) != hunk.old_text)
        hunk.state = State::stale;  // this one stays as it is, and the others need not
    }
  }
  if (!is_any) return fail(Error::Code::unavailable, named(meant) + " was not undone.");
  make_pending_again(meant, nullptr);
  const Checks checks = checks_of(roots, now);
  Redo redo = redo_of(meant, checks.is_in_the_way, checks.is_elsewhere, LeavesOut::hunks);
  if (redo.hunks.empty())
    return fail(Error::Code::stale,
                "Cannot apply “" + meant.title + "” again: " + redo.why_left_out + ".");
  UndoPlan plan = plan_of(stored, std::move(proposal), meant, redo.hunks, State::applied);
  for (ProposedFile& file : plan.after.files)
    for (ProposedHunk& hunk : file.hunks)
      hunk.was_applied &=
          hunk.state == State::applied || std::ranges::find(taken, hunk.index) == taken.end();
  plan.left_out = std::move(redo.left_out);
  plan.why_left_out = std::move(redo.why_left_out);
  return plan;
}

}  // namespace

Result<UndoPlan> plan_undo(Proposal proposal, const Roots& roots, const FilesNow& now,
                           const std::vector<std::string>& only) {
  const Proposal stored = proposal;
  bring_up_to_date(proposal, roots, now);
  Proposal meant = proposal;
  if (const auto known = keep_only(meant, only); !known) return std::unexpected(known.error());
  for (ProposedFile& file : meant.files)
    for (ProposedHunk& hunk : file.hunks)
      if (is_undone(hunk)) hunk.state = State::discarded, hunk.was_applied = false;
  const Checks checks = checks_of(roots, now);
  auto reverse = reverse_of(meant, checks.is_in_the_way, checks.is_elsewhere, LeavesOut::hunks);
  if (!reverse) return std::unexpected(reverse.error());
  UndoPlan plan =
      plan_of(stored, std::move(proposal), reverse->proposal, reverse->hunks, State::discarded);
  plan.left_out = std::move(reverse->left_out);
  plan.why_left_out = std::move(reverse->why_left_out);
  return plan;
}

std::string proposal_to_redo(HistoryStore& store, const std::string& session) {
  for (const std::string& id : store.proposals_of_session(session)) {
    auto proposal = proposal_of(store.load_proposal(id, ""));
    if (!proposal) continue;
    if (proposal->any_hunk(is_undone) || !mark_never_taken(*proposal).empty()) return id;
  }
  return "";
}

Result<UndoPlan> plan_redo(Proposal proposal, const Roots& roots, const FilesNow& now,
                           const std::vector<std::string>& only, Redoes redoes) {
  auto plan = plan_redo(proposal, proposal, {}, roots, now, only, redoes);
  if (plan || plan.error().code != Error::Code::unavailable || redoes == Redoes::undone)
    return plan;
  const Proposal stored = proposal;
  const std::vector<size_t> taken = mark_never_taken(proposal);
  return taken.empty() ? plan : plan_redo(stored, proposal, taken, roots, now, only, redoes);
}

FilesNow files_now(const ConfinedFolder& folder) {
  return {[&folder](const std::string& path) { return FolderFiles(folder).read(path); },
          [&folder](const std::string& path) {
            os::FileStatus status{};
            return os::fstatat(folder.number(), path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
          }};
}

}  // namespace bodkin
