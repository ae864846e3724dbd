-- Runs what sets options without the person's autocommands, whose errors would end it midway.
local M = {}

local action

function M.run()
  action()
end

--- Runs `run` without autocommands. Returns whether it went well, else false and the error.
function M.call(run)
  action = run
  return pcall(vim.cmd, "noautocmd lua require('bodkin.quietly').run()")
end

return M
