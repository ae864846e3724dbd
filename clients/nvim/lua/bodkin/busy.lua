-- What a person has half typed. Neovim keeps line numbers while it waits for the rest, which do not move with the lines, and
-- shows what a command line would do as if that were the text: what is changed meanwhile is changed in a wrong line.
local M = {}

local files = require("bodkin.files")

local loop = vim.uv or vim.loop

local is_block = false -- what is typed goes into each line of a block once Insert mode ends

-- Why no text, or not that of the current buffer, may change in a mode (|mode()|).
local function reasons(mode)
  local whole = (mode:find("^no") and "a command is half typed") or (mode:find("^c") and "a command line is being typed")
    or (mode:find("^r") and "Neovim waits for a key") or nil
  local of_current = (mode:find("^[vVsS\22\19]") and "a selection (Visual mode)") or (mode:find("^[iR]v?[cx]") and "a menu of completions")
    or (mode:find("^i") and is_block and "an insertion into a block of lines") or nil
  return whole, of_current
end

local group = vim.api.nvim_create_augroup("bodkin_busy", { clear = true })
vim.api.nvim_create_autocmd("ModeChanged", { group = group, callback = function()
  is_block = is_block or (vim.v.event.old_mode:find("[\19\22]") ~= nil and vim.v.event.new_mode:find("^i") ~= nil)
end })
-- Not by the mode: that is another one for a moment whenever a script runs |:normal|.
vim.api.nvim_create_autocmd({ "InsertEnter", "InsertLeave" }, { group = group, callback = function()
  is_block = false
end })

--- Why these files may not change now, a clause, or nil.
function M.why(edited)
  local whole, of_current = reasons(vim.api.nvim_get_mode().mode)
  for _, file in ipairs(not whole and of_current and edited or {}) do
    if files.loaded(file.uri) == vim.api.nvim_get_current_buf() then
      return files.name(file.uri) .. " has " .. of_current
    end
  end
  return whole
end

--- Runs action() once nothing is half typed.
function M.when_calm(action)
  local timer = loop.new_timer()
  timer:start(20, 50, function() -- not scheduled: that would take Neovim out of its wait for a key each time
    local whole, of_current = reasons(vim.api.nvim_get_mode().mode)
    if not whole and not of_current and not timer:is_closing() then
      timer:close()
      vim.schedule(action)
    end
  end)
end

return M
