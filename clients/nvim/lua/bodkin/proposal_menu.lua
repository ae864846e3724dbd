-- The menu of the pending proposals.
local M = {}

local client_of = require("bodkin.client")
local files = require("bodkin.files")
local proposals = require("bodkin.proposals")

--- Chooses one by its title, and shows it in its first file.
function M.open()
  local pending = proposals.pending()
  if #pending == 0 then
    return client_of.notify("no pending proposal")
  end
  require("bodkin.ui").select(pending, {
    prompt = "Which proposal?",
    format_item = function(proposal)
      local names = vim.tbl_map(files.words, proposal.files)
      return ("%s  (%s; %s)"):format(client_of.plain(proposal.title), table.concat(names, ", "),
        require("bodkin.verdict").in_short(proposal.verification))
    end,
  }, function(proposal)
    if proposal then
      require("bodkin.review").show_file(proposal, proposal.files[1], 1)
    end
  end)
end

return M
