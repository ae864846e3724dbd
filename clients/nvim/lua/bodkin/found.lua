-- What was found in the changes of a preview side by side: below each change of the proposed text, with as many empty rows
-- in the file beside it, so that the two stay level.
local M = {}

local float = require("bodkin.float")
local places = require("bodkin.places")
local verdict = require("bodkin.verdict")

local marks = vim.api.nvim_create_namespace("bodkin_found")

local function put(buffer, row, lines)
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  vim.api.nvim_buf_set_extmark(buffer, marks, math.max(0, math.min(row, last)), 0, { virt_lines = lines })
end

function M.clear(view)
  for _, buffer in ipairs({ view.real, view.preview }) do
    if vim.api.nvim_buf_is_valid(buffer) then
      vim.api.nvim_buf_clear_namespace(buffer, marks, 0, -1)
    end
  end
end

--- Draws it, in the width of the window that shows the proposed text.
function M.draw(view, proposal)
  M.clear(view)
  local window = vim.fn.bufwinid(view.preview)
  if window < 0 then
    return
  end
  local room = vim.api.nvim_win_get_width(window) - (vim.fn.getwininfo(window)[1].textoff or 0)
  local left, right = places.of(view, false), places.of(view, true)
  for position, hunk in ipairs(view.hunks) do
    local rows, empty = {}, {}
    for _, found in ipairs(verdict.found_in(proposal.verification, hunk.index)) do
      for _, row in ipairs(float.wrapped(found[1], math.max(room, 10))) do
        table.insert(rows, { { row, found[2] } })
        table.insert(empty, { { "", "BodkinHint" } })
      end
    end
    if #rows > 0 then
      put(view.preview, right[position].last, rows)
      put(view.real, left[position].last, empty)
    end
  end
end

return M
