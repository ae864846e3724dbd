-- bodkin for Neovim >= 0.7.2. `:help bodkin` explains the use; the server does the work.
local M = {}

local config = require("bodkin.config")

---@param options BodkinOptions|nil see |bodkin-setup|
function M.setup(options)
  config.set(options)
  require("bodkin.trust").forget()
  require("bodkin.keys").global()
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
  vim.api.nvim_create_autocmd({ "TextChanged", "InsertLeave" }, {
    group = group,
    callback = function(event)
      if vim.bo[event.buf].buftype == "" and client.of(event.buf) then
        require("bodkin.next_edit").changed(event.buf)
      end
    end,
  })
  vim.api.nvim_create_autocmd("InsertEnter", {
    group = group,
    callback = function(event)
      if package.loaded["bodkin.next_edit"] then
        require("bodkin.next_edit").clear(event.buf)
      end
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype ~= "" then
      client.attach_quietly(buffer)
    end
  end
end

--- For a status line: what bodkin is doing, for how long, the tokens, and how many proposals wait; else the mode, if it is
--- not "confirm"; else "".
---@return string
function M.statusline()
  return package.loaded["bodkin.status"] and require("bodkin.status").statusline() or ""
end

return M
