-- The menu of the proposals: those that are pending, then the others with what became of them.
local M = {}

local client_of = require("bodkin.client")
local files = require("bodkin.files")
local proposals = require("bodkin.proposals")

local most = 50

-- "applied", "discarded": what became of one that is not pending.
local function outcome(proposal)
  return proposal.state == "discarded" and proposal.was_applied and "undone" or proposal.state
end

--- Chooses one by its title: a pending one is shown in its first file, of another it is said what it changed.
function M.open()
  local all = proposals.pending()
  if #proposals.all() == 0 then
    return client_of.notify("no pending proposal")
  end
  for _, proposal in ipairs(proposals.all()) do
    if not proposals.is_open(proposal) and #all < most then
      table.insert(all, proposal)
    end
  end
  require("bodkin.ui").select(all, {
    prompt = "Which proposal?",
    format_item = function(proposal)
      local names = vim.tbl_map(files.words, proposal.files)
      return ("%s  (%s; %s)"):format(client_of.plain(proposal.title), table.concat(names, ", "),
        proposals.is_open(proposal) and require("bodkin.verdict").in_short(proposal.verification) or outcome(proposal))
    end,
  }, function(proposal)
    if proposal and proposals.is_open(proposal) then
      require("bodkin.review").show_file(proposal, proposal.files[1], 1)
    elseif proposal then
      require("bodkin.why").show(proposal)
    end
  end)
end

return M
