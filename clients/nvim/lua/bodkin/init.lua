-- bodkin for Neovim >= 0.7.2. `:help bodkin` explains the use; the server does the work.
local M = {}

local config = require("bodkin.config")

---@param options table|nil see |bodkin-setup|
function M.setup(options)
  config.set(options)
  require("bodkin.trust").forget()
  local group = vim.api.nvim_create_augroup("bodkin", { clear = true })
  if not config.get().autostart then
    return
  end
  local client = require("bodkin.client")
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    callback = function(event)
      client.attach_quietly(event.buf)
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype ~= "" then
      client.attach_quietly(buffer)
    end
  end
end

--- What bodkin is doing, for a status line; else the mode, if it is not "confirm"; else "".
---@return string
function M.statusline()
  local status = package.loaded["bodkin.log"] and require("bodkin.log").status()
  if not status then
    return ""
  end
  if status.state == "idle" then
    return (status.mode or "confirm") == "confirm" and "" or "bodkin: " .. status.mode
  end
  local text = (status.message or "") ~= "" and status.message or status.state
  -- Must not be evaluated again: a model's "%{…}" is not an expression.
  return "bodkin: " .. text:gsub("%c", " "):gsub("%%", "％")
end

return M
