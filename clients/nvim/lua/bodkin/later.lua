-- Edits that came while something was half typed (busy.lua), and were refused: they are asked for again once it is not. An
-- agent is told that nothing was changed, and may ask again itself.
local M = {}

local busy = require("bodkin.busy")
local files = require("bodkin.files")

--- An edit was refused for this reason, which the server will say of its proposal.
function M.put_off(edit, client_id, reason)
  local edited = {}
  for _, file in ipairs(files.of_edit(edit)) do
    edited[file.uri] = true
  end
  for _, proposal in ipairs(require("bodkin.proposals").all()) do
    for _, file in ipairs(proposal.files) do
      if proposal.client == client_id and proposal.state == "applying" and (edited[file.uri] or edited[file.to or ""]) then
        proposal.put_off = reason
      end
    end
  end
end

--- The server has said what became of a proposal. Returns true if it was put off, and nothing else is to be said: then it is
--- asked for again, unless something else is decided of it by then.
function M.outcome(proposal, message)
  local reason = proposal.put_off
  if proposal.state == "applying" then
    return false
  elseif not reason then
    local is_over = proposal.state == "applied" or proposal.state == "partly" or proposal.state == "discarded"
    proposal.wanted = not is_over and proposal.wanted or nil
    return false
  end
  proposal.put_off = nil
  local proposals = require("bodkin.proposals")
  local is_undo = message:find("^The editor did not undo") ~= nil
  local again = is_undo and proposals.undo or proposal.wanted
  if proposal.at_once and not again then
    return true
  elseif not again and not proposal.decisions and not proposal.was_applied then
    again = proposals.apply -- without review
  end
  if not again then
    return false
  end
  local decisions = proposal.decisions
  busy.when_calm(function()
    if proposal.decisions == decisions and proposals.by_id(proposal.id) then
      again(proposal)
    end
  end)
  if not vim.api.nvim_get_mode().mode:find("^[cr]") then -- it would be written over what is typed
    require("bodkin.client").notify((is_undo and "not undone yet: " or "not applied yet: ") .. reason)
  end
  return true
end

return M
