-- What a request is about: the lines of a command's range, the characters that were selected, or the cursor.
local M = {}

-- From the ends of a selection (rows from 1, bytes from 1) to {first, last, from, to}; from, to: bytes, or nil for lines.
local function of_ends(buffer, mode, start, stop)
  if start[1] > stop[1] or (start[1] == stop[1] and start[2] > stop[2]) then
    start, stop = stop, start
  end
  local result = { first = start[1], last = stop[1] }
  if mode ~= "v" then
    return result
  end
  local line = vim.api.nvim_buf_get_lines(buffer, stop[1] - 1, stop[1], false)[1] or ""
  local from = start[2] - 1
  local to = math.min(stop[2] - 1, #line)
  if vim.o.selection ~= "exclusive" and to < #line then
    local character = vim.fn.matchstr(line:sub(to + 1), ".")
    to = to + #character
  end
  local first_line = vim.api.nvim_buf_get_lines(buffer, start[1] - 1, start[1], false)[1] or ""
  if from <= #first_line:match("^%s*") and to >= #line then
    return result -- whole lines
  end
  result.from, result.to = from, to
  return result
end

--- Of Visual mode, which is left.
function M.of_visual(buffer)
  local mode = vim.fn.mode()
  local start, stop = vim.fn.getpos("v"), vim.fn.getpos(".")
  local result = of_ends(buffer, mode, { start[2], start[3] }, { stop[2], stop[3] })
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes("<Esc>", true, false, true), "nx", false)
  return result
end

--- Of a command's range; nil without one. A range that is the last selection's keeps its characters.
function M.of_command(command, buffer)
  if command.selection then
    return command.selection
  end
  if command.range == 0 then
    return nil
  end
  local start, stop = vim.api.nvim_buf_get_mark(buffer, "<"), vim.api.nvim_buf_get_mark(buffer, ">")
  if vim.fn.visualmode() == "v" and start[1] == command.line1 and stop[1] == command.line2 then
    return of_ends(buffer, "v", { start[1], start[2] + 1 }, { stop[1], math.min(stop[2], 1000000) + 1 })
  end
  return { first = command.line1, last = command.line2 }
end

--- As the server wants it; without a selection the cursor, or its `row` of before.
function M.range(selection, buffer, encoding, row)
  local position = require("bodkin.diagnostics").position
  if not selection then
    row = row or vim.api.nvim_win_get_cursor(0)[1] - 1
    local indent = (vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1] or ""):match("^%s*")
    local at = { line = row, character = #indent }
    return { start = at, ["end"] = at }
  elseif selection.from then
    return { start = position(buffer, selection.first - 1, selection.from, encoding),
      ["end"] = position(buffer, selection.last - 1, selection.to, encoding) }
  end
  return { start = { line = selection.first - 1, character = 0 }, ["end"] = { line = selection.last, character = 0 } }
end

--- "a.py, lines 3–7"; without a selection the row (from 0), else the cursor's.
function M.words(selection, buffer, row)
  local files = require("bodkin.files")
  local name = files.name(files.of_buffer(buffer))
  if not selection then
    return ("%s, line %d"):format(name, row and row + 1 or vim.api.nvim_win_get_cursor(0)[1])
  elseif selection.first == selection.last and selection.from then
    local line = vim.api.nvim_buf_get_lines(buffer, selection.first - 1, selection.first, false)[1] or ""
    local text = line:sub(selection.from + 1, selection.to)
    local shown = vim.fn.strcharpart(text, 0, 30)
    return ("%s, line %d, “%s%s”"):format(name, selection.first, shown, shown == text and "" or "…")
  elseif selection.first == selection.last then
    return ("%s, line %d"):format(name, selection.first)
  end
  return ("%s, lines %d–%d"):format(name, selection.first, selection.last)
end

return M
