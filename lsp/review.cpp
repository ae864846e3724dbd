#include "lsp/review.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ranges>

#include "lsp/disk.h"
#include "lsp/extensions.h"
#include "lsp/protocol.h"
#include "lsp/uri.h"
#include "lsp/workspace_edit.h"

namespace bodkin::lsp {

namespace {

using namespace std::chrono_literals;

// Clients hold changes back (eglot 500 ms after the last command) and split them.
constexpr auto kQuiet = 1200ms;
constexpr auto kDeadline = 5000ms;
constexpr size_t kKept = 200;  // proposals; older ones that are over are forgotten

Json json_of(const Verification& verification) {
  return {{"state", name_of(verification.state)},
          {"newProblems", verification.new_problems},
          {"by", verification.by}};
}

std::string plural(size_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

Error no_such(const std::string& id) {
  return {Error::Code::not_found,
          id.empty() ? "There is no proposal." : "There is no proposal " + id + "."};
}

}  // namespace

std::string Review::add(const std::vector<DraftFile>& files, std::string title,
                        std::string ask_id) {
  Proposal proposal;
  proposal.id = fmt::format("p{}", next_id_++);
  proposal.ask_id = std::move(ask_id);
  proposal.title = std::move(title);
  proposal.files = proposed_files(files);
  for (ProposedFile& file : proposal.files) {
    file.uri = documents_.uri_of(file.path);
    if (file.moved_to) file.moved_to_uri = documents_.uri_of(*file.moved_to);
    // The person may have typed since the model was asked.
    if (const Document* document = documents_.find(file.uri)) {
      if (!(document->text == file.text)) {
        track(file, difference(file.text, document->text));
        settle(file);
      }
    }
  }
  update_state(proposal);
  const std::string id = proposal.id;
  std::erase_if(proposals_, [&](const auto& entry) {
    return proposals_.size() > kKept && !entry.second.is_open() && !watches_.contains(entry.first);
  });
  announce(proposals_.emplace(id, std::move(proposal)).first->second);
  return id;
}

void Review::announce(const Proposal& proposal) {
  if (client_.proposals) {
    Json hunks = Json::array();
    for (const ProposedFile& file : proposal.files) {
      for (Json& hunk : hunks_of(file, documents_.encoding())) hunks.push_back(std::move(hunk));
    }
    connection_.notify(kProposal, {{"proposalId", proposal.id},
                                   {"askId", proposal.ask_id},
                                   {"title", proposal.title},
                                   {"edit", workspace_edit(proposal, nullptr, documents_, client_)},
                                   {"hunks", std::move(hunks)},
                                   {"verification", json_of(proposal.verification)}});
    return;
  }
  publish_all(proposal);
  const std::string what =
      fmt::format("bodkin: {} ({}, {})", proposal.title, plural(proposal.files.size(), "file"),
                  plural(proposal.hunk_count(), "hunk"));
  if (!client_.show_message_request) {
    connection_.notify(
        "window/showMessage",
        {{"type", 3}, {"message", what + ". Take it with the code actions on its lines."}});
    return;
  }
  Json params = {{"type", 3}, {"message", what}};
  params["actions"] = {{{"title", "Apply"}}, {{"title", "Show"}}, {{"title", "Discard"}}};
  connection_.request("window/showMessageRequest", std::move(params),
                      [this, id = proposal.id](const Result<Json>& answer) {
                        const std::string choice = answer ? text_member(*answer, "title") : "";
                        if (choice == "Apply") (void)apply(id, nullptr);
                        if (choice == "Show") (void)show_diff(id);
                        if (choice == "Discard") (void)discard(id, nullptr);
                      });
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

ProposedHunk* Review::hunk_at(Proposal& proposal, size_t index) {
  for (ProposedFile& file : proposal.files) {
    for (ProposedHunk& hunk : file.hunks) {
      if (hunk.index == index) return &hunk;
    }
  }
  return nullptr;
}

// Files that the editor has not open may have changed without a word.
void Review::read_from_disk_again(Proposal& proposal) {
  for (ProposedFile& file : proposal.files) {
    if (documents_.find(file.uri)) continue;
    const auto place = path_of_uri(file.uri);
    if (!place) continue;
    const auto text = read_from_disk(*place, "");
    if (file.kind == ProposedFile::Kind::create) {
      // Something came into being where the new file should go.
      if (text && text->size() > 0) file.hunks[0].state = ProposedHunk::State::stale;
      continue;
    }
    const Text now = text ? *text : Text();
    if (now == file.text) continue;
    track(file, difference(file.text, now));
    settle(file);
  }
}

Result<void> Review::apply(const std::string& given, const std::vector<size_t>* only) {
  const std::string id = given.empty() ? newest_open() : given;
  const auto found = proposals_.find(id);
  if (found == proposals_.end()) return std::unexpected(no_such(id));
  if (found->second.state == Proposal::State::applying) {
    return fail(Error::Code::unavailable, "This proposal is being applied.");
  }
  if (found->second.state == Proposal::State::discarded) {
    return fail(Error::Code::unavailable, "This proposal was discarded.");
  }
  if (!client_.apply_edit) {
    return fail(Error::Code::unavailable, "This editor cannot apply edits (workspace/applyEdit).");
  }
  // The command is answered first: some editors do nothing else while they wait for that.
  loop_.post([this, id, part = only ? std::optional(*only) : std::nullopt] {
    apply_now(id, part ? &*part : nullptr);
  });
  return {};
}

void Review::apply_now(const std::string& id, const std::vector<size_t>* only) {
  const auto found = proposals_.find(id);
  if (found == proposals_.end() || watches_.contains(id)) return;
  Proposal& proposal = found->second;
  read_from_disk_again(proposal);
  std::vector<size_t> targets;
  size_t gone = 0;
  for (ProposedFile& file : proposal.files) {
    const Document* document = documents_.find(file.uri);
    const bool lost = document && (document->lost || !(document->text == file.text));
    for (ProposedHunk& hunk : file.hunks) {
      if (only && std::ranges::find(*only, hunk.index) == only->end()) continue;
      // The last look before the edit leaves: the region must hold what the model saw.
      const bool holds = file.text.substr(hunk.begin, hunk.end - hunk.begin) == hunk.old_text;
      if (hunk.state == ProposedHunk::State::pending && (lost || !holds)) {
        hunk.state = ProposedHunk::State::stale;
      }
      if (hunk.state == ProposedHunk::State::pending) targets.push_back(hunk.index);
      if (hunk.state == ProposedHunk::State::stale) ++gone;
    }
  }
  // All or nothing, unless the person chose hunks: what was proposed belongs together.
  if (gone > 0 || targets.empty()) {
    update_state(proposal);
    proposal.message = gone > 0
                           ? fmt::format(
                                 "Not applied: the text of {} changed since the proposal was made. "
                                 "Ask again, or take the other hunks one by one.",
                                 plural(gone, "hunk"))
                           : std::string("There is nothing left to apply in this proposal.");
    if (gone > 0 && !only) proposal.state = Proposal::State::stale;
    publish_all(proposal);
    tell(proposal, true);
    return;
  }
  if (applying) applying(proposal);
  Json edit = workspace_edit(proposal, &targets, documents_, client_);
  for (ProposedFile& file : proposal.files) file.offered = offer_of(file, &targets);
  Watch watch;
  watch.targets = std::move(targets);
  send_edit(proposal, std::move(edit), std::move(watch));
}

Result<void> Review::undo(const std::string& id) {
  const auto found = proposals_.find(id);
  if (found == proposals_.end()) return std::unexpected(no_such(id));
  Proposal& proposal = found->second;
  if (proposal.state == Proposal::State::applying) {
    return fail(Error::Code::unavailable, "This proposal is being applied.");
  }
  // The reverse edit is the proposal with the sides changed, where the new text still stands.
  Proposal reverse = proposal;
  Watch watch;
  watch.undo = true;
  for (ProposedFile& file : reverse.files) {
    if (file.kind != ProposedFile::Kind::update || file.moved_to) {
      return fail(Error::Code::unavailable,
                  "A file was created, removed or renamed: undo that in the editor.");
    }
    for (ProposedHunk& hunk : file.hunks) {
      const bool is_applied = hunk.state == ProposedHunk::State::applied;
      std::swap(hunk.old_text, hunk.new_text);
      hunk.state = is_applied ? ProposedHunk::State::pending : ProposedHunk::State::discarded;
      if (!is_applied) continue;
      if (file.text.substr(hunk.begin, hunk.end - hunk.begin) != hunk.old_text) {
        return fail(Error::Code::stale, "The text was changed since: undo it in the editor.");
      }
      watch.targets.push_back(hunk.index);
    }
  }
  if (watch.targets.empty()) {
    return fail(Error::Code::unavailable, "Nothing of this proposal was applied.");
  }
  send_edit(proposal, workspace_edit(reverse, nullptr, documents_, client_), std::move(watch));
  return {};
}

void Review::send_edit(Proposal& proposal, Json edit, Watch watch) {
  proposal.state = Proposal::State::applying;
  proposal.message.clear();
  tell(proposal, false);
  const std::string id = proposal.id;
  watch.deadline = EventLoop::Clock::now() + kDeadline;
  watches_[id] = std::move(watch);
  connection_.request("workspace/applyEdit",
                      {{"label", "bodkin: " + proposal.title}, {"edit", std::move(edit)}},
                      [this, id](const Result<Json>& answer) {
                        const auto found = watches_.find(id);
                        if (found == watches_.end()) return;
                        found->second.answered = true;
                        if (!answer) {
                          found->second.reason = answer.error().message;
                        } else if (!flag_member(*answer, "applied")) {
                          const std::string why = text_member(*answer, "failureReason");
                          found->second.reason = why.empty() ? "no reason was given" : why;
                        }
                        stir(id);
                      });
}

// Something happened that may decide an apply: looks now, and once more when it was quiet.
void Review::stir(const std::string& id) {
  const auto found = watches_.find(id);
  if (found == watches_.end()) return;
  Watch& watch = found->second;
  const uint64_t now = ++watch.stirred;
  look(id, !watch.reason.empty());
  if (!watches_.contains(id) || !watch.answered) return;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(watch.deadline -
                                                                          EventLoop::Clock::now());
  loop_.post_after(std::clamp(left, 0ms, std::chrono::milliseconds(kQuiet)), [this, id, now] {
    const auto again = watches_.find(id);
    if (again != watches_.end() && again->second.stirred == now) look(id, true);
  });
}

void Review::look(const std::string& id, bool at_the_end) {
  Proposal& proposal = proposals_.at(id);
  Watch& watch = watches_.at(id);
  const auto wanted = watch.undo ? ProposedHunk::State::pending : ProposedHunk::State::applied;
  // Unopened files: what the disk says, if the editor saved them at once.
  if (watch.answered) {
    for (ProposedFile& file : proposal.files) {
      if (!file.offered || documents_.find(file.uri)) continue;
      const auto place = path_of_uri(file.uri);
      const auto text =
          place ? read_from_disk(*place, "") : Result<Text>(fail(Error::Code::not_found, ""));
      const bool is_gone = file.kind == ProposedFile::Kind::remove && !text;
      if (!is_gone && !(text && *text == file.offered->text)) continue;
      if (text) file.text = *text;
      if (is_gone) file.text = Text();
      file.offered->text = file.text;
      settle(file);
    }
  }
  size_t done = 0, stale = 0;
  bool unopened = false;
  for (const size_t index : watch.targets) {
    const ProposedHunk* hunk = hunk_at(proposal, index);
    if (hunk->state == wanted) ++done;
    if (hunk->state == ProposedHunk::State::stale) ++stale;
  }
  for (const ProposedFile& file : proposal.files) {
    if (file.offered && !documents_.find(file.uri)) unopened = true;
  }
  const size_t all = watch.targets.size();
  const std::string reason = watch.reason;
  if (done == all) {
    if (watch.undo) return finish(id, Proposal::State::ready, "Undone.");
    return finish(id, Proposal::State::applied, "Applied.");
  }
  if (!at_the_end) return;
  if (done > 0) {
    return finish(id, Proposal::State::partly,
                  fmt::format("{} of {} are in place.", done, plural(all, "hunk")));
  }
  if (!reason.empty()) {
    return finish(id, stale > 0 ? Proposal::State::stale : Proposal::State::refused,
                  "The editor did not apply it: " + reason + ".");
  }
  if (stale > 0) {
    return finish(id, Proposal::State::stale,
                  "Not applied: the text was changed at the same time. Nothing was placed.");
  }
  if (unopened) {
    return finish(id, Proposal::State::unknown,
                  "The editor says that it applied the change, but the files are neither open nor "
                  "changed on disk: they may be unsaved.");
  }
  finish(id, Proposal::State::refused,
         "The editor said that it applied the change, but the text did not change.");
}

void Review::finish(const std::string& id, Proposal::State state, const std::string& message) {
  watches_.erase(id);
  Proposal& proposal = proposals_.at(id);
  proposal.state = state;
  proposal.message = message;
  for (ProposedFile& file : proposal.files) file.offered.reset();
  // Taking a part of it: the rest can still be taken.
  if (state == Proposal::State::applied && proposal.count(ProposedHunk::State::pending) > 0) {
    proposal.state = Proposal::State::partly;
  }
  publish_all(proposal);
  tell(proposal, true);
  if (state == Proposal::State::applied && applied) applied(proposal);
}

Result<void> Review::discard(const std::string& given, const std::vector<size_t>* only) {
  const std::string id = given.empty() ? newest_open() : given;
  const auto found = proposals_.find(id);
  if (found == proposals_.end()) return std::unexpected(no_such(id));
  Proposal& proposal = found->second;
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
  update_state(proposal);
  proposal.message = proposal.state == Proposal::State::discarded ? "Discarded." : "";
  publish_all(proposal);
  tell(proposal, false);
  return {};
}

Result<void> Review::show_diff(const std::string& given) {
  const std::string id = given.empty() ? newest_open() : given;
  const Proposal* proposal = find(id);
  if (!proposal) return std::unexpected(no_such(id));
  const std::string diff = unified_diff(*proposal);
  if (!client_.show_document) {
    connection_.notify("window/showMessage", {{"type", 3}, {"message", diff}});
    return {};
  }
  // Not a workspace file: a place of our own that the editor can show.
  namespace fs = std::filesystem;
  std::error_code error;
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const fs::path folder =
      (runtime && *runtime ? fs::path(runtime) : fs::temp_directory_path(error)) /
      fmt::format("bodkin-{}", ::getuid());
  fs::create_directories(folder, error);
  fs::permissions(folder, fs::perms::owner_all, error);
  const fs::path file = folder / fmt::format("{}-{}.diff", ::getpid(), id);
  std::ofstream(file, std::ios::binary) << diff;
  connection_.request("window/showDocument",
                      {{"uri", uri_of_path(file.string())}, {"takeFocus", true}},
                      [](const Result<Json>&) {});
  return {};
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

// `loud`: something that the person must learn of.
void Review::tell(const Proposal& proposal, bool loud) {
  if (client_.proposals) {
    connection_.notify(kDidChangeProposal, {{"proposalId", proposal.id},
                                            {"state", name_of(proposal.state)},
                                            {"message", proposal.message},
                                            {"verification", json_of(proposal.verification)}});
  } else if (loud && !proposal.message.empty()) {
    using State = Proposal::State;
    const bool good = proposal.state == State::applied || proposal.state == State::ready;
    connection_.notify(
        "window/showMessage",
        {{"type", good ? 3 : 2},
         {"message", fmt::format("bodkin: {}: {}", proposal.title, proposal.message)}});
  }
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
  }
  return {{"proposals", std::move(result)}};
}

Result<Json> Review::content(const std::string& given, const std::string& uri) const {
  const std::string id = given.empty() ? newest_open() : given;
  const Proposal* proposal = find(id);
  if (!proposal) return std::unexpected(no_such(id));
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
  update_state(proposal);
  if (before == Proposal::State::applied && proposal.count(ProposedHunk::State::applied) == 0 &&
      proposal.count(ProposedHunk::State::stale) == 0) {
    proposal.state = Proposal::State::ready;  // undone
  }
  if (!changed && proposal.state == before) {
    if (proposal.is_open()) publish_soon(file.uri);
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

void Review::look_soon() {
  std::vector<std::string> ids;
  for (const auto& [id, watch] : watches_) ids.push_back(id);
  for (const std::string& id : ids) stir(id);
}

void Review::document_closed(const std::string& uri) { published_.erase(uri); }

void Review::publish_all(const Proposal& proposal) {
  for (const ProposedFile& file : proposal.files) publish(file.uri);
}

void Review::publish_soon(const std::string& uri) {
  if (client_.proposals || !to_publish_.insert(uri).second) return;
  loop_.post_after(300ms, [this, uri] {
    to_publish_.erase(uri);
    publish(uri);
  });
}

// The any-editor path: every hunk is a diagnostic of our own, which all clients show and send back.
void Review::publish(const std::string& uri) {
  if (client_.proposals) return;
  Json list = Json::array();
  for (const auto& [id, proposal] : proposals_) {
    if (!proposal.is_open()) continue;
    size_t number = 0;
    for (const ProposedFile& file : proposal.files) {
      for (const ProposedHunk& hunk : file.hunks) {
        ++number;
        if (file.uri != uri || hunk.state != ProposedHunk::State::pending) continue;
        list.push_back(
            {{"range", to_range(file.text, hunk.begin, hunk.end, documents_.encoding())},
             {"severity", 3},
             {"source", "bodkin"},
             {"code", "proposal"},
             {"message", fmt::format("Proposal: {} (hunk {} of {})\n{}", proposal.title, number,
                                     proposal.hunk_count(), hunk.new_text.substr(0, 400))},
             {"data", {{"proposalId", id}, {"hunk", hunk.index}}}});
      }
    }
  }
  if (list.empty() && !published_.contains(uri)) return;
  if (list.empty()) {
    published_.erase(uri);
  } else {
    published_.insert(uri);
  }
  Json params = {{"uri", uri}, {"diagnostics", std::move(list)}};
  if (const Document* document = documents_.find(uri)) params["version"] = document->version;
  connection_.notify("textDocument/publishDiagnostics", std::move(params));
}

}  // namespace bodkin::lsp
