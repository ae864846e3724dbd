#include "lsp/review/proposal_presenter.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/rpc/uri.h"
#include "agent/support/shown_text.h"
#include "lsp/protocol/extensions.h"
#include "lsp/review/workspace_edit.h"
#include "lsp/sessions/changed_files.h"

namespace bodkin::lsp {

namespace {

constexpr std::string_view kScheme = "bodkin-proposal:/";

// The number of hunks that can be applied to the present files.
size_t waiting(const Proposal& proposal) {
  size_t gone = 0;
  for (const ProposedFile& file : proposal.files) {
    if (!file.is_gone) continue;
    gone += static_cast<size_t>(
        std::ranges::count(file.hunks, ProposedHunk::State::pending, &ProposedHunk::state));
  }
  return proposal.count(ProposedHunk::State::pending) - gone;
}

// The number of discarded hunks that were applied before.
size_t undone(const Proposal& proposal) {
  size_t count = 0;
  for (const ProposedFile& file : proposal.files)
    count += static_cast<size_t>(std::ranges::count_if(file.hunks, [](const ProposedHunk& hunk) {
      return hunk.state == ProposedHunk::State::discarded && hunk.was_applied;
    }));
  return count;
}

// The hunk that the line of the proposed text is in; nullopt: none.
std::optional<size_t> hunk_of(const Offer& offer, size_t line) {
  if (line == 0 || line > offer.text.line_count()) return std::nullopt;
  const size_t begin = offer.text.line_begin(line - 1);
  const size_t end = offer.text.line_end(line - 1);
  for (const auto& [index, region] : offer.regions)
    if (region.taken && end >= region.begin && (begin < region.end || begin == region.begin))
      return index;
  return std::nullopt;
}

// "a.c, new file b.c and c.c is deleted"; of many the first ones.
std::string files_in_words(const Proposal& proposal) {
  constexpr size_t kMost = 3;
  using Kind = ProposedFile::Kind;
  std::vector<std::string> words;
  for (const ProposedFile& file : proposal.files) {
    if (words.size() == kMost && proposal.files.size() > kMost + 1) {
      words.push_back(counted(proposal.files.size() - kMost, "more file"));
      break;
    }
    words.push_back(file.kind == Kind::create   ? "new file " + file.name.path
                    : file.kind == Kind::remove ? file.name.path + " is deleted"
                    : file.moved_to             ? file.name.path + " becomes " + file.moved_to->path
                                                : file.name.path);
  }
  return in_words(words);
}

// The diff as a document. Its reader has no review of ours, so it says how to take it.
std::string document_of(const Proposal& proposal) {
  return "A proposal; nothing has been changed yet. To apply all or part of it,\n"
         "go to its lines in the file and choose \"bodkin: Apply\" among the code actions.\n\n" +
         diff_of(proposal);
}

Json json_of(const Verification& verification, const Proposal& proposal,
             const Documents& documents) {
  const bool is_outdated = !verification.outdated.empty();
  Json result = {{"state", name_of(state_now(verification))},
                 {"newProblems", is_outdated ? 0 : verification.new_problems},
                 {"by", is_outdated ? "" : verification.by},
                 {"words", in_words(verification)}};
  if (is_outdated || verification.problems.empty()) return result;
  const bool is_of_all = &verification == &proposal.verification;  // whose lines are known
  Json& list = result["problems"] = Json::array();
  for (const CheckedProblem& problem : verification.problems) {
    Json& one = list.emplace_back(Json{{"path", plain_line(problem.path)},
                                       {"line", problem.line},
                                       {"severity", wire_name(problem.severity)},
                                       {"code", plain_line(problem.code)},
                                       {"message", plain(problem.message)},
                                       {"source", plain_line(problem.source)}});
    for (const ProposedFile& file : proposal.files) {
      if (!is_of_all || file.last_name().path != problem.path) continue;
      one["uri"] = documents.uri_of(file.name.file);
      if (const auto hunk = hunk_of(offer_of(file, nullptr), problem.line)) one["hunk"] = *hunk;
    }
  }
  return result;
}

}  // namespace

ProposalPresenter::ProposalPresenter(EventLoop& loop, Connection& connection, Client& editor,
                                     const Documents& documents, const Capabilities& client,
                                     Proposals& proposals)
    : loop_(loop),
      connection_(connection),
      editor_(editor),
      documents_(documents),
      client_(client),
      proposals_(proposals) {
  proposals_.added = [this](const Proposal& proposal, bool quiet) { announce(proposal, quiet); };
  proposals_.changed = [this](const Proposal& proposal) {
    publish(proposal);
    update(proposal);
  };
  proposals_.verified = [this](const Proposal& proposal) { notify_user(proposal); };
}

void ProposalPresenter::announce(const Proposal& proposal, bool quiet) {
  if (updated) updated(proposal);
  if (client_.proposals) {
    Json hunks = Json::array();
    for (const ProposedFile& file : proposal.files) {
      for (Json& hunk : hunks_of(file, documents_)) hunks.push_back(std::move(hunk));
    }
    Json params = {{"proposalId", proposal.id},
                   {"askId", proposal.ask_id},
                   {"title", proposal.title},
                   {"edit", workspace_edit(proposal, nullptr, documents_, client_)},
                   {"hunks", std::move(hunks)},
                   {"verification", json_of(proposal.verification, proposal, documents_)}};
    if (!proposal.notes.empty()) params["notes"] = proposal.notes;
    if (!proposal.replaces.empty()) params["replaces"] = proposal.replaces;
    if (proposal.is_restored) params["restored"] = true;
    if (quiet && !proposal.is_restored) params["atOnce"] = true;
    connection_.notify(kProposal, std::move(params));
    return;
  }
  publish(proposal);
  if (quiet) return;
  std::string what =
      fmt::format("bodkin: “{}” ({}; {}, {})", proposal.title, files_in_words(proposal),
                  counted(proposal.hunk_count(), "change"), in_words(proposal.verification));
  for (const std::string& note : proposal.notes) what += ". Note: " + note;
  // No question: in many editors that takes the keys that the user is typing.
  const bool is_open_somewhere = std::ranges::any_of(
      proposal.files, [&](const ProposedFile& file) { return documents_.find(file.name.file); });
  editor_.say(
      MessageType::information,
      what + (is_open_somewhere ? ". Apply or review it with the code actions on its lines."
                                : ". Apply or review it with the code actions of any open file."));
}

Result<void> ProposalPresenter::show_diff(const std::string& given) {
  // An older one may be shown, and is the one that later commands mean.
  const std::string id = given.empty() ? proposals_.shown_by_default() : given;
  const auto proposal = proposals_.chosen(id, nullptr);
  if (!proposal) return std::unexpected(proposal.error());
  if ((*proposal)->count(ProposedHunk::State::pending) == 0) {
    return fail(Error::Code::unavailable, named(**proposal) + " has nothing left to show.");
  }
  proposals_.was_shown((*proposal)->id);
  const std::string name = (*proposal)->id + ".diff";
  if (client_.text_content && editor_.show_document(std::string(kScheme) + name)) return {};
  return show_text(name, document_of(**proposal));
}

Result<void> ProposalPresenter::show_text(const std::string& name, const std::string& text) {
  if (!client_.show_document) {
    editor_.say(MessageType::information, text);
    return {};
  }
  const auto uri = shown_.uri_of(name, text);
  if (!uri) return std::unexpected(uri.error());
  editor_.show_document(*uri);
  return {};
}

Result<std::string> ProposalPresenter::text_of(const std::string& uri) const {
  const auto nothing = fail(Error::Code::not_found, "No such proposal: " + uri);
  if (!uri.starts_with(kScheme)) return nothing;
  const std::string rest = uri.substr(kScheme.size());
  if (rest.ends_with(".diff") && rest.find('/') == std::string::npos) {
    const Proposal* proposal = proposals_.find(rest.substr(0, rest.size() - 5));
    return proposal ? Result<std::string>(document_of(*proposal)) : nothing;
  }
  const size_t slash = rest.find('/');
  const Proposal* proposal =
      slash == std::string::npos ? nullptr : proposals_.find(rest.substr(0, slash));
  if (!proposal) return nothing;
  const std::string path =
      rpc::percent_decoded(rest.substr(slash + 1));  // clients escape more or less
  for (const ProposedFile& file : proposal->files) {
    if (file.name.path == path) return offer_of(file, nullptr).text.str();
  }
  return nothing;
}

void ProposalPresenter::update(const Proposal& proposal) {
  if (updated) updated(proposal);
  if (client_.proposals) {
    Json params = {{"proposalId", proposal.id},
                   {"state", name_of(proposal.state)},
                   {"message", plain(proposal.message)},
                   {"pending", waiting(proposal)},
                   {"verification", json_of(proposal.verification, proposal, documents_)}};
    if (proposal.part && proposal.state == Proposal::State::partly &&
        proposal.part->second == proposal.applied_hunks())
      params["part"] = json_of(proposal.part->first, proposal, documents_);
    connection_.notify(kDidChangeProposal, std::move(params));
  }
  if (client_.text_content) {
    connection_.request("workspace/textDocumentContent/refresh",
                        {{"uri", std::string(kScheme) + proposal.id + ".diff"}},
                        [](const Result<Json>&) {});
  }
}

void ProposalPresenter::notify_user(const Proposal& proposal) {
  if (!client_.proposals && !proposal.message.empty()) {
    using State = Proposal::State;
    const bool good = proposal.state == State::applied || proposal.state == State::ready;
    editor_.say(good ? MessageType::information : MessageType::warning,
                fmt::format("bodkin: “{}”: {}", proposal.title, proposal.message));
  }
  update(proposal);
}

void ProposalPresenter::publish(const Proposal& proposal) {
  for (const ProposedFile& file : proposal.files) publish_file(file.name.file);
}

void ProposalPresenter::publish_soon(const FileInFolder& file) {
  if (client_.proposals) return;
  if (const auto found = to_publish_.find(file.full()); found != to_publish_.end()) {
    found->second = true;
    return;
  }
  to_publish_[file.full()] = true;
  loop_.post_after(std::chrono::milliseconds(300), [this, file] {
    if (to_publish_.extract(file.full()).mapped()) publish_file(file);
  });
}

// At once, but not again and again while hunks change one by one: each time all are sent.
void ProposalPresenter::publish_now_or_soon(const Proposal& proposal) {
  for (const ProposedFile& each : proposal.files) {
    const FileInFolder& file = each.name.file;
    const bool is_first = !to_publish_.contains(file.full());
    publish_soon(file);
    if (!is_first || client_.proposals) continue;
    publish_file(file);
    to_publish_[file.full()] = false;
  }
}

// The any-editor path: every hunk is a diagnostic of our own, which all clients show and send back.
void ProposalPresenter::publish_file(const FileInFolder& wanted) {
  if (client_.proposals) return;
  Json list = Json::array();
  for (const auto& [id, proposal] : proposals_.all()) {
    if (!proposal.is_open()) continue;
    size_t number = 0;
    for (const ProposedFile& file : proposal.files) {
      for (const ProposedHunk& hunk : file.hunks) {
        ++number;
        if (file.name.file != wanted || hunk.state != ProposedHunk::State::pending) continue;
        list.push_back({{"range", to_range(file.text, hunk.begin, hunk.end, documents_.encoding())},
                        {"severity", 3},
                        {"source", "bodkin"},
                        {"code", "proposal"},
                        {"message", plain(fmt::format("Proposal: {} (change {} of {})\n{}",
                                                      proposal.title, number, proposal.hunk_count(),
                                                      hunk.new_text.substr(0, 400)))},
                        {"data", {{"proposalId", id}, {"hunk", hunk.index}}}});
      }
    }
  }
  const std::string uri = documents_.uri_of(wanted);
  if (list.empty() && !published_.contains(uri)) return;
  if (list.empty()) {
    published_.erase(uri);
  } else {
    published_.insert(uri);
  }
  Json params = {{"uri", uri}, {"diagnostics", std::move(list)}};
  if (const Document* document = documents_.find(wanted)) params["version"] = document->version;
  connection_.notify("textDocument/publishDiagnostics", std::move(params));
}

Json ProposalPresenter::list() const {
  Json result = Json::array();
  for (const auto& [id, proposal] : proposals_.all()) {
    result.push_back({{"id", id},
                      {"title", proposal.title},
                      {"files", proposal.files.size()},
                      {"hunks", proposal.hunk_count()},
                      {"state", name_of(proposal.state)},
                      {"verification", json_of(proposal.verification, proposal, documents_)}});
    if (!proposal.notes.empty()) result.back()["notes"] = proposal.notes;
  }
  return {{"proposals", std::move(result)}};
}

Result<Json> ProposalPresenter::content(const std::string& given, const std::string& uri) const {
  const Proposal* proposal = proposals_.find(given.empty() ? proposals_.newest_open() : given);
  if (!proposal) return fail(Error::Code::not_found, "No such proposal.");
  using State = ProposedHunk::State;
  Json changed = Json::array();
  for (const ProposedFile& file : proposal->files) {
    for (Json& hunk : hunks_of(file, documents_, State::stale)) changed.push_back(std::move(hunk));
    if (!file.is_gone) continue;
    for (Json& hunk : hunks_of(file, documents_)) changed.push_back(std::move(hunk));
  }
  for (const ProposedFile& file : proposal->files) {
    if (!documents_.is_uri_of(uri, file.name.file)) continue;
    const Document* document = documents_.find(file.name.file);
    return Json{{"text", offer_of(file, nullptr).text.str()},
                {"version", document ? Json(document->version) : Json()},
                {"hunks", file.is_gone ? Json::array() : hunks_of(file, documents_)},
                {"hunkCount", proposal->hunk_count()},
                {"pending", waiting(*proposal)},
                {"applied", proposal->count(State::applied)},
                {"discarded", proposal->count(State::discarded)},
                {"undone", undone(*proposal)},
                {"changed", std::move(changed)}};
  }
  return fail(Error::Code::not_found,
              "The proposal does not change " + documents_.path_of(uri) + ".");
}

void ProposalPresenter::document_closed(const std::string& uri) { published_.erase(uri); }

}  // namespace bodkin::lsp
