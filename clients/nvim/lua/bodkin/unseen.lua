-- What has come up a moment ago, so that no key and no command can mean it.
local M = {}

local loop = vim.uv or vim.loop
local unseen = 1000 -- milliseconds
local came_up = {} -- proposal -> when it was drawn in the place of another that is open, or shown unasked

--- A proposal is shown, for which nobody has asked, or the user has.
function M.comes_up(proposal, is_unasked)
  came_up[proposal] = is_unasked and loop.now() or nil
end

--- Whether a proposal has come up just now, so that nobody can mean it; it is said.
function M.is_unseen(proposal)
  local at = came_up[proposal]
  came_up[proposal] = nil
  if not at or loop.now() - at > unseen then
    return false
  end
  require("bodkin.client").notify(("“%s” came up just now; nothing was done"):format(require("bodkin.client").plain(proposal.title)))
  return true
end

return M
