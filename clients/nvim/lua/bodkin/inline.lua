-- Draws pending changes in the buffers that they are for: removed lines tinted, added ones below them as virtual lines, a
-- sign in the margin, and under each change what was checked and the keys. Nothing of it is text of the buffer.
local M = {}

require("bodkin.highlights")

local drawn_lines = require("bodkin.drawn_lines")

local marks = vim.api.nvim_create_namespace("bodkin_review")
local shown = {} -- buffer -> {proposal, file, hunks}; a hunk: {index, mark, first, last, is_insertion}

local line_diff = vim.text and vim.text.diff or vim.diff

local function plain(text)
  return require("bodkin.client").plain(text)
end

-- The columns that a window has for text. `has_signs`: ours are in its sign column, which some widen for them.
local function columns_of(window, has_signs)
  local columns = vim.api.nvim_win_get_width(window) - (vim.fn.getwininfo(window)[1].textoff or 0)
  return columns - (not has_signs and vim.wo[window].signcolumn:find("^auto") and 2 or 0)
end

-- Columns of text in the narrowest window that shows the buffer.
local function room_of(buffer)
  local room
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    local columns = columns_of(window, shown[buffer] ~= nil)
    room = math.min(room or columns, columns)
  end
  return math.max(room or vim.o.columns, 6)
end

local function set_mark(buffer, row, column, options)
  options.priority = options.priority or 140
  return vim.api.nvim_buf_set_extmark(buffer, marks, row, column, options)
end

-- Virtual lines at a row: below it, or above the first.
local function put_lines(buffer, row, lines)
  local above = row < 0
  set_mark(buffer, math.max(row, 0), 0, { virt_lines = lines, virt_lines_above = above })
  return above
end

local function keys_words(buffer)
  local keys = require("bodkin.keys")
  local words = {}
  for _, action in ipairs({ "accept", "reject", "next", "diff" }) do
    local key = keys.of(action, buffer)
    if key then
      table.insert(words, "  " .. key .. " " .. action)
    end
  end
  return #words > 0 and words or { "  :Bodkin accept, reject, next" }
end

