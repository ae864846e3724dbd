#include "lsp/review/workspace_edit.h"

namespace bodkin::lsp {

namespace {

bool is_taken(const ProposedHunk& hunk, const std::vector<size_t>* only) {
  return hunk.state == ProposedHunk::State::pending && is_listed(hunk, only);
}

}  // namespace

Json workspace_edit(const Proposal& proposal, const std::vector<size_t>* only,
                    const Documents& documents, const Capabilities& client) {
  Json operations = Json::array(), edits = Json::array(), removals = Json::array();
  Json plain = Json::object();
  for (const ProposedFile& file : proposal.files) {
    Json text_edits = Json::array();
    for (const ProposedHunk& hunk : file.hunks) {
      if (!is_taken(hunk, only)) continue;
      text_edits.push_back(
          {{"range", to_range(file.text, hunk.begin, hunk.end, documents.encoding())},
           {"newText", hunk.new_text}});
    }
    const bool whole = !only || !text_edits.empty();
    std::string uri = documents.uri_of(file.name.file);
    if (file.kind == ProposedFile::Kind::create && !text_edits.empty() &&
        client.resource_operations) {
      operations.push_back({{"kind", "create"}, {"uri", uri}});
    }
    if (file.kind == ProposedFile::Kind::remove) {
      if (!text_edits.empty()) removals.push_back({{"kind", "delete"}, {"uri", uri}});
      continue;
    }
    if (file.moved_to && whole) {
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

Json hunks_of(const ProposedFile& file, const Documents& documents) {
  Json result = Json::array();
  for (const ProposedHunk& hunk : file.hunks) {
    if (hunk.state != ProposedHunk::State::pending) continue;
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
