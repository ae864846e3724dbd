-- What was checked of a proposal, in words.
local M = {}

--- The verification in words. "Not checked" is never "clean".
function M.words(verification)
  if verification and (verification.words or "") ~= "" then
    return verification.words
  end
  -- An older server's words.
  local state = verification and verification.state or "unknown"
  local by = verification and verification.by ~= "" and verification.by or nil
  if state == "verified" then
    return "checked" .. (by and " by " .. by or "")
  elseif state == "failed" then
    local found = verification.newProblems or 0
    return found > 0 and require("bodkin.files").plural(found, "new problem") or "has problems"
  end
  return by and "only " .. by .. " was checked" or "not checked"
end

--- The verification of a proposal, or, where a part of it is applied that has problems by itself, of that part first.
function M.with_part(verification, part)
  if not part or part.state ~= "problems" then
    return verification
  end
  local problems = vim.list_extend(vim.deepcopy(part.problems or {}), verification and verification.problems or {})
  return { state = "problems", newProblems = part.newProblems, problems = problems,
    words = ("%s as it is now; %s with all changes"):format(M.words(part), M.words(verification)) }
end

--- The same without the reason why it was not checked, where there is little room: :Bodkin why has that.
function M.in_short(verification)
  local whole = M.words(verification)
  return whole:match("^%? not checked") or whole:match("^%? only the syntax was checked") or whole
end

--- One of M.in_short(), where there is less.
function M.in_brief(words)
  return vim.startswith(words, "? only the syntax") and "? only syntax"
    or vim.startswith(words, "?") and "? not checked" or words
end

--- What was found in a change, by its index: a list of {words, highlight group}.
function M.found_in(verification, index)
  local result = {}
  for _, problem in ipairs(verification and verification.problems or {}) do
    if problem.hunk == index then
      local from = (problem.source or "") ~= "" and (" (%s)"):format(problem.source) or ""
      local message = require("bodkin.client").plain(problem.message):match("^[^\n]*")
      table.insert(result, { ("✗ %s%s"):format(message, from), problem.severity == "error" and "BodkinBad" or "BodkinUnknown" })
    end
  end
  return result
end

return M
