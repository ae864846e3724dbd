#include "lsp/sessions/proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "agent/history/store.h"
#include "agent/support/shown_text.h"

namespace bodkin {

namespace {

void rename_after(const Roots& roots, ProposedFile& file) {
  for (ProposedName* name : names_of(file)) name->path = roots.path_of(name->file);
}

}  // namespace

bool OlderFirst::operator()(const std::string& a, const std::string& b) const {
  const std::string_view first = a, second = b;
  const size_t i = first.find('-'), j = second.find('-');
  const auto run = [](std::string_view id, size_t dash) {
    return dash == id.npos ? std::string_view() : id.substr(dash);
  };
  if (run(first, i) != run(second, j)) return run(first, i) < run(second, j);
  const std::string_view x = first.substr(0, i), y = second.substr(0, j);
  return x.size() != y.size() ? x.size() < y.size() : x < y;
}

std::vector<std::string> ids_to_forget(const ProposalsById& proposals) {
  struct Most {
    size_t count, bytes;
  };
  std::vector<std::string> result;
  size_t count = proposals.size(), bytes = 0;
  for (const auto& [id, proposal] : proposals) bytes += proposal.bytes();
  // Finished ones go early: they are only looked at again, or undone.
  for (const auto& [open, most] : {std::pair(false, Most{200, size_t{64} << 20}),
                                   std::pair(true, Most{500, size_t{256} << 20})}) {
    for (const auto& [id, proposal] : proposals) {
      if (count <= most.count && bytes <= most.bytes) break;
      if (proposal.is_open() != open || proposal.state == Proposal::State::applying) continue;
      result.push_back(id);
      --count;
      bytes -= proposal.bytes();
    }
  }
  return result;
}

NewProposal NewProposal::of(const Outcome& outcome, Roots roots) {
  return {.title = outcome.title,
          .notes = notes_of(outcome),
          .verification = verification_of(outcome),
          .roots = std::move(roots)};
}

std::string Proposals::add(const std::vector<ChangedFile>& files, NewProposal made) {
  Proposal proposal;
  if (made.logged_as.empty() || all_.contains(made.logged_as)) {
    proposal.id = fmt::format("p{}", next_id_++);
    if (!run_id_.empty()) proposal.id += "-" + run_id_;
  } else {
    proposal.id = std::move(made.logged_as);
    proposal.workspace = std::move(made.logged_in);
    proposal.is_exact = true;
  }
  proposal.is_kept = made.is_kept;
  proposal.ask_id = std::move(made.ask_id);
  proposal.title = plain_line(made.title);
  for (const std::string& note : made.notes) proposal.notes.push_back(plain(note));
  proposal.replaces = std::move(made.replaces);
  proposal.files = proposed_files(files, made.roots);
  for (ProposedFile& file : proposal.files) rename_after(roots_, file);
  bodkin::set_verification(proposal, std::move(made.verification));
  if (adding) adding(proposal);
  update_state(proposal);
  const std::string id = proposal.id;
  if (Proposal* const old = find(proposal.replaces)) discard_replaced(*old);
  forget_oldest();
  current_id_ = id;
  const Proposal& kept = all_.emplace(id, std::move(proposal)).first->second;
  if (added && kept.state != Proposal::State::stale) added(kept, made.quiet);
  return id;
}

void Proposals::restore(Proposal proposal, bool shown) {
  if (all_.contains(proposal.id)) return;
  for (ProposedFile& file : proposal.files) rename_after(roots_, file);
  update_state(proposal);
  if (proposal.count(ProposedHunk::State::applied) > 0) proposal.applied_at = ++applied_count_;
  forget_oldest();
  proposal.is_restored = true;
  const std::string id = proposal.id;
  const Proposal& kept = all_.emplace(id, std::move(proposal)).first->second;
  if (!shown || !kept.is_open()) return;
  current_id_ = id;
  if (added) added(kept, true);
}

void Proposals::drop(const std::string& id) {
  const Proposal* const proposal = find(id);
  if (!proposal || proposal->state == Proposal::State::applying) return;
  all_.erase(id);
  if (current_id_ == id) current_id_ = newest_open();
  if (forgotten) forgotten(id);
}

void Proposals::forget_oldest() {
  for (const std::string& id : ids_to_forget(all_)) {
    Proposal old = std::move(all_.extract(id).mapped());
    if (forgotten) forgotten(id);
    if (!old.is_open()) continue;
    old.state = Proposal::State::discarded;
    old.message = "Dropped: there are too many newer proposals.";
    if (changed) changed(old);
  }
}

void Proposals::folders_changed(const Roots& roots) {
  roots_ = roots;
  for (auto& [id, proposal] : all_) {
    for (ProposedFile& file : proposal.files) rename_after(roots_, file);
  }
}

void Proposals::discard_replaced(Proposal& old) {
  if (!old.is_open()) return;
  for (ProposedFile& file : old.files) {
    for (ProposedHunk& hunk : file.hunks) {
      if (hunk.state != ProposedHunk::State::applied) hunk.state = ProposedHunk::State::discarded;
    }
  }
  update_state(old);
  old.message = Proposal::kReplaced;
  if (changed) changed(old);
}

const Proposal* Proposals::find(const std::string& id) const {
  const auto found = all_.find(id);
  return found == all_.end() ? nullptr : &found->second;
}

Proposal* Proposals::find(const std::string& id) {
  const auto found = all_.find(id);
  return found == all_.end() ? nullptr : &found->second;
}

std::string Proposals::newest_open() const {
  for (const auto& [id, proposal] : all_ | std::views::reverse) {
    if (proposal.is_open()) return id;
  }
  return "";
}

std::string Proposals::last_applied() const {
  uint64_t last = 0;
  std::string result;
  for (const auto& [id, proposal] : all_) {
    if (proposal.applied_at <= last || !proposal.is_in_place()) continue;
    last = proposal.applied_at;
    result = id;
  }
  return result;
}

std::string Proposals::last_put_aside() const {
  const auto last = std::ranges::max_element(
      all_, {}, [](const auto& each) { return bodkin::last_put_aside(each.second); });
  return last == all_.end() || bodkin::last_put_aside(last->second) <= changed_ ? "" : last->first;
}

void Proposals::count_applied(Proposal& proposal) {
  if (proposal.applied_at == 0 && proposal.is_kept) changed_ = put_aside_;
  proposal.applied_at = ++applied_count_;
}

void Proposals::note_put_aside(Proposal& proposal, const std::vector<size_t>* last) {
  for (const bool is_last : {false, true}) {
    put_aside_ = std::max(put_aside_ + 1, history_time());
    for (ProposedFile& file : proposal.files)
      for (ProposedHunk& hunk : file.hunks)
        if (hunk.state == ProposedHunk::State::discarded && hunk.put_aside == 0 &&
            is_listed(hunk, last) == is_last)
          hunk.put_aside = put_aside_;
  }
}

std::string Proposals::shown_by_default() const {
  const Proposal* last = find(current_id_);
  return last && last->is_open() ? current_id_ : newest_open();
}

Result<void> Proposals::discard(const std::string& given, const std::vector<size_t>* only) {
  const auto found = chosen(given, only);
  if (!found) return std::unexpected(found.error());
  Proposal& proposal = **found;
  using State = ProposedHunk::State;
  size_t left = 0, in_place = 0;
  for (ProposedFile& file : proposal.files) {
    for (ProposedHunk& hunk : file.hunks) {
      if (!is_listed(hunk, only)) continue;
      if (hunk.state == State::applied) ++in_place;
      if (hunk.state != State::pending && hunk.state != State::stale) continue;
      hunk.state = State::discarded;
      hunk.was_applied = false;
      ++left;
    }
  }
  if (left == 0) {
    return fail(Error::Code::unavailable,
                named(proposal) + (in_place > 0 ? " was already applied; bodkin.undo reverts it."
                                                : " was already discarded."));
  }
  update_state(proposal);
  if (proposal.state != Proposal::State::discarded)
    reconsider_verification(proposal, "a part of it was discarded");
  note_put_aside(proposal, only);
  proposal.message = proposal.state == Proposal::State::discarded ? "Discarded." : "";
  if (changed) changed(proposal);
  return {};
}

Result<Proposal*> Proposals::chosen(const std::string& given, const std::vector<size_t>* only) {
  const auto found = all_.find(given.empty() ? current_id_ : given);
  if (found == all_.end()) {
    return fail(Error::Code::not_found,
                given.empty() ? "No pending proposal." : "No such proposal: " + given + ".");
  }
  Proposal& proposal = found->second;
  if (only) {
    for (const size_t index : *only) {
      if (hunk_at(proposal, index)) continue;
      return fail(Error::Code::not_found,
                  fmt::format("{} has no hunk {}; it has {}, counted from 0.", named(proposal),
                              index, counted(proposal.hunk_count(), "hunk")));
    }
  }
  if (proposal.state == Proposal::State::applying) {
    return fail(Error::Code::unavailable, "The editor is still applying " + named(proposal) + ".");
  }
  return &proposal;
}

void Proposals::set_verification(const std::string& id, const Verification& verification,
                                 const std::string& message) {
  const auto found = all_.find(id);
  if (found == all_.end()) return;
  bodkin::set_verification(found->second, verification);
  found->second.message = message;
  if (verified) verified(found->second);
}

void Proposals::set_offered(const std::string& id, const std::vector<size_t>* only) {
  const auto found = all_.find(id);
  if (found == all_.end() || found->second.state == Proposal::State::applying) return;
  for (ProposedFile& file : found->second.files) file.offered = offer_of(file, only);
}

}  // namespace bodkin
