-- The rows in which a proposed line is drawn: its characters as the file would show them, broken at the edge of the window.
local M = {}

local function plain(text)
  return require("bodkin.client").plain(text)
end

--- The bytes of two lines that differ: first (from 0), and the ends.
function M.difference(old, new)
  local first, most = 0, math.min(#old, #new)
  while first < most and old:byte(first + 1) == new:byte(first + 1) do
    first = first + 1
  end
  local tail = 0
  while tail < most - first and old:byte(#old - tail) == new:byte(#new - tail) do
    tail = tail + 1
  end
  local function is_inside(text, at) -- of a character
    local byte = text:byte(at + 1)
    return byte and byte >= 128 and byte < 192
  end
  while first > 0 and (is_inside(old, first) or is_inside(new, first)) do
    first = first - 1
  end
  while tail > 0 and (is_inside(old, #old - tail) or is_inside(new, #new - tail)) do
    tail = tail - 1
  end
  return first, #old - tail, #new - tail
end

-- The text as a line shows it: a tab goes to the next stop. A virtual line does not do that by itself.
local function expanded(text, buffer)
  local stops = {}
  for width in vim.bo[buffer].vartabstop:gmatch("%d+") do
    table.insert(stops, tonumber(width))
  end
  local column = 0
  return (plain(text):gsub("([^\t]*)(\t?)", function(part, tab)
    column = column + vim.api.nvim_strwidth(part)
    if tab == "" then
      return part
    end
    local stop = 0
    for number = 1, math.huge do
      stop = stop + (stops[math.min(number, #stops)] or vim.bo[buffer].tabstop)
      if stop > column then
        break
      end
    end
    local blanks = (" "):rep(stop - column)
    column = stop
    return part .. blanks
  end))
end

local most_rows = 200 -- of one line: no screen shows more below it

-- Virtual lines do not wrap by themselves: the rows of a line of {text, group}s.
local function wrapped(chunks, room)
  local rows, used = { {} }, 0
  for _, chunk in ipairs(chunks) do
    local text, from = chunk[1], 1
    while from <= #text do
      if #rows > most_rows then
        table.insert(rows[#rows], { "… the line goes on", "BodkinUnknown" })
        return rows, room
      end
      local part = used < room and require("bodkin.float").fitting(text, from, room - used) or ""
      if used + vim.fn.strdisplaywidth(part) > room and used > 2 then
        part = "" -- a wide character has no room at the end of a row
      end
      table.insert(rows[#rows], { part, chunk[2] })
      used = used + vim.fn.strdisplaywidth(part)
      from = from + #part
      if from <= #text then
        table.insert(rows, { { "↪ ", "BodkinHint" } })
        used = 2
      end
    end
  end
  return rows, used
end

--- The rows of a proposed line, to the edge of the window, with what is new in it.
function M.of(buffer, text, old, room)
  local whole = expanded(text, buffer)
  local chunks = { { whole, "BodkinAdd" } }
  if old and old ~= "" then
    local first, _, stop = M.difference(expanded(old, buffer), whole)
    chunks = { { whole:sub(1, first), "BodkinAdd" }, { whole:sub(first + 1, stop), "BodkinChange" }, { whole:sub(stop + 1), "BodkinAdd" } }
  end
  local rows, used = wrapped(chunks, room)
  table.insert(rows[#rows], { (" "):rep(math.max(1, math.max(vim.o.columns, 80) - used)), "BodkinAdd" })
  return vim.tbl_map(function(row)
    return vim.tbl_filter(function(chunk)
      return chunk[1] ~= ""
    end, row)
  end, rows)
end

return M