-- Rows of these words, each of which stays whole.
local function rows_of(words, room)
  local rows = {}
  for _, word in ipairs(words) do
    local last = rows[#rows]
    if last and vim.fn.strdisplaywidth(last .. word) <= room then
      rows[#rows] = last .. word
    else
      table.insert(rows, word)
    end
  end
  return rows
end

-- Whether every problem that was found is known to come from some change.
local function is_elsewhere(proposal)
  local problems = proposal.verification.problems or {}
  for _, problem in ipairs(problems) do
    if not problem.hunk then
      return false
    end
  end
  return #problems > 0 and #problems >= (proposal.verification.newProblems or 0)
end

-- What is below a change: its number, what was found in it, the keys.
local function foot(buffer, proposal, file, position, count, hunk, room)
  local verdict = require("bodkin.verdict").in_short(proposal.verification)
  local lines = {}
  for _, found in ipairs(require("bodkin.verdict").found_in(proposal.verification, hunk.index)) do
    for _, row in ipairs(require("bodkin.float").wrapped(found[1], room - 2)) do
      table.insert(lines, { { "  " .. row, found[2] } })
    end
  end
  if vim.startswith(verdict, "✗") and #lines == 0 and is_elsewhere(proposal) then
    verdict = "✗ in another change"
  end
  local what = file.kind == "edit" and ("%d/%d"):format(position, count) or require("bodkin.files").words(file)
  local keys = keys_words(buffer)
  local room_for_verdict = room - vim.fn.strdisplaywidth(table.concat(keys)) - 4
  if #proposal.files > 1 then -- there is more than what is seen here
    for number, each in ipairs(proposal.files) do
      what = each == file and ("%s, file %d of %d"):format(what, number, #proposal.files) or what
    end
    if vim.fn.strdisplaywidth(what .. verdict) > room_for_verdict then
      verdict = require("bodkin.verdict").in_brief(verdict) -- rather than another row
    end
  end
  what = ("  %s  "):format(what)
  if vim.fn.strdisplaywidth(what) > room / 2 then -- the verdict has rows of its own
    for _, row in ipairs(require("bodkin.float").wrapped(vim.trim(what), room - 2)) do
      table.insert(lines, { { "  " .. row, "BodkinHint" } })
    end
    what = "    "
  end
  local rows = require("bodkin.float").wrapped(plain(verdict), room - vim.fn.strdisplaywidth(what))
  for number, row in ipairs(rows) do
    table.insert(lines, { { number == 1 and what or (" "):rep(vim.fn.strdisplaywidth(what)), "BodkinHint" },
      { row, require("bodkin.highlights").of_verdict(verdict) } })
  end
  local all = table.concat(keys)
  if #rows == 1 and vim.fn.strdisplaywidth(what .. rows[1] .. all) <= room then
    table.insert(lines[#lines], { all, "BodkinHint" })
  else
    for _, row in ipairs(rows_of(keys, room)) do
      table.insert(lines, { { row, "BodkinHint" } })
    end
  end
  return lines
end

-- Draws one hunk and returns where it is.
local function draw_hunk(buffer, encoding, hunk, make_foot, room)
  local first, old, new = require("bodkin.whole_lines").of(buffer, hunk, encoding)
  local count = vim.api.nvim_buf_line_count(buffer)
  local has_above = false
  local function text_of(lines)
    return #lines > 0 and table.concat(lines, "\n") .. "\n" or ""
  end
  local runs = line_diff(text_of(old), text_of(new), { result_type = "indices" })
  local last_row = math.min(first + #old, count) - 1
  for number, run in ipairs(runs) do
    local at, removed, from, added = unpack(run)
    local row = first + at - 1 -- of the first removed line; of the line above what is inserted
    for offset = 0, removed - 1 do
      local column = math.min(row + offset, count - 1)
      local options = { hl_group = "BodkinDelete", hl_eol = true, end_row = column + 1, end_col = 0 }
      if column + 1 >= count then
        options.end_row, options.end_col = column, #old[at + offset]
      end
      set_mark(buffer, column, 0, options)
      if removed == added then
        local begin, stop = drawn_lines.difference(old[at + offset], new[from + offset])
        if stop > begin and begin > 0 then
          set_mark(buffer, column, begin, { end_row = column, end_col = stop, hl_group = "BodkinChange", priority = 145 })
        end
      end
      set_mark(buffer, column, 0, { sign_text = added > 0 and "~" or "-", sign_hl_group = "BodkinSign" })
    end
    local lines = {}
    for offset = 0, added - 1 do
      vim.list_extend(lines, drawn_lines.of(buffer, new[from + offset], removed == added and old[at + offset] or nil, room))
    end
    if number == #runs then
      vim.list_extend(lines, make_foot(hunk))
    end
    local below = removed > 0 and math.min(row + removed - 1, count - 1) or math.min(row, count - 1)
    if removed == 0 then
      -- A virtual line has no sign: at the edge of the line that stays, where it comes in.
      set_mark(buffer, math.max(below, 0), 0, { sign_text = below < 0 and "▔" or "▁", sign_hl_group = "BodkinSign" })
    end
    if #lines > 0 then
      has_above = put_lines(buffer, below, lines) or has_above
    end
    if number == 1 then
      last_row = removed > 0 and row or math.max(below, 0)
    end
  end
  local anchor = #old > 0 and first or math.max(0, math.min(first, count) - 1)
  local focus = #runs > 0 and math.max(0, math.min(last_row, count - 1)) or math.min(anchor, count - 1)
  local stop = #old > 0 and math.min(first + #old - 1, count - 1) or math.min(anchor, count - 1)
  local mark = set_mark(buffer, math.min(anchor, count - 1), 0, { end_row = stop, end_col = 0 })
  return {
    index = hunk.index,
    mark = mark,
    focus = set_mark(buffer, focus, 0, {}),
    is_insertion = #old == 0,
    before_first = #old == 0 and first == 0,
  }, has_above
end

-- Virtual lines above the first line are seen only if the window is scrolled up to them.
local function scroll_up(buffer)
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.api.nvim_win_call(window, function()
      if vim.fn.line("w0") == 1 then
        vim.cmd("normal! " .. ("\25"):rep(20)) -- <C-y>
      end
    end)
  end
end

-- Neovim does not draw all rows again when virtual lines come and go: in 0.7.2 those above the first line leave fillers, in
-- 0.10 and 0.12 earlier rows are among the others.
local function redraw_all(buffer)
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    if vim.api.nvim__redraw then
      pcall(vim.api.nvim__redraw, { win = window, valid = false })
    else
      vim.api.nvim_win_call(window, function()
        vim.fn.winrestview({ topfill = 0 })
      end)
    end
  end
end

function M.clear(buffer)
  if shown[buffer] then
    shown[buffer] = nil
    if vim.api.nvim_buf_is_valid(buffer) then
      vim.api.nvim_buf_clear_namespace(buffer, marks, 0, -1)
      redraw_all(buffer)
    end
  end
end

-- No change is hidden in a fold, as long as the user does not close it again. 0.7.2 does not draw what is above a closed one.
local function unfold(buffer, hunks)
  local below = vim.fn.has("nvim-0.10") == 1 and 1 or 2
  local count = vim.api.nvim_buf_line_count(buffer)
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.api.nvim_win_call(window, function()
      for _, hunk in ipairs(hunks) do
        pcall(vim.cmd, ("silent %d,%dfoldopen!"):format(hunk.first + 1, math.min(hunk.last + below, count)))
      end
    end)
  end
end

--- Draws what is pending of a proposal in a buffer; `content`: of bodkin/proposalContent.
function M.draw(buffer, proposal, file, content, encoding)
  local room, before = room_of(buffer), shown[buffer]
  M.clear(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, marks, 0, -1)
  local hunks, has_above = {}, false
  for position, hunk in ipairs(content.hunks or {}) do
    local drawn, above = draw_hunk(buffer, encoding, hunk, function(each)
      return foot(buffer, proposal, file, position, #content.hunks, each, room)
    end, room)
    table.insert(hunks, drawn)
    has_above = has_above or above
  end
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  for _, hunk in ipairs(content.changed or {}) do
    if hunk.uri == file.uri then
      set_mark(buffer, math.min(hunk.range.start.line, last), 0, {
        virt_text = { { "changed since: no longer proposed", "BodkinUnknown" } },
      })
    end
  end
  if #hunks > 0 then
    shown[buffer] = { proposal = proposal, file = file, hunks = hunks, room = room }
    if not before or before.proposal ~= proposal then
      unfold(buffer, select(2, M.of(buffer)))
    end
  end
  redraw_all(buffer)
  if has_above then
    scroll_up(buffer)
  end
end

-- A window that has another width by now, or another margin: the lines are broken anew.
vim.api.nvim_set_decoration_provider(vim.api.nvim_create_namespace("bodkin_review_width"), {
  on_win = function(_, _, buffer)
    local view = shown[buffer]
    local more = view and room_of(buffer) - view.room or 0
    if more >= 0 and more <= 2 or view.is_late then -- a margin with room for a sign may not be drawn yet
      return false
    end
    view.is_late = true
    vim.schedule(function()
      if shown[buffer] == view then
        require("bodkin.review").draw(buffer)
      end
    end)
    return false
  end,
})

--- What is drawn in a buffer: {proposal, file}, and its hunks where they are now: {index, row, first, last}, rows from 0.
function M.of(buffer)
  local view = shown[buffer]
  if not view or not vim.api.nvim_buf_is_valid(buffer) then
    return nil
  end
  local hunks = {}
  for _, hunk in ipairs(view.hunks) do
    local whole = vim.api.nvim_buf_get_extmark_by_id(buffer, marks, hunk.mark, { details = true })
    local focus = vim.api.nvim_buf_get_extmark_by_id(buffer, marks, hunk.focus, {})
    if whole[1] then
      table.insert(hunks, {
        index = hunk.index,
        row = focus[1] or whole[1],
        first = whole[1],
        last = math.max(whole[1], whole[3].end_row or whole[1]),
        is_insertion = hunk.is_insertion,
        before_first = hunk.before_first,
      })
    end
  end
  return view, hunks
end

--- The hunk at a row, from 0; one that only adds lines is at the lines next to it.
function M.hunk_at(buffer, row)
  local view, hunks = M.of(buffer)
  local near
  for _, hunk in ipairs(hunks or {}) do
    if row >= hunk.first and row <= hunk.last then
      return hunk, view
    elseif hunk.is_insertion and not hunk.before_first and row == hunk.last + 1 then
      near = near or hunk
    end
  end
  return near, view
end

function M.buffers()
  return vim.tbl_keys(shown)
end

return M
