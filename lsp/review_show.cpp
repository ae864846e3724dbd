// What the person sees of proposals: in our own clients by notifications, in any editor by bodkin's
// own diagnostics, messages and a .diff file.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "lsp/extensions.h"
#include "lsp/review.h"
#include "lsp/uri.h"
#include "lsp/workspace_edit.h"

namespace bodkin::lsp {

void Review::announce(const Proposal& proposal) {
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
    connection_.notify(kProposal, std::move(params));
    return;
  }
  publish_all(proposal);
  std::string what =
      fmt::format("bodkin: {} ({}, {})", proposal.title, counted(proposal.files.size(), "file"),
                  counted(proposal.hunk_count(), "hunk"));
  for (const std::string& note : proposal.notes) what += ". Caution: " + note;
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

Result<void> Review::show_diff(const std::string& given) {
  const auto proposal = chosen(given);
  if (!proposal) return std::unexpected(proposal.error());
  const std::string diff = unified_diff(**proposal);
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
  const fs::path file = folder / fmt::format("{}-{}.diff", ::getpid(), (*proposal)->id);
  std::ofstream(file, std::ios::binary) << diff;
  connection_.request("window/showDocument",
                      {{"uri", uri_of_path(file.string())}, {"takeFocus", true}},
                      [](const Result<Json>&) {});
  return {};
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

void Review::publish_all(const Proposal& proposal) {
  for (const ProposedFile& file : proposal.files) publish(file.uri);
}

void Review::publish_soon(const std::string& uri) {
  if (client_.proposals || !to_publish_.insert(uri).second) return;
  loop_.post_after(std::chrono::milliseconds(300), [this, uri] {
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
