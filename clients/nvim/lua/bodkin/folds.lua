-- The folds of the log: thoughts, what commands have printed, and replies that were pasted.
local M = {}

local function kind_of(line)
  return line:find("^>") and "thoughts" or line:find("^  │ ") and "text" or nil
end

--- For 'foldexpr'.
function M.level(number)
  return kind_of(vim.fn.getline(number)) and 1 or 0
end

--- For 'foldtext': "▸ 12 lines of text: first words".
function M.text()
  local first = vim.fn.getline(vim.v.foldstart)
  return ("  ▸ %d lines of %s: %s "):format(vim.v.foldend - vim.v.foldstart + 1, kind_of(first),
    (first:gsub("^>%s*", ""):gsub("^  │ ", "")))
end

--- Sets them up in a window.
function M.begin(window)
  for name, value in pairs({ foldmethod = "expr", foldexpr = "v:lua.require'bodkin.folds'.level(v:lnum)",
    foldtext = "v:lua.require'bodkin.folds'.text()", foldlevel = 0, foldenable = true, fillchars = "fold: " }) do
    vim.api.nvim_win_set_option(window, name, value)
  end
end

return M
