#include "lsp/sessions/check_json.h"

#include <nlohmann/json.hpp>

#include "lsp/sessions/verification.h"

namespace bodkin {

namespace {

nlohmann::json json_of(const std::vector<CheckedProblem>& problems) {
  auto list = nlohmann::json::array();
  for (const CheckedProblem& problem : problems) {
    list.push_back({{"path", problem.path},
                    {"line", problem.line},
                    {"severity", wire_name(problem.severity)},
                    {"code", problem.code},
                    {"message", problem.message},
                    {"source", problem.source}});
  }
  return list;
}

}  // namespace

nlohmann::json json_of(const CheckResult& check) {
  return {{"state", name_of(check.state)}, {"by", check.by},
          {"reason", check.reason},        {"doubt", check.doubt},
          {"new", json_of(check.added)},   {"fixed", json_of(check.fixed)},
          {"remaining", check.remaining}};
}

}  // namespace bodkin
