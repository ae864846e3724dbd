#include "lsp/review.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/extensions.h"
#include "lsp/protocol.h"
#include "lsp/workspace_edit.h"

namespace bodkin::lsp {

namespace {

constexpr size_t kKeptProposals = 200;  // older ones that are over are forgotten

}  // namespace

std::string Review::add(const std::vector<DraftFile>& files, Made made) {
  Proposal proposal;
  proposal.id = fmt::format("p{}", next_id_++);
  proposal.ask_id = std::move(made.ask_id);
  proposal.title = std::move(made.title);
  proposal.notes = std::move(made.notes);
  proposal.replaces = std::move(made.replaces);
  proposal.verification = std::move(made.verification);
  proposal.files = proposed_files(files);
  for (ProposedFile& file : proposal.files) {
    file.uri = documents_.uri_of(file.path);
    if (file.moved_to) file.moved_to_uri = documents_.uri_of(*file.moved_to);
    // The person may have typed since the model was asked.
    if (const Document* document = documents_.find(file.uri)) {
      if (!(document->text == file.text)) {
        track(file, difference(file.text, document->text));
        settle(file);
        forget_verification(proposal);
      }
    }
  }
  update_state(proposal);
  const std::string id = proposal.id;
  if (const auto old = proposals_.find(proposal.replaces); old != proposals_.end()) {
    replace(old->second, id);
  }
  std::erase_if(proposals_, [&](const auto& entry) {
    return proposals_.size() > kKeptProposals && !entry.second.is_open() &&
           !in_flight_.contains(entry.first);
  });
  announce(proposals_.emplace(id, std::move(proposal)).first->second, made.quiet);
  return id;
}

// A verdict is of one content: what was changed since, or is only a part, is "not checked".
void Review::forget_verification(Proposal& proposal) {
  if (proposal.verification.state == Verification::State::failed) return;
  proposal.verification = {};
}

void Review::replace(Proposal& old, const std::string& by) {
  if (!old.is_open()) return;
  for (ProposedFile& file : old.files) {
    for (ProposedHunk& hunk : file.hunks) {
      if (hunk.state != ProposedHunk::State::applied) hunk.state = ProposedHunk::State::discarded;
    }
  }
  update_state(old);
  old.message = "Replaced by " + by + ".";
  publish_all(old);
  tell(old, false);
}

Json json_of(const Verification& verification) {
  return {{"state", name_of(verification.state)},
          {"newProblems", verification.new_problems},
          {"by", verification.by}};
}

const Proposal* Review::find(const std::string& id) const {
  const auto found = proposals_.find(id);
  return found == proposals_.end() ? nullptr : &found->second;
}

std::string Review::newest_open() const {
  const Proposal* newest = nullptr;
  for (const auto& [id, proposal] : proposals_) {
    const bool later = !newest || id.size() > newest->id.size() ||
                       (id.size() == newest->id.size() && id > newest->id);
    if (proposal.is_open() && later) newest = &proposal;
  }
  return newest ? newest->id : "";
}

Result<void> Review::discard(const std::string& given, const std::vector<size_t>* only) {
  const auto found = chosen(given);
  if (!found) return std::unexpected(found.error());
  Proposal& proposal = **found;
  if (proposal.state == Proposal::State::applying) {
    return fail(Error::Code::unavailable, "This proposal is being applied.");
  }
  for (ProposedFile& file : proposal.files) {
    for (ProposedHunk& hunk : file.hunks) {
      if (only && std::ranges::find(*only, hunk.index) == only->end()) continue;
      if (hunk.state == ProposedHunk::State::applied) continue;
      hunk.state = ProposedHunk::State::discarded;
    }
  }
  forget_verification(proposal);
  update_state(proposal);
  proposal.message = proposal.state == Proposal::State::discarded ? "Discarded." : "";
  publish_all(proposal);
  tell(proposal, false);
  return {};
}

Result<Proposal*> Review::chosen(const std::string& given) {
  const auto found = proposals_.find(given.empty() ? newest_open() : given);
  if (found != proposals_.end()) return &found->second;
  return fail(Error::Code::not_found, given.empty() ? "There is no proposal that waits for you."
                                                    : "There is no proposal " + given + ".");
}

void Review::set_verification(const std::string& id, const Verification& verification,
                              const std::string& message) {
  const auto found = proposals_.find(id);
  if (found == proposals_.end()) return;
  found->second.verification = verification;
  found->second.message = message;
  tell(found->second, true);
}

void Review::set_offered(const std::string& id, const std::vector<size_t>* only) {
  const auto found = proposals_.find(id);
  if (found == proposals_.end() || found->second.state == Proposal::State::applying) return;
  for (ProposedFile& file : found->second.files) file.offered = offer_of(file, only);
}

Json Review::list() const {
  Json result = Json::array();
  for (const auto& [id, proposal] : proposals_) {
    result.push_back({{"id", id},
                      {"title", proposal.title},
                      {"files", proposal.files.size()},
                      {"hunks", proposal.hunk_count()},
                      {"state", name_of(proposal.state)},
                      {"verification", json_of(proposal.verification)}});
    if (!proposal.notes.empty()) result.back()["notes"] = proposal.notes;
  }
  return {{"proposals", std::move(result)}};
}

Result<Json> Review::content(const std::string& given, const std::string& uri) const {
  const Proposal* proposal = find(given.empty() ? newest_open() : given);
  if (!proposal) return fail(Error::Code::not_found, "There is no such proposal.");
  const std::string path = documents_.path_of(uri);
  for (const ProposedFile& file : proposal->files) {
    if (file.uri != uri && file.path != path) continue;
    const Document* document = documents_.find(file.uri);
    return Json{{"text", offer_of(file, nullptr).text.str()},
                {"version", document ? Json(document->version) : Json()},
                {"hunks", hunks_of(file, documents_.encoding())}};
  }
  return fail(Error::Code::not_found, "The proposal does not change " + path + ".");
}

void Review::document_changed(const std::string& uri, const std::vector<Replacement>& changes) {
  const Document* document = documents_.find(uri);
  if (!document || proposals_.empty()) return;
  for (auto& [id, proposal] : proposals_) {
    for (ProposedFile& file : proposal.files) {
      if (file.path == document->path) take(proposal, file, changes);
    }
  }
  look_soon();
}

void Review::document_opened(const std::string& uri) {
  const Document* document = documents_.find(uri);
  if (!document || proposals_.empty()) return;
  for (auto& [id, proposal] : proposals_) {
    for (ProposedFile& file : proposal.files) {
      if (watches_.contains(id) && file.moved_to == document->path && !documents_.find(file.uri)) {
        adopt_new_name(file);
      }
      if (file.path != document->path) continue;
      file.uri = document->uri;
      std::vector<Replacement> changes;
      if (!(file.text == document->text)) {
        changes.push_back(difference(file.text, document->text));
      }
      take(proposal, file, changes);
    }
  }
  look_soon();
}

void Review::take(Proposal& proposal, ProposedFile& file, const std::vector<Replacement>& changes) {
  if (proposal.state == Proposal::State::discarded) return;
  const auto before = proposal.state;
  for (const Replacement& change : changes) track(file, change);
  const bool changed = settle(file);
  if (watches_.contains(proposal.id)) return;
  const std::string checked = in_words(proposal.verification);
  if (!changes.empty() && proposal.is_open()) forget_verification(proposal);
  update_state(proposal);
  if (before == Proposal::State::applied && proposal.count(ProposedHunk::State::applied) == 0 &&
      proposal.count(ProposedHunk::State::stale) == 0) {
    proposal.state = Proposal::State::ready;  // undone
  }
  if (!changed && proposal.state == before) {
    if (proposal.is_open()) publish_soon(file.uri);
    if (proposal.is_open() && in_words(proposal.verification) != checked) tell(proposal, false);
    return;
  }
  proposal.verification = {};
  proposal.message =
      proposal.state == Proposal::State::stale ? "The text that it would change was changed." : "";
  publish_all(proposal);
  tell(proposal, false);
  // Taken through a code action, which has no answer of its own.
  if (proposal.state == Proposal::State::applied && before != proposal.state) {
    if (applying) applying(proposal);
    if (applied) applied(proposal);
  }
}

void Review::document_closed(const std::string& uri) { published_.erase(uri); }

}  // namespace bodkin::lsp
