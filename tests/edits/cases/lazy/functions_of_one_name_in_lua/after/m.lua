local M = {}

function M.get(key)
  return M.all[key]
end

function M.get(key, other)
  local found = M.all[key]
  return found ~= nil and found or other
end

return M
