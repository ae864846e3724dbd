-- A change as the whole lines that it removes and adds; the server's may begin and end inside lines.
local M = {}

-- A byte column of a position of the server's.
local function byte_column(buffer, position, encoding)
  if position.character == 0 then
    return 0
  end
  local line = vim.api.nvim_buf_get_lines(buffer, position.line, position.line + 1, false)[1] or ""
  return math.min(require("bodkin.complete").byte_at(line, position.character, encoding), #line)
end

-- The row at which lines are removed, from 0: of equal places, as "}" above a function and at its end, the last one that
-- does not begin with an empty line or the end of a block. `old`, the lines, becomes what is there.
local function whole_removal(buffer, first, old)
  local best, lines = 0, vim.list_extend({}, old)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(buffer, first + #old, first + 2 * #old, false)) do
    if line ~= lines[row] then
      break
    end
    table.insert(lines, line)
    if lines[row + 1] and lines[row + 1]:find("^%s*[^%s%]})]") then
      best = row
    end
  end
  if best > 0 and not old[1]:find("^%s*[^%s%]})]") then
    for i = 1, #old do
      old[i] = lines[best + i]
    end
    return first + best
  end
  return first
end

--- A hunk as whole lines: first (row from 0), the old lines, the new lines.
function M.of(buffer, hunk, encoding)
  local from, to = hunk.range.start, hunk.range["end"]
  local count = vim.api.nvim_buf_line_count(buffer)
  local text = hunk.newText:gsub("\r\n", "\n")
  local first_line = from.character > 0 and vim.api.nvim_buf_get_lines(buffer, from.line, from.line + 1, false)[1] or ""
  local prefix = from.character > 0 and first_line:sub(1, byte_column(buffer, from, encoding)) or ""
  local ends_inside = to.character > 0 or (text ~= "" and text:sub(-1) ~= "\n" and to.line < count)
  local stop = ends_inside and to.line + 1 or to.line
  local suffix = ""
  if ends_inside then
    local line = vim.api.nvim_buf_get_lines(buffer, to.line, to.line + 1, false)[1] or ""
    suffix = line:sub(byte_column(buffer, to, encoding) + 1)
  end
  local old = vim.api.nvim_buf_get_lines(buffer, from.line, math.min(stop, count), false)
  local new = vim.split(prefix .. text .. suffix, "\n", { plain = true })
  if not ends_inside and new[#new] == "" then
    table.remove(new)
  end
  if #new > 0 then
    return from.line, old, new
  end
  return whole_removal(buffer, from.line, old), old, new
end

return M
