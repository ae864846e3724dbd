#include "lsp/editor/questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/support/shown_text.h"
#include "lsp/protocol/extensions.h"
#include "lsp/protocol/protocol.h"

namespace bodkin::lsp {

std::vector<Questions::Waiting>::iterator Questions::find(const std::string& id) {
  return std::ranges::find_if(waiting_,
                              [&](const Waiting& each) { return each.question.id == id; });
}

namespace {

constexpr const char* kChoices[] = {"once", "session", "workspace"};  // in the order of Choice

}  // namespace

std::optional<Decision::Choice> choice_named(std::string_view name) {
  for (const auto choice : {Decision::once, Decision::session, Decision::workspace}) {
    if (name == kChoices[choice]) return choice;
  }
  if (name == "always") return Decision::session;
  return name == "reject" ? std::optional(Decision::reject) : std::nullopt;
}

std::string Questions::ask(Permission permission, std::function<void(Decision)> decided) {
  const std::string id = fmt::format("q{}", next_id_++);
  // An ask that a limit has ended can be gone on with; a question that nobody answers keeps it
  // busy.
  if (!can_.permit && permission.kind == "limit") {
    loop_.post([decided = std::move(decided)] { decided(Decision::reject); });
    return id;
  }
  waiting_.push_back({{id, permission}, std::move(decided)});
  loop_.post_after(patience_, [this, id] { (void)answer(id, Decision::reject); });
  if (!can_.permit) {
    client_.say(
        MessageType::warning,
        fmt::format("bodkin: Permission needed: {}. Answer with the code action \"bodkin: Allow "
                    "once: …\" or \"bodkin: Deny: …\", available in every file; it is denied "
                    "after {} minutes without an answer.",
                    permission.title, std::chrono::ceil<std::chrono::minutes>(patience_).count()));
    return id;
  }
  Json options = Json::array();
  for (int choice = Decision::once; choice <= permission.longest; ++choice)
    options.push_back(kChoices[choice]);
  options.push_back("reject");
  waiting_.back().request = connection_.request(
      kPermit,
      {{"tool", permission.kind},
       {"title", plain_line(permission.title)},
       {"detail", plain(permission.detail)},
       {"options", std::move(options)}},
      [this, id](const Result<Json>& answered) {
        const auto choice = choice_named(answered ? text_member(*answered, "choice") : "");
        if (!choice || *choice == Decision::reject)
          return (void)answer(
              id, {Decision::reject, choice ? text_member(*answered, "reason") : std::string()});
        (void)answer(id, *choice);
      });
  return id;
}

Result<void> Questions::answer(const std::string& id, Decision decision) {
  const auto found = find(id);
  if (found == waiting_.end()) {
    return fail(Error::Code::not_found,
                "This question is no longer open: it was already answered, or its ask has ended.");
  }
  if (decision.allows())
    decision.choice = std::min(decision.choice, found->question.permission.longest);
  const auto decided = std::move(found->decided);
  withdraw(id);
  decided(decision);
  return {};
}

void Questions::withdraw(const std::string& id) {
  const auto found = find(id);
  if (found == waiting_.end()) return;
  const int64_t request = found->request;
  waiting_.erase(found);
  if (request != 0) connection_.cancel_request(request);
}

Result<Permission> Questions::about(const std::string& id) {
  const auto found = find(id);
  if (found != waiting_.end()) return found->question.permission;
  return fail(Error::Code::not_found,
              "This question is no longer open: it was already answered, or its ask has ended.");
}

std::vector<Questions::Question> Questions::open() const {
  std::vector<Question> result;
  for (const Waiting& each : waiting_) {
    if (each.request == 0) result.push_back(each.question);
  }
  return result;
}

}  // namespace bodkin::lsp
