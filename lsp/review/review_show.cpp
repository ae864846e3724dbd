// What the person sees of proposals: in our own clients by notifications, in any editor by bodkin's
// own diagnostics, messages and a .diff file.
#include <fmt/format.h>

#include "agent/rpc/uri.h"
#include "agent/support/shown_text.h"
#include "lsp/protocol/extensions.h"
#include "lsp/review/review.h"
#include "lsp/review/workspace_edit.h"

namespace bodkin::lsp {

namespace {

constexpr std::string_view kScheme = "bodkin-proposal:/";

}  // namespace

void Review::announce(const Proposal& proposal, bool quiet) {
  if (client_.proposals) {
    Json hunks = Json::array();
    for (const ProposedFile& file : proposal.files) {
      for (Json& hunk : hunks_of(file, documents_.encoding())) hunks.push_back(std::move(hunk));
    }
    Json params = {{"proposalId", proposal.id},
                   {"askId", proposal.ask_id},
                   {"title", proposal.title},
                   {"edit", workspace_edit(proposal, nullptr, documents_, client_)},
                   {"hunks", std::move(hunks)},
                   {"verification", json_of(proposal.verification)}};
    if (!proposal.notes.empty()) params["notes"] = proposal.notes;
    if (!proposal.replaces.empty()) params["replaces"] = proposal.replaces;
    connection_.notify(kProposal, std::move(params));
    return;
  }
  publish_all(proposal);
  if (quiet) return;
  std::string what =
      fmt::format("bodkin: {} ({}, {}, {})", proposal.title,
                  counted(proposal.files.size(), "file"), counted(proposal.hunk_count(), "hunk"),
                  in_words(proposal.verification));
  for (const std::string& note : proposal.notes) what += ". Caution: " + note;
  // No question: in many editors that takes the keys that the person is typing.
  editor_.say(MessageType::information,
              what + ". Apply or review it with the code actions on its lines.");
}

Result<void> Review::show_diff(const std::string& given) {
  // To look at an older one does no harm: that one is meant from then on.
  const Proposal* last = find(meant_);
  const std::string id = !given.empty() || (last && last->is_open()) ? given : newest_open();
  const auto proposal = chosen(id, nullptr);
  if (!proposal) return std::unexpected(proposal.error());
  if ((*proposal)->count(ProposedHunk::State::pending) == 0) {
    return fail(Error::Code::unavailable, named(**proposal) + " has nothing left to show.");
  }
  meant_ = (*proposal)->id;
  const std::string name = (*proposal)->id + ".diff";
  if (client_.text_content && editor_.show_document(std::string(kScheme) + name)) return {};
  return show_text(name, unified_diff(**proposal));
}

Result<void> Review::show_text(const std::string& name, const std::string& text) {
  if (!client_.show_document) {
    editor_.say(MessageType::information, text);
    return {};
  }
  const auto uri = shown_.uri_of(name, text);
  if (!uri) return std::unexpected(uri.error());
  editor_.show_document(*uri);
  return {};
}

Result<std::string> Review::text_of(const std::string& uri) const {
  const auto nothing = fail(Error::Code::not_found, "No such proposal: " + uri);
  if (!uri.starts_with(kScheme)) return nothing;
  const std::string rest = uri.substr(kScheme.size());
  if (rest.ends_with(".diff") && rest.find('/') == std::string::npos) {
    const Proposal* proposal = find(rest.substr(0, rest.size() - 5));
    return proposal ? Result<std::string>(unified_diff(*proposal)) : nothing;
  }
  const size_t slash = rest.find('/');
  const Proposal* proposal = slash == std::string::npos ? nullptr : find(rest.substr(0, slash));
  // As in a file's URI: clients escape more or less.
  const auto path = proposal ? path_of_uri("file://" + rest.substr(slash)) : std::nullopt;
  if (!path) return nothing;
  for (const ProposedFile& file : proposal->files) {
    if (file.path == path->substr(1)) return offer_of(file, nullptr).text.str();
  }
  return nothing;
}

// `loud`: something that the person must learn of.
void Review::tell(const Proposal& proposal, bool loud) {
  if (client_.proposals) {
    connection_.notify(kDidChangeProposal, {{"proposalId", proposal.id},
                                            {"state", name_of(proposal.state)},
                                            {"message", plain(proposal.message)},
                                            {"verification", json_of(proposal.verification)}});
  } else if (loud && !proposal.message.empty()) {
    using State = Proposal::State;
    const bool good = proposal.state == State::applied || proposal.state == State::ready;
    editor_.say(good ? MessageType::information : MessageType::warning,
                fmt::format("bodkin: {}: {}", proposal.title, proposal.message));
  }
  if (client_.text_content) {
    connection_.request("workspace/textDocumentContent/refresh",
                        {{"uri", std::string(kScheme) + proposal.id + ".diff"}},
                        [](const Result<Json>&) {});
  }
}

void Review::publish_all(const Proposal& proposal) {
  for (const ProposedFile& file : proposal.files) publish(file.uri);
}

void Review::publish_soon(const std::string& uri) {
  if (client_.proposals) return;
  if (const auto found = to_publish_.find(uri); found != to_publish_.end()) {
    found->second = true;
    return;
  }
  to_publish_[uri] = true;
  loop_.post_after(std::chrono::milliseconds(300), [this, uri] {
    if (to_publish_.extract(uri).mapped()) publish(uri);
  });
}

// At once, but not again and again while hunks change one by one: each time all are sent.
void Review::publish_now_or_soon(const Proposal& proposal) {
  for (const ProposedFile& file : proposal.files) {
    const bool is_first = !to_publish_.contains(file.uri);
    publish_soon(file.uri);
    if (!is_first || client_.proposals) continue;
    publish(file.uri);
    to_publish_[file.uri] = false;
  }
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
        list.push_back({{"range", to_range(file.text, hunk.begin, hunk.end, documents_.encoding())},
                        {"severity", 3},
                        {"source", "bodkin"},
                        {"code", "proposal"},
                        {"message", plain(fmt::format("Proposal: {} (hunk {} of {})\n{}",
                                                      proposal.title, number, proposal.hunk_count(),
                                                      hunk.new_text.substr(0, 400)))},
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
