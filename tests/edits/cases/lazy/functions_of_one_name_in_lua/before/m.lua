local M = {}

function M.get(key)
  return M.all[key]
end

function M.get(key, other)
  return M.all[key] or other
end

return M
