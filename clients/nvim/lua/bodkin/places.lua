-- Where the changes of a proposal are in the two windows of a preview.
local M = {}

--- Where each hunk is in a window's buffer: rows from 0, `last` < `first` if it has no lines there and is above `first`.
function M.of(view, in_preview)
  local result, shift = {}, 0
  for _, hunk in ipairs(view.hunks) do
    local first, last = hunk.range.start.line, hunk.range["end"].line - 1
    if hunk.range["end"].character > 0 then
      last = last + 1
    end
    local _, added = hunk.newText:gsub("\n", "")
    added = added + (hunk.newText:sub(-1) ~= "\n" and hunk.newText ~= "" and 1 or 0)
    if in_preview then
      table.insert(result, { index = hunk.index, first = first + shift, last = first + shift + added - 1 })
      shift = shift + added - (last - first + 1)
    else
      table.insert(result, { index = hunk.index, first = first, last = last })
    end
  end
  return result
end

--- The hunks at the cursor, as Vim's own `do` and `dp` mean them: its line is one of theirs, or they have no lines here and
-- are just above it (or below the last line). Vim may place lines elsewhere that occur several times: then the nearest.
function M.here(view)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local last_row = vim.api.nvim_buf_line_count(0) - 1
  local found, nearest, distance = {}, nil, math.huge
  for _, place in ipairs(M.of(view, vim.api.nvim_get_current_buf() == view.preview)) do
    local first, last = place.first, place.last
    if last < first then -- no lines: at the one below it
      first = math.min(first, last_row)
      last = first
    end
    if row >= first and row <= last then
      table.insert(found, place.index)
    end
    local away = math.max(first - row, row - last, 0)
    if away < distance then
      nearest, distance = place.index, away
    end
  end
  local is_difference = vim.fn.diff_hlID(row + 1, 1) > 0 or vim.fn.diff_filler(row + 1) > 0
    or (row == last_row and vim.fn.diff_filler(row + 2) > 0)
  if #found == 0 and nearest and (is_difference or distance <= 1) then
    found = { nearest }
  end
  return found
end

return M
