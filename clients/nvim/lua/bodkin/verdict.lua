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

--- The same without the reason why it was not checked, where there is little room: :Bodkin why has that.
function M.in_short(verification)
  local whole = M.words(verification)
  if vim.startswith(whole, "? not checked") then
    return "? not checked" .. (vim.endswith(whole, " (only syntax)") and " (only syntax)" or "")
  end
  return whole
end

return M
