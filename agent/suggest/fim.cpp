// Fill in the middle: base models of code continue the text between a beginning and an end, around
// the cursor. They know no edits; their text begins at the cursor.
#include <algorithm>

#include "agent/suggest/suggest_format.h"
#include "edits/suggest/region_change.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kBefore = 6'000, kAfter = 2'000;  // bytes

struct Tokens {
  std::string_view models;  // parts of names, as in SuggestFormat; the last row is for all others
  const char *prefix, *suffix, *middle;
  bool is_suffix_first;
};
constexpr Tokens kTokens[] = {
    {"codestral|devstral", "[PREFIX]", "[SUFFIX]", "", true},
    {"starcoder|stable-code|santacoder|granite|mellum|refact", "<fim_prefix>", "<fim_suffix>",
     "<fim_middle>", false},
    {"deepseek", "<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>", false},
    {"codellama", "<PRE> ", " <SUF>", " <MID>", false},
    {"seed-coder", "<[fim-prefix]>", "<[fim-suffix]>", "<[fim-middle]>", true},
    {"", "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", false}};  // Qwen, CodeGemma

const Tokens& tokens_of(std::string_view model) {
  const std::string lower = lower_case(model);
  for (const Tokens& tokens : kTokens)
    for (std::string_view rest = tokens.models; !rest.empty();) {
      const size_t end = std::min(rest.find('|'), rest.size());
      if (lower.contains(rest.substr(0, end))) return tokens;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  return *(std::end(kTokens) - 1);
}

SuggestPrompt fim_prompt(const SuggestContext& context, std::string_view model) {
  const Text& text = context.text;
  const Tokens& tokens = tokens_of(model);
  const size_t cursor = std::min(context.cursor, text.size());
  const size_t line = text.line_of(cursor);
  const size_t first = lines_around(text, cursor, 2 * kBefore).begin;
  const size_t begin = std::max(text.line_begin(first), cursor - std::min(cursor, kBefore));
  const std::string before = tokens.prefix + text.substr(begin, cursor - begin);
  const std::string after = tokens.suffix + text.substr(cursor, kAfter);
  return {.text = (tokens.is_suffix_first ? after + before : before + after) + tokens.middle,
          .stop = {"<|endoftext|>", "<|fim_pad|>", "<|file_sep|>", "<file_sep>", "<|im_end|>",
                   "</s>", "<EOT>", "<｜end▁of▁sentence｜>"},
          .max_tokens = 128,
          .region = {line, line + 1}};
}

std::vector<Replacement> read_fim(const SuggestContext& context, const SuggestPrompt& prompt,
                                  std::string_view reply, bool is_cut) {
  for (const std::string& stop : prompt.stop) reply = reply.substr(0, reply.find(stop));
  if (has_tokens(reply)) return {};
  return insertion_at(context.text, context.cursor, reply, is_cut);
}

}  // namespace

const SuggestFormat kFimFormat = {
    "fim", false,
    "codestral|starcoder|stable-code|coder-base|coder:base|codellama|codegemma|seed-coder|fim",
    fim_prompt, read_fim};

}  // namespace bodkin
