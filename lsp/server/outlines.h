// Outlines: the syntax tree and outline of each open document, for code actions and the index. They
// are parsed on a separate thread when the user pauses, one version of a document at a time;
// changes made meanwhile are parsed next. Main thread only.
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
  void close(const std::string& uri);  // call it before Documents::close
  // The declaration around a range. Nullopt: none, or the current text is not parsed yet.
  std::optional<Symbol> enclosing_at(const Document& document, const Range& range) const;

  struct Outlined {
    int64_t version = 0;
    Outline outline;
    SyntaxTree tree;  // reused by the next parse
  };
  // The last parse, perhaps of an earlier version; null: none.
  const Outlined* last_of(const Document& document) const;

 private:
  void parse(const std::string& uri);

  EventLoop& loop_;
  const Documents& documents_;
  Indexer& indexer_;
  std::map<std::string, Outlined> outlines_;  // by URI
  std::set<std::string> parsing_;             // URIs: requested, or being parsed
  std::stop_source stop_;
  EventLoop parser_;
  std::jthread thread_;
};

}  // namespace bodkin::lsp
