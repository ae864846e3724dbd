-- Whether a new proposal is seen: the cursor stays where it is, but the window scrolls if there is room, else the message names the
-- line and the key that goes there.
local M = {}

local files = require("bodkin.files")

-- The rows from a change's first line to the end of what is drawn below it, about: it is not drawn yet.
local function rows_of(hunk)
  local added = select(2, (hunk.newText or ""):gsub("\n", "")) + 1
  return hunk.range["end"].line - hunk.range.start.line + added + 2
end

-- Scrolls so that a change and the cursor are both in the window, if they fit. Whether they do.
local function scrolls_to(hunk)
  local row, cursor = hunk.range.start.line + 1, vim.api.nvim_win_get_cursor(0)[1]
  local height, above = vim.api.nvim_win_get_height(0), vim.o.scrolloff
  local top
  if row > cursor then
    top = row + rows_of(hunk) - height
    if top > cursor - above then
      return false
    end
  else
    top = math.max(1, row - 1)
    if cursor + rows_of(hunk) + above >= top + height then
      return false
    end
  end
  local view = vim.fn.winsaveview()
  vim.fn.winrestview({ topline = math.max(1, top) })
  if vim.api.nvim_win_get_cursor(0)[1] ~= cursor or row < vim.fn.line("w0") or row > vim.fn.line("w$") then
    vim.fn.winrestview(view) -- lines that are broken, or folds
    return false
  end
  return true
end

--- Nil if a change of the proposal is seen by now, or nothing of it is in this file; else "]h: line 120", for the message.
function M.way_to(proposal)
  local buffer = vim.api.nvim_get_current_buf()
  local uri = files.of_buffer(buffer)
  if not require("bodkin.config").get().review or vim.fn.getcmdwintype() ~= "" then
    return nil
  end
  local cursor, nearest = vim.api.nvim_win_get_cursor(0)[1], nil
  for _, hunk in ipairs(proposal.hunks) do
    if hunk.uri == uri then
      local row = hunk.range.start.line + 1
      if row >= vim.fn.line("w0") and row <= vim.fn.line("w$") then
        return nil
      end
      if not nearest or math.abs(row - cursor) < math.abs(nearest.range.start.line + 1 - cursor) then
        nearest = hunk
      end
    end
  end
  if not nearest or require("bodkin.ui").is_calm() and scrolls_to(nearest) then
    return nil
  end
  local keys = require("bodkin.keys")
  keys.begin_review(buffer) -- those of the changes, which will be drawn
  local row = nearest.range.start.line + 1
  local key = keys.of(row > cursor and "next" or "prev", buffer)
  return ("%s: line %d"):format(key or ":Bodkin " .. (row > cursor and "next" or "prev"), row)
end

return M
