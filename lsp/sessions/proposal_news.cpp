#include "lsp/sessions/proposal_news.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "agent/support/shown_text.h"

namespace bodkin {

namespace {

constexpr size_t kMaxPlaces = 20;

// "a.c (1 of 2 changes, with `long b;`)": for a file of which some hunks are in place.
std::string places_left_out(const ProposedFile& file) {
  std::vector<std::string> places;
  for (const ProposedHunk& hunk : file.hunks) {
    if (hunk.state == ProposedHunk::State::applied) continue;
    std::string_view first = hunk.new_text.empty() ? hunk.old_text : hunk.new_text;
    first = first.substr(0, std::min(first.find('\n'), size_t{80}));
    places.push_back("`" + plain_line(first) + "`");
  }
  const size_t count = places.size();
  if (count > kMaxPlaces) places.resize(kMaxPlaces);
  return fmt::format("{} ({} of {}, with {})", shown_name(file.last_name().path), count,
                     counted(file.hunks.size(), "change"), fmt::join(places, ", "));
}

}  // namespace

std::string news_of(const Proposal& proposal) {
  std::vector<std::string> applied, left, parts, open;
  for (const ProposedFile& file : proposal.files) {
    const std::string path = shown_name(file.last_name().path);
    const auto count = [&](ProposedHunk::State state) {
      return static_cast<size_t>(std::ranges::count(file.hunks, state, &ProposedHunk::state));
    };
    const size_t in_place = count(ProposedHunk::State::applied);
    const bool is_moved = !file.moved_to;  // if that is all that was proposed for it
    if (file.hunks.empty() ? is_moved : in_place == file.hunks.size()) {
      applied.push_back(path);
    } else if (in_place > 0) {
      parts.push_back(places_left_out(file));
    } else if (count(ProposedHunk::State::pending) > 0) {
      open.push_back(path);
    } else {
      left.push_back(path);
    }
  }
  if (!parts.empty() && left.empty() && applied.empty() && open.empty() && parts.size() == 1)
    return "Your last edits were applied in part. Not applied in " + parts[0] + ".";
  std::string news = "Of your last edits:";
  const auto add = [&](const std::vector<std::string>& what, const char* how) {
    if (!what.empty()) news += fmt::format(" {} {};", in_words(what), how);
  };
  if (!applied.empty() && left.empty() && parts.empty() && open.empty())
    return "Your last edits were applied: " + in_words(applied) + ".";
  if (!left.empty() && applied.empty() && parts.empty() && open.empty())
    return "Your last edits were not applied: " + in_words(left) + ".";
  if (!open.empty() && applied.empty() && parts.empty() && left.empty())
    return "Your last edits still wait for the user: " + in_words(open) + ".";
  add(applied, "applied");
  add(left, "not applied");
  add(open, "still waiting for the user");
  if (!parts.empty())
    news += " applied in part, without " + fmt::format("{}", fmt::join(parts, "; ")) + ";";
  news.back() = '.';
  return news;
}

std::string news_of(const ProposalRow& proposal) {
  std::vector<std::string> paths;
  for (const ChangedFile& file : proposal.files) paths.push_back(shown_name(file.last_path()));
  if (paths.empty()) return "";
  const bool is_taken = proposal.state == "applied" || proposal.state == "partly" ||
                        proposal.state == "undone in part";
  return is_taken ? "Your last edits were applied, in whole or in part: " + in_words(paths) +
                        ". Read these files again before you edit them."
                  : "Your last edits were not applied: " + in_words(paths) + ".";
}

}  // namespace bodkin
