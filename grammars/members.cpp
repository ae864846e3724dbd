#include "grammars/members.h"

#include "edits/plan/syntax.h"
#include "grammars/each_node.h"
#include "grammars/languages.h"

namespace bodkin {

std::vector<Member> members_in(std::string_view path, const Text& text) {
  std::vector<Member> members;
  const Language* language = language_of(path, text.substr(0, 200));
  if (!language || text.size() > kParsedAtOnce) return members;
  const auto tree = SyntaxTree::parse(*language, text);
  if (!tree) return members;
  each_node(*tree, [&](TSNode node, std::string_view type, std::string_view field) {
    if ((type == "identifier" && field == "attribute") ||
        (type == "property_identifier" && field == "property")) {
      const size_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
      members.push_back({text.substr(begin, end - begin), begin});
    }
  });
  return members;
}

}  // namespace bodkin
