// The words by which elisions are known (edits/plan/elision.h).
#pragma once

#include <string_view>

namespace bodkin {

// As many words on a line as fit.
// clang-format off

// Phrases that certainly say that something stays or was left out; one or more words.
// Decides: the words that make a line an elision.
inline constexpr std::string_view kState[] = {
    "unchanged", "unmodified", "untouched", "omitted", "elided", "snip", "snipped", "truncated",
    "intact", "abbreviated", "no change", "no changes", "no other changes", "no further changes",
    "no modifications", "not changed", "not modified", "remain as they were", "stay as they are",
    "stays as it is", "stays the same", "stay the same", "remains the same", "remain the same",
    "stays as is", "stay as is", "remains as is", "remain as is", "is the same", "are the same",
    "same as before", "same code", "as before", "goes here", "continues here", "remains as it was",
    "left as is", "kept as is", "keep as is", "unchanged code", "identical to before",
    "did not change", "does not change", "do not change", "as it was", "as they were", "as is",
    "nothing else changes", "nothing else changed", "don't touch", "do not touch", "don't change",
    "nothing changes", "nothing changed", "etc", "et cetera", "and so on", "and so forth",
    "leave as is", "leave it as is", "leave as it is", "leave them as they are", "keep it as is",
    "keep as it is", "same as original", "same as the original", "same as in the original",
    "same as existing", "same as earlier", "same as previously", "as in the original",
    "as in original", "more lines", "more code", "not shown", "code continues", "keep the rest",
    "leave the rest", "keep existing", "keep everything else", "lines skipped", "lines hidden",
    "for brevity", "removed for brevity", "not included here", "nothing else",
    "no other edits",
    "no further edits", "as you had it", "as you had them", "whatever was here", "what was here",
    "your code here", "more to come", "cut here", "and more",
    "see above", "all of the above", "n a", "as above", "nothing different", "code goes on",
    "goes on here", "past this point", "as in your version", "as in your file",
};

// Words for a remainder, and for what it may be a remainder of: "rest of the file", "existing
// code".
inline constexpr std::string_view kRest[] = {
    "rest", "remaining", "remainder", "existing", "other", "others", "everything", "previous",
    "original", "remains", "old",
};

inline constexpr std::string_view kWhole[] = {
    "code", "file", "implementation", "logic", "body", "class", "function", "method", "methods",
    "functions", "component", "module", "script", "contents", "content", "source",
};

// Words that may say that something stays, where lines would be lost.
inline constexpr std::string_view kHint[] = {
    "same", "before", "more", "skipped", "hidden", "kept", "keep", "leave", "left", "alone",
    "preserved", "retained", "ditto", "likewise", "also", "identical", "lines", "continue",
    "continues", "continued", "shortened", "shown", "above", "stays", "stay", "remain", "remains",
    "cont", "usual", "further", "line", "touch", "changed", "changes", "change",
    "modify", "edited", "repeated", "preserve", "retain", "clipped", "collapsed", "folded",
    "redacted", "yours",
};

// Long words of these lists that are often misspelled.
inline constexpr std::string_view kMisspelled[] = {
    "existing", "omitted", "original", "previous", "remaining", "truncated", "unchanged",
    "unmodified", "untouched", "implementation",
};

// Words at the end of a comment that says what stays, by its name.
inline constexpr std::string_view kStay[] = {"stay", "stays", "remain", "remains", "kept"};

// Words that may accompany them.
inline constexpr std::string_view kOther[] = {
    "a", "above", "after", "again", "all", "and", "any", "are", "as", "at", "attributes", "be",
    "been", "before", "behind", "below", "between", "block", "blocks", "brevity", "but", "can",
    "case", "cases", "change", "changed", "changes", "class", "classes", "clarity", "columns",
    "config", "configuration", "constants", "constructor", "continue", "continues", "current",
    "declaration", "declarations", "definition", "definitions", "did", "do", "does", "element",
    "elements", "else", "entries", "etc", "exactly", "exist", "exists", "exports", "fields",
    "follow", "follows", "for", "from", "go", "goes", "handlers", "have", "helpers", "here",
    "hidden", "identical", "import", "imports", "in", "includes", "into", "is", "it", "item",
    "items", "keep", "kept", "keys", "leave", "left", "like", "line", "lines", "made", "members",
    "modifications", "modified", "more", "need", "needed", "no", "not", "nothing", "now", "of",
    "on", "options", "or", "out", "page", "part", "parts", "preserved", "properties", "props",
    "remain", "required", "routes", "rows", "rules", "same", "section", "sections", "setup",
    "settings", "shown", "skipped", "space", "state", "statements", "stay", "stays", "still",
    "stuff", "sub", "styles", "table", "template", "tests", "text", "than", "that", "the", "there",
    "document", "view", "query", "these", "they", "this", "those", "to", "types", "unaffected",
    "until", "up", "utilities", "values", "variables", "version", "was", "we", "well", "were",
    "what", "where", "will", "with", "you", "your", "our", "my", "also", "only", "just", "already",
    "present", "so", "far", "alone", "an", "brief", "by", "cont", "continued", "cut", "ditto",
    "don't", "each", "earlier", "entire", "every", "exact", "forth", "further", "has", "hasn't",
    "haven't", "if", "its", "likewise", "might", "n", "next", "one", "ones", "per", "please",
    "previously", "readability", "retained", "see", "several", "short", "shortened", "similar",
    "similarly", "simplicity", "some", "such", "their", "them", "then", "too", "touch", "touched",
    "usual", "way", "whole", "repeated", "edited", "modify", "unedited", "included",
    "preserve", "retain", "two", "three", "four", "five", "six", "clipped", "collapsed", "folded",
    "had", "redacted", "yours", "whatever", "different", "come",
};

// In other languages, as fragments that say so alone: "the others" is also a heading.
inline constexpr std::string_view kForeign[] = {
    "unver\xC3\xA4ndert", "bestehend", "rest des", "wie bisher", "bleibt gleich",
    "inchang\xC3\xA9", "reste du", "code existant", "sin cambios", "resto de", "existente",
    "sem altera", "invariat", "esistente", "bez zmian", "reszta", "без изменений", "остальн",
    "существующ", "как раньше", "без змін", "ongewijzigd", "oförändra", "其余", "其他代码", "保持不变",
    "不变", "省略", "现有代码", "剩余", "既存", "変更なし", "残りの", "そのまま", "기존", "나머지", "생략", "변경 없음",
    "không thay đổi", "tidak berubah",
};

// Words of a comment that explains why lines were removed; `kGlue` are those that alone explain
// nothing ("your code here").
inline constexpr std::string_view kEnglish[] = {
    "the", "is", "are", "was", "to", "in", "on", "by", "for", "of", "and", "not", "now", "no", "it",
    "this", "with", "from", "here", "removed", "moved", "deleted", "dropped", "deprecated", "todo",
    "fixme", "noop", "nothing", "none", "empty", "handled", "disabled", "replaced", "see",
    "obsolete", "legacy", "unused", "use", "uses", "done", "skip", "ignore", "default", "when",
    "if", "never", "always", "only", "eslint", "noqa", "nolint", "pragma", "pylint", "type",
    "placeholder", "begin", "end", "region", "endregion", "intentionally", "stub", "simplified",
    "inlined", "merged", "delegates", "delegated",
};

inline constexpr std::string_view kGlue[] = {
    "the", "is", "are", "was", "to", "in", "on", "by", "for", "of", "and", "not", "now", "no", "it",
    "this", "with", "from", "here", "see",
};

// Statements of one word or two.
inline constexpr std::string_view kStatements[] = {
    "pass", "break", "continue", "return", "end", "else", "fi", "done", "esac", "begin", "then",
    "do", "nil", "null", "true", "false", "exit", "raise", "throw", "abort", "yield", "await",
    "retry", "redo", "super", "self", "this", "unreachable", "undefined", "loop", "try", "finally",
    "ensure", "rescue", "private", "public", "protected", "static", "let", "var", "const", "import",
    "export", "package", "module", "require", "include",
};

// clang-format on

}  // namespace bodkin
