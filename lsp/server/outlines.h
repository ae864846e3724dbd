// Outlines: the tree and the outline of each open document, for code actions and the index. They
// are parsed on a thread of their own, once the user has paused, one version of a document at a
// time; what was typed meanwhile is parsed next. Main thread only.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "agent/rpc/event_loop.h"
#include "grammars/outline.h"
#include "lsp/workspace/documents.h"
#include "lsp/workspace/indexer.h"

namespace bodkin::lsp {

class Outlines {
 public:
  Outlines(EventLoop& loop, const Documents& documents, Indexer& indexer);
  ~Outlines();  // stops and joins
  Outlines(const Outlines&) = delete;
  Outlines& operator=(const Outlines&) = delete;

  void parse_soon(const std::string& uri);
  void close(const std::string& uri);  // before the documents do
  // The declaration around a range. Nothing: there is none, or the text of now is not parsed yet.
  std::optional<Symbol> enclosing_at(const Document& document, const Range& range) const;

 private:
  struct Outlined {
    int64_t version = 0;
    Outline outline;
    SyntaxTree tree;  // what the next parse begins with
  };
  void parse(const std::string& uri);

  EventLoop& loop_;
  const Documents& documents_;
  Indexer& indexer_;
  std::map<std::string, Outlined> outlines_;  // by URI
  std::set<std::string> parsing_;             // by URI: wanted, or under way
  std::stop_source stop_;
  EventLoop parser_;
  std::jthread thread_;
};

}  // namespace bodkin::lsp
