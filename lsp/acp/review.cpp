#include "lsp/acp/review.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/support/shown_text.h"
#include "edits/text/pieces.h"
#include "lsp/acp/diffs.h"
#include "lsp/sessions/changed_files.h"
#include "lsp/sessions/proposal_draft.h"
#include "lsp/sessions/proposal_news.h"

namespace bodkin::acp {

namespace {

constexpr const char* kApply = "apply";
constexpr const char* kApplySession = "apply_session";
constexpr const char* kDiscard = "discard";
constexpr const char* kUnknownAnswer = "Unknown answer from the editor; nothing was changed.";

// The lines that the user reads below a diff.
std::string words_below(const Outcome& outcome, const Verification& verification) {
  std::string words = in_words(verification);
  for (const std::string& note : notes_of(outcome)) words += "\n" + note;
  return words;
}

}  // namespace

std::string words_for(const std::vector<ChangedFile>& files) {
  std::vector<std::string> names;
  for (const ChangedFile& file : files) names.push_back(shown_name(file.last_path()));
  return in_words(names);
}

Review::Review(const Host& host, std::shared_ptr<TurnUpdates> updates, Outcome outcome)
    : host_(host),
      updates_(std::move(updates)),
      outcome_(std::move(outcome)),
      verification_(verification_of(outcome_)) {
  proposal_.title = outcome_.title;
  proposal_.files = proposed_files(outcome_.files, host_.folder.roots());
  for (const ChangedFile& file : outcome_.files) {
    const std::string absolute = absolute_for_client(host_.folder, file.last_path());
    calls_.push_back({"", absolute, file, nullptr});
  }
  // The one with the most changes first: some editors show one diff only.
  std::ranges::stable_sort(calls_, std::greater(), [&](const Call& call) {
    const auto file = std::ranges::find(proposal_.files, call.file.path,
                                        [](const ProposedFile& each) { return each.name.path; });
    return file == proposal_.files.end() ? 0 : file->hunks.size();
  });
  size_t bytes = 0;
  for (const Call& call : calls_) bytes += DiffItems::bytes_of(call.file);
  DiffItems items(bytes);
  for (Call& call : calls_) {
    call.id = updates_->new_call();
    call.diffs = items.of(call.file, call.absolute);
  }
  all_call_ = calls_.size() == 1 ? calls_[0].id : updates_->new_call();
}

std::vector<ChangedFile> Review::all_files() const {
  std::vector<ChangedFile> files;
  for (const Call& call : calls_) files.push_back(call.file);
  return files;
}

void Review::begin(bool asks, Ended ended) {
  ended_ = std::move(ended);
  show();
  asks ? ask() : write(all_files());
}

void Review::show() {
  for (const Call& call : calls_) {
    Json content = call.diffs;
    content.push_back(text_content(words_below(outcome_, verification_)));
    updates_->send({{"sessionUpdate", "tool_call"},
                    {"toolCallId", call.id},
                    {"title", title_of(call.file)},
                    {"kind", kind_of(call.file)},
                    {"status", "in_progress"},
                    {"content", std::move(content)},
                    {"locations", locations_of(call.file, call.absolute)},
                    {"_meta", {{"bodkin/verification", json_of(verification_)}}}});
  }
}

// Decides: what an ACP editor is asked about a proposal.
void Review::ask() {
  Json content = Json::array(), locations = Json::array();
  const std::vector<ChangedFile> files = all_files();
  for (const Call& call : calls_) {
    for (const Json& item : call.diffs) content.push_back(item);
    for (Json& location : locations_of(call.file, call.absolute))
      locations.push_back(std::move(location));
  }
  content.push_back(text_content(words_below(outcome_, verification_)));
  const std::string title = files.size() == 1
                                ? title_of(files[0])
                                : fmt::format("Edit {} files: {}", files.size(), words_for(files));
  Json call = {{"toolCallId", all_call_},
               {"title", title},
               {"kind", files.size() == 1 ? kind_of(files[0]) : "edit"},
               {"status", "in_progress"},
               {"content", std::move(content)},
               {"locations", std::move(locations)},
               {"_meta", {{"bodkin/verification", json_of(verification_)}}}};
  if (files.size() > 1) {
    updates_->send({{"sessionUpdate", "tool_call"},
                    {"toolCallId", all_call_},
                    {"title", title},
                    {"kind", "edit"},
                    {"status", "in_progress"}});
  }
  Json options = Json::array({option(kApply, "Apply", "allow_once")});
  // Changes that must be looked at each time are not allowed for longer.
  offers_session_ = objections_of(outcome_).empty() && host_.folder.is_trusted();
  if (offers_session_)
    options.push_back(option(kApplySession, "Apply all edits of this session", "allow_always"));
  options.push_back(option(kDiscard, "Discard", "reject_once"));
  request_ = host_.client.request("session/request_permission",
                                  {{"sessionId", host_.session},
                                   {"toolCall", std::move(call)},
                                   {"options", std::move(options)}},
                                  Client::kUserDeadline,
                                  [self = shared_from_this()](const Result<Json>& answer) {
                                    self->request_ = 0;
                                    self->take_answer(answer);
                                  });
}

void Review::end_unanswered(const Error& error) {
  if (error.code == Error::Code::cancelled)
    return end(End::How::cancelled, "Cancelled; nothing was changed.");
  end(End::How::discarded, as_sentence(error.message) + " Nothing was changed.");
}

void Review::take_answer(const Result<Json>& answer) {
  if (!answer) return end_unanswered(answer.error());
  const Json& outcome = member(*answer, "outcome");
  const std::string how = text_member(outcome, "outcome");
  if (how == "cancelled") return end(End::How::cancelled, "Cancelled; nothing was changed.");
  const std::string chosen = how == "selected" ? text_member(outcome, "optionId") : "";
  for_session_ = offers_session_ && chosen == kApplySession;
  if (chosen == kDiscard) return end(End::How::discarded, "Discarded; nothing was changed.");
  if (chosen != kApply && !for_session_) return end(End::How::discarded, kUnknownAnswer);
  // An editor that shows what is written for review has the hunks chosen there.
  const bool can_choose = host_.client.can.has_forms && !host_.client.can.reviews_writes();
  if (!for_session_ && can_choose && proposal_.hunk_count() > 1) return ask_for_hunks();
  write(all_files());
}

void Review::ask_for_hunks() {
  Json items = Json::array(), all = Json::array();
  for (const ProposedFile& file : proposal_.files) {
    for (const ProposedHunk& hunk : file.hunks) {
      const std::string id = std::to_string(hunk.index);
      std::string_view first = hunk.new_text.empty() ? hunk.old_text : hunk.new_text;
      first = first.substr(0, std::min(first.find('\n'), size_t{60}));
      items.push_back(
          {{"const", id},
           {"title", plain_line(fmt::format("{}:{}: {}", file.last_name().path,
                                            file.text.line_of(hunk.begin) + 1, first))}});
      all.push_back(id);
    }
  }
  const Json schema = {{"type", "object"},
                       {"properties",
                        {{"hunks",
                          {{"type", "array"},
                           {"title", "Changes"},
                           {"items", {{"anyOf", std::move(items)}}},
                           {"default", std::move(all)}}}}},
                       {"required", Json::array({"hunks"})}};
  request_ = host_.client.request("elicitation/create",
                                  {{"mode", "form"},
                                   {"sessionId", host_.session},
                                   {"toolCallId", all_call_},
                                   {"message", "Which changes should be applied?"},
                                   {"requestedSchema", schema}},
                                  Client::kUserDeadline,
                                  [self = shared_from_this()](const Result<Json>& answer) {
                                    self->request_ = 0;
                                    self->take_hunks(answer);
                                  });
}

void Review::take_hunks(const Result<Json>& answer) {
  if (!answer) return end_unanswered(answer.error());
  if (text_member(*answer, "action") != "accept")
    return end(End::How::discarded, "Discarded; nothing was changed.");
  std::vector<size_t> chosen;
  for (const Json& each : member(member(*answer, "content"), "hunks")) {
    const auto index = whole_number(each.is_string() ? each.get<std::string>() : "");
    if (!index || !hunk_at(proposal_, *index)) return end(End::How::discarded, kUnknownAnswer);
    if (std::ranges::find(chosen, *index) == chosen.end()) chosen.push_back(*index);
  }
  std::vector<std::string> kept;
  std::vector<ChangedFile> files = with_hunks(proposal_, chosen, kept);
  for (const std::string& path : kept)
    updates_->say(shown_name(path) + " is kept, because its new location was not chosen.");
  if (files.empty()) return end(End::How::discarded, "No change was chosen; nothing was changed.");
  is_part_ = chosen.size() < proposal_.hunk_count();
  for (ProposedFile& file : proposal_.files)
    for (ProposedHunk& hunk : file.hunks)
      if (std::ranges::find(chosen, hunk.index) == chosen.end())
        hunk.state = ProposedHunk::State::discarded;
  write(std::move(files));
}

void Review::write(std::vector<ChangedFile> files) {
  host_.work.start([self = shared_from_this(), files = std::move(files)](const Task&) {
    const Task task{self->stop_.get_token(), {}};
    const AttachedTexts none;
    const auto& workspace = self->host_.workspace;
    Written written = write_changes(files, self->host_.folder, self->host_.unsaved,
                                    workspace ? workspace->on_disk() : none, self->host_.client,
                                    self->host_.session, task);
    self->host_.loop.post_reliably(
        [self, written = std::move(written)] { self->take_written(written); });
  });
}

void Review::take_written(const Written& written) {
  std::string words;
  for (const std::string& note : written.notes) words += note + ". ";
  further_ = written.done ? words : words + written.reason + ". ";
  if (is_part_) words += "Only part was applied; the checks covered the whole proposal. ";
  if (written.done) return end(End::How::written, words, written.files);
  const std::string what = !written.files.empty()
                               ? "Only " + words_for(written.files) + " changed: "
                           : written.unclear.empty() ? "Not applied: "
                           : written.is_changed      ? "Not applied as proposed: "
                                                     : "Not applied, as far as bodkin knows: ";
  end(stop_.stop_requested() ? End::How::cancelled : End::How::failed,
      what + written.reason + ". " + words, written.files, written.unclear);
}

std::string Review::news_of_end(const std::vector<ChangedFile>& files) {
  for (ProposedFile& file : proposal_.files) {
    const bool is_written =
        std::ranges::find(files, file.name.path, &ChangedFile::path) != files.end();
    if (is_written && file.moved_to) adopt_new_name(file);
    for (ProposedHunk& hunk : file.hunks) {
      const bool is_taken = is_written && hunk.state != ProposedHunk::State::discarded;
      hunk.state = is_taken ? ProposedHunk::State::applied : ProposedHunk::State::discarded;
    }
  }
  std::string news = news_of(proposal_);
  if (!further_.empty()) news += " Also: " + further_ + "Read these files again.";
  return news;
}

void Review::cancel() {
  stop_.request_stop();
  if (request_ != 0) host_.client.cancel(request_);
}

void Review::end(End::How how, std::string words, std::vector<ChangedFile> files,
                 std::vector<ChangedFile> unclear) {
  size_t bytes = 0;
  for (const ChangedFile& file : files) bytes += DiffItems::bytes_of(file);
  DiffItems items(bytes);
  for (const Call& call : calls_) {
    const auto written = std::ranges::find(files, call.file.path, &ChangedFile::path);
    const bool is_written = written != files.end();
    Json content = is_written ? items.of(*written, call.absolute) : call.diffs;
    std::string below = words_below(outcome_, verification_);
    // A discard is reported once, below everything else.
    if (!words.empty() && how != End::How::discarded)
      below += "\n" + words;
    else if (!is_written)
      below += "\nNot applied.";
    content.push_back(text_content(below));
    updates_->send({{"sessionUpdate", "tool_call_update"},
                    {"toolCallId", call.id},
                    {"kind", kind_of(call.file)},
                    {"status", is_written ? "completed" : "failed"},
                    {"content", std::move(content)},
                    {"locations", locations_of(is_written ? *written : call.file, call.absolute)},
                    {"_meta", {{"bodkin/verification", json_of(verification_)}}}});
  }
  if (all_call_ != calls_[0].id) {
    updates_->send({{"sessionUpdate", "tool_call_update"},
                    {"toolCallId", all_call_},
                    {"status", files.empty() ? "failed" : "completed"}});
  }
  const auto ended = std::exchange(ended_, nullptr);
  if (ended) {
    std::string news = news_of_end(files);
    ended({how, std::move(words), std::move(files), std::move(unclear), for_session_,
           std::move(news)});
  }
}

}  // namespace bodkin::acp
