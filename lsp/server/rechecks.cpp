#include "lsp/server/rechecks.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/workspace/privacy.h"
#include "lsp/sessions/changed_files.h"

namespace bodkin::lsp {

namespace {

using namespace std::chrono_literals;

constexpr auto kQuiet = 1s;

// Its text without any of the proposal. Nullopt: it was created, removed or renamed, and cannot be
// looked at as if it were not.
std::optional<Text> text_before(const ProposedFile& file) {
  Text before = file.text;
  bool is_changed = file.moved_from.has_value();
  for (auto hunk = file.hunks.rbegin(); hunk != file.hunks.rend(); ++hunk) {
    if (hunk->state != ProposedHunk::State::applied) continue;
    before = before.replace(hunk->begin, hunk->end - hunk->begin, hunk->old_text);
    is_changed = true;
  }
  if (is_changed && (file.kind != ProposedFile::Kind::update || file.moved_from))
    return std::nullopt;
  return before;
}

bool has_applied(const ProposedFile& file) {
  return std::ranges::any_of(file.hunks, [](const ProposedHunk& hunk) {
    return hunk.state == ProposedHunk::State::applied;
  });
}

// The files that the applied hunks have changed; nullopt: they created, removed or renamed files.
std::optional<std::vector<ChangedFile>> applied_part(const Proposal& proposal) {
  std::vector<ChangedFile> result;
  for (const ProposedFile& file : proposal.files) {
    if (!has_applied(file)) continue;
    auto before = text_before(file);
    if (!before) return std::nullopt;
    result.push_back({.path = file.name.path, .before = *std::move(before), .after = file.text});
  }
  return result;
}

// The files as they become with the applied hunks and the pending ones, compared with what they
// were without any: what the applied ones have broken is new, too. Nullopt: a hunk is stale, or as
// above.
std::optional<std::vector<ChangedFile>> whole_of(const Proposal& proposal) {
  auto files = draft_of(proposal);
  if (!files) return std::nullopt;
  for (const ProposedFile& file : proposal.files) {
    if (!has_applied(file) && !file.moved_from) continue;
    auto before = text_before(file);
    if (!before) return std::nullopt;
    const auto same = std::ranges::find(*files, file.name.path, &ChangedFile::path);
    if (same == files->end()) {  // all of it is applied
      files->push_back({.path = file.name.path, .before = *std::move(before), .after = file.text});
    } else {
      same->before = *std::move(before);
    }
  }
  return *std::move(files);
}

}  // namespace

void Rechecks::outdate(Proposal& proposal, const char* since) {
  proposal.verification.outdated = since;
  proposal.verified_content = 0;
  checked_.erase(proposal.id);
}

void Rechecks::document_changed(const std::string& uri, const std::vector<std::string>& asks) {
  overtaken_.insert(asks.begin(), asks.end());
  for (auto& [id, proposal] : proposals_.all()) {
    const Verification& known = proposal.verification;
    if (!proposal.is_open() || !known.by_servers || !known.outdated.empty()) continue;
    const bool is_own = std::ranges::any_of(proposal.files, [&](const ProposedFile& file) {
      return documents_.is_uri_of(uri, file.name.file) ||
             documents_.is_uri_of(uri, file.last_name().file);
    });
    if (is_own) continue;  // it is compared
    outdate(proposal, "another file changed");
    if (proposals_.changed) proposals_.changed(proposal);
  }
}

// Decides: when a proposal is checked again.
void Rechecks::consider(const Proposal& proposal) {
  if (proposal.verification.is_checking) return;
  if (overtaken_.erase(proposal.ask_id) > 0 && proposal.verification.by_servers)
    outdate(*proposals_.find(proposal.id), "the text changed");
  const Verification& known = proposal.verification;
  if (!proposal.is_open() || (known.by_servers && known.outdated.empty())) return;
  if (proposal.is_restored) return;  // starting an editor must not run anything
  const uint64_t content = content_of(proposal);
  const auto last = checked_.find(proposal.id);
  if (last != checked_.end() && last->second == content) return;
  if (waiting_.insert(proposal.id).second) schedule_recheck(proposal.id, content);
}

void Rechecks::schedule_recheck(const std::string& id, uint64_t content) {
  loop_.post_after(kQuiet, [this, id, content] {
    const Proposal* proposal = proposals_.find(id);
    if (!proposal || !proposal->is_open()) {
      waiting_.erase(id);
      return;
    }
    const uint64_t now = content_of(*proposal);
    if (now != content) return schedule_recheck(id, now);
    check_now(id);
  });
}

void Rechecks::check_now(const std::string& id) {
  const Proposal& proposal = *proposals_.find(id);
  auto files = whole_of(proposal);
  const uint64_t content = checked_[id] = content_of(proposal);
  if (!files) {
    waiting_.erase(id);
    return;
  }
  start(id, *std::move(files), [this, content](Proposal& checked, const CheckResult& result) {
    waiting_.erase(checked.id);
    if (content_of(checked) != content) {
      checked_.erase(checked.id);  // it may be that again
      return consider(checked);
    }
    if (!checked.is_open()) return;
    if (result.state == CheckResult::State::not_checked) {  // a reason is better than none
      std::string& found = checked.verification.found;
      if (!found.empty() || result.reason.empty()) return;
      found = verification_of(result).found;
    } else {
      set_verification(checked, verification_of(result));
    }
    if (proposals_.changed) proposals_.changed(checked);
  });
}

void Rechecks::check_part(const Proposal& proposal) {
  auto files = applied_part(proposal);
  const std::vector<size_t> applied = proposal.applied_hunks();
  const auto say = [this, applied](Proposal& part, Verification verdict, const std::string& words) {
    part.part = {std::move(verdict), applied};
    part.message = words;
    if (proposals_.verified) proposals_.verified(part);
  };
  if (!files) {
    return say(*proposals_.find(proposal.id), {},
               "Applied in part. The part was not checked, because it creates or deletes files.");
  }
  start(proposal.id, *std::move(files), [say, applied](Proposal& part, const CheckResult& result) {
    if (part.applied_hunks() != applied || !part.is_open()) return;
    Verification verdict = verification_of(result);
    const std::string words = in_words(verdict);
    say(part, std::move(verdict), fmt::format("Applied in part. This part alone: {}.", words));
  });
}

void Rechecks::start(const std::string& id, std::vector<ChangedFile> files,
                     std::function<void(Proposal&, const CheckResult&)> take) {
  work_.start([this, id, files = std::move(files), take = std::move(take), now = workspace(),
               checker = policy_.checker()](const Task& task) {
    GuardedWorkspace guard(*now, task);
    CheckResult result = checker->check(files, guard, task);
    if (task.stop.stop_requested()) return;
    loop_.post([this, id, take, result = std::move(result)] {
      if (Proposal* const proposal = proposals_.find(id)) take(*proposal, result);
    });
  });
}

}  // namespace bodkin::lsp
