-- What a person has half typed. Neovim keeps line numbers while it waits for the rest, which do not move with the lines, and
-- shows what a command line would do as if that were the text: what is changed meanwhile is changed in a wrong line.
local M = {}

local files = require("bodkin.files")

local loop = vim.uv or vim.loop

-- By what a mode begins with (|mode()|): for every text, and only for that of the current buffer.
local of_all = { no = "a command is half typed", c = "a command line is being typed", r = "Neovim waits for a key" }
local of_current = {
  { "^[vVsS\22\19]", "a selection (Visual mode)" },
  { "^[iR]v?[cx]", "a menu of completions" },
  { "^[iR]", "an insertion into a block of lines" },
}

local is_block = false -- what is typed goes into each line of a block once Insert mode ends

local function reasons(mode)
  local of_here
  for _, each in ipairs(of_current) do
    if mode:find(each[1]) and (is_block or each[1] ~= "^[iR]") then
      of_here = of_here or each[2]
    end
  end
  return of_all[mode:sub(1, 2)] or of_all[mode:sub(1, 1)], of_here
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
  local whole, of_here = reasons(vim.api.nvim_get_mode().mode)
  for _, file in ipairs(not whole and of_here and edited or {}) do
    if files.loaded(file.uri) == vim.api.nvim_get_current_buf() then
      return files.name(file.uri) .. " has " .. of_here
    end
  end
  return whole
end

--- Runs action() once nothing is half typed.
function M.when_calm(action)
  local timer = loop.new_timer()
  timer:start(20, 50, function() -- not scheduled: that would take Neovim out of its wait for a key each time
    local whole, of_here = reasons(vim.api.nvim_get_mode().mode)
    if not whole and not of_here and not timer:is_closing() then
      timer:close()
      vim.schedule(action)
    end
  end)
end

return M
