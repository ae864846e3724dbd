-- What an ask quotes of a buffer whose text the server does not have: a help page, a terminal, the output of a command.
local M = {}

local most = 200 -- lines, if none are selected

--- {text, place, doing}: the selection, else the lines around the row (from 0), or the cursor. Nil if there is nothing to quote:
--- the buffer is empty, or it is the log.
function M.of(buffer, selection, row)
  local name, count = vim.api.nvim_buf_get_name(buffer), vim.api.nvim_buf_line_count(buffer)
  if name == "bodkin://log" or (count == 1 and vim.api.nvim_buf_get_lines(buffer, 0, 1, false)[1] == "") then
    return nil
  end
  row = row and row + 1 or vim.api.nvim_win_get_cursor(0)[1]
  local first = selection and selection.first or math.max(1, math.min(row - most / 2, count - most + 1))
  local last = selection and selection.last or math.min(count, first + most - 1)
  local lines = vim.api.nvim_buf_get_lines(buffer, first - 1, last, false)
  if selection and selection.from then
    lines[#lines] = lines[#lines]:sub(1, selection.to)
    lines[1] = lines[1]:sub(selection.from + 1)
  end
  local what = vim.fn.fnamemodify(name, ":t")
  what = what ~= "" and what or "a buffer without a name"
  local place = ("%s, %s"):format(what, first == last and "line " .. first or ("lines %d–%d"):format(first, last))
  -- In the quotation: a file of the project that has this name, too, is not meant.
  local text = { "```", ("[%s; the cursor is in line %d]"):format(place, row) }
  for _, line in ipairs(lines) do
    table.insert(text, (line:gsub("^```", " ```"))) -- it would end the quotation
  end
  table.insert(text, "```")
  local can_have_name = vim.bo[buffer].buftype == "" and name == ""
  return { text = table.concat(text, "\n"), place = place,
    doing = can_have_name and "edits need a language or a name" or "answering, without edits" }
end

return M
