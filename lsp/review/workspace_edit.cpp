#include "lsp/review/workspace_edit.h"

#include <algorithm>
#include <map>
#include <set>

namespace bodkin::lsp {

namespace {

bool is_taken(const ProposedHunk& hunk, const std::vector<size_t>* only) {
  return hunk.state == ProposedHunk::State::pending && is_listed(hunk, only);
}

// The files that only move, which are in a proposal a removal and a new file of the same text, if
// both are taken: by the index of the removed one, that of the new one. A rename keeps what text
// does not tell: the mode, the history of the editor.
std::map<size_t, size_t> moves_in(const Proposal& proposal, const std::vector<size_t>* only,
                                  const Documents& documents, const Capabilities& client) {
  using Kind = ProposedFile::Kind;
  std::map<size_t, size_t> moves;
  if (!client.document_changes || !client.resource_operations) return moves;
  std::set<size_t> targets;
  const auto is_whole = [&](size_t i, Kind kind) {
    const ProposedFile& file = proposal.files[i];
    return file.kind == kind && is_taken(file.hunks[0], only) && !file.name.file.is_buffer();
  };
  for (size_t from = 0; from < proposal.files.size(); ++from) {
    if (!is_whole(from, Kind::remove)) continue;
    for (size_t to = 0; to < proposal.files.size(); ++to) {
      if (!is_whole(to, Kind::create) || targets.contains(to)) continue;
      const ProposedFile& made = proposal.files[to];
      if (made.hunks[0].new_text != proposal.files[from].hunks[0].old_text) continue;
      if (documents.find(made.name.file)) continue;  // an editor does not rename onto a buffer
      targets.insert(to);
      moves[from] = to;
      break;
    }
  }
  return moves;
}

}  // namespace

Json text_edit(const Text& text, const Replacement& change, Encoding encoding) {
  return {{"range", to_range(text, change.offset, change.offset + change.length, encoding)},
          {"newText", change.text}};
}

Json workspace_edit(const Proposal& proposal, const std::vector<size_t>* only,
                    const Documents& documents, const Capabilities& client) {
  Json operations = Json::array(), edits = Json::array(), removals = Json::array();
  Json plain = Json::object();
  const std::map<size_t, size_t> moves = moves_in(proposal, only, documents, client);
  for (size_t index = 0; index < proposal.files.size(); ++index) {
    const ProposedFile& file = proposal.files[index];
    if (std::ranges::any_of(moves, [&](const auto& move) { return move.second == index; }))
      continue;
    if (const auto move = moves.find(index); move != moves.end()) {
      operations.push_back({{"kind", "rename"},
                            {"oldUri", documents.uri_of(file.name.file)},
                            {"newUri", documents.uri_of(proposal.files[move->second].name.file)}});
      continue;
    }
    Json text_edits = Json::array();
    for (const ProposedHunk& hunk : file.hunks) {
      if (!is_taken(hunk, only)) continue;
      text_edits.push_back(
          {{"range", to_range(file.text, hunk.begin, hunk.end, documents.encoding())},
           {"newText", hunk.new_text}});
    }
    std::string uri = documents.uri_of(file.name.file);
    if (file.kind == ProposedFile::Kind::create && !text_edits.empty() &&
        client.resource_operations) {
      operations.push_back({{"kind", "create"}, {"uri", uri}});
    }
    if (file.kind == ProposedFile::Kind::remove) {
      if (!text_edits.empty()) removals.push_back({{"kind", "delete"}, {"uri", uri}});
      continue;
    }
    if (file.moved_to && !text_edits.empty()) {
      std::string new_uri = documents.uri_of(file.moved_to->file);
      operations.push_back({{"kind", "rename"}, {"oldUri", uri}, {"newUri", new_uri}});
      uri = std::move(new_uri);
    }
    if (text_edits.empty()) continue;
    plain[uri] = text_edits;
    const Document* document = documents.find(file.name.file);
    Json version = document && !file.moved_to ? Json(document->version) : Json();
    edits.push_back({{"textDocument", {{"uri", uri}, {"version", std::move(version)}}},
                     {"edits", std::move(text_edits)}});
  }
  if (!client.document_changes) return {{"changes", std::move(plain)}};
  for (Json& edit : edits) operations.push_back(std::move(edit));
  for (Json& removal : removals) operations.push_back(std::move(removal));
  return {{"documentChanges", std::move(operations)}};
}

Json hunks_of(const ProposedFile& file, const Documents& documents, ProposedHunk::State state) {
  Json result = Json::array();
  for (const ProposedHunk& hunk : file.hunks) {
    if (hunk.state != state) continue;
    result.push_back({{"index", hunk.index},
                      {"uri", documents.uri_of(file.name.file)},
                      {"range", to_range(file.text, hunk.begin, hunk.end, documents.encoding())},
                      {"newText", hunk.new_text},
                      {"quality", name_of(hunk.quality)}});
    if (file.kind == ProposedFile::Kind::create) result.back()["kind"] = "create";
  }
  return result;
}

}  // namespace bodkin::lsp
