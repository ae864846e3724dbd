local M = {}

function M.close(opts)
  opts = opts or {}
  return run(opts)
end

return M
