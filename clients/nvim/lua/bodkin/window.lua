-- The window in which the words of the log appear as they come. It opens beside the cursor without taking it, and what
-- is waited for is below the words.
local M = {}

local client_of = require("bodkin.client")
local float = require("bodkin.float")
local log = require("bodkin.log")
local status = require("bodkin.status")

local marks = vim.api.nvim_create_namespace("bodkin_waiting")
local window -- the floating one
local from   -- where the user was before it was entered
local follow = true

local function is_open()
  return window and vim.api.nvim_win_is_valid(window) and vim.api.nvim_win_get_buf(window) == log.buffer()
end

local function close()
  float.close(is_open() and window or nil, vim.api.nvim_get_current_win() == window and from or nil)
  window = nil
end

M.close = close

local waiting = 0 -- lines of what is waited for

-- Below the last line, as virtual lines do not wrap by themselves: what is waited for, and how long.
local function wait_line()
  local buffer = log.buffer()
  vim.api.nvim_buf_clear_namespace(buffer, marks, 0, -1)
  local line = status.line()
  if not line then
    waiting = 0
    return
  end
  local width = 90
  for _, each in ipairs(vim.fn.win_findbuf(buffer)) do
    width = math.min(width, vim.api.nvim_win_get_width(each))
  end
  local rows = float.wrapped("… " .. client_of.plain(line), width)
  waiting = #rows
  vim.api.nvim_buf_set_extmark(buffer, marks, vim.api.nvim_buf_line_count(buffer) - 1, 0, {
    virt_lines = vim.tbl_map(function(row)
      return { { row, "BodkinHint" } }
    end, rows),
  })
end

-- Windows that showed the end keep showing it, with the line below.
local function to_end(target)
  local count = vim.api.nvim_buf_line_count(target)
  for _, each in ipairs(vim.fn.win_findbuf(target)) do
    if each ~= vim.api.nvim_get_current_win() or follow then
      pcall(vim.api.nvim_win_set_cursor, each, { count, 0 })
      vim.api.nvim_win_call(each, function()
        vim.cmd("normal! zb")
        if waiting > 0 then
          vim.cmd(("normal! %d\5"):format(waiting)) -- <C-e>: the lines that are not lines of the buffer
        end
      end)
    end
  end
end

log.watch(function(target)
  if #vim.fn.win_findbuf(target) > 0 then
    wait_line()
    to_end(target)
  end
end)
status.watch(function()
  if #vim.fn.win_findbuf(log.buffer()) > 0 then
    wait_line()
  end
end)

local function copy()
  local first, last = log.block_at(vim.api.nvim_win_get_cursor(0)[1])
  if not first then
    return
  end
  local lines = vim.api.nvim_buf_get_lines(0, first - 1, last, false)
  local register = vim.fn.has("clipboard") == 1 and "+" or '"'
  vim.fn.setreg(register, lines, "l")
  client_of.notify(("copied to register %s"):format(register))
end

local function to_heading(backward)
  vim.fn.search("^## ", backward and "bW" or "W")
end

local keys = {
  { "gy", copy, "copy this ask and its answer" },
  { "c", function()
    vim.cmd("Bodkin cancel")
  end, "cancel what is running" },
  { "R", function()
    vim.cmd("Bodkin retry")
  end, "retry the ask that failed last" },
  { "]]", function()
    to_heading(false)
  end, "next ask" },
  { "[[", function()
    to_heading(true)
  end, "previous ask" },
  { "s", function()
    M.split()
  end, "show it in a window of the layout" },
}

local mapped

local function prepare(buffer)
  if mapped == buffer then
    return
  end
  mapped = buffer
  float.map(buffer, keys, function()
    if vim.api.nvim_get_current_win() == window then
      return close()
    end
    local here = vim.api.nvim_get_current_win()
    if #vim.api.nvim_tabpage_list_wins(0) > 1 then
      float.close(here, from)
    end
  end)
  vim.api.nvim_create_autocmd("CursorMoved", { buffer = buffer, callback = function()
    follow = vim.api.nvim_win_get_cursor(0)[1] >= vim.api.nvim_buf_line_count(buffer)
  end })
end

-- Away from the cursor: at the bottom, or at the top if the cursor is below the middle; so low that its line is seen, too,
-- unless a number of rows is wanted.
local function place(enter, rows)
  local width = math.min(90, vim.o.columns - 4)
  if vim.o.columns >= 160 then
    width = math.floor(vim.o.columns * 0.45)
  end
  local room = vim.o.lines - vim.o.cmdheight - 3
  local height = math.max(3, math.min(enter and room - 2 or rows or 10, room - 2))
  local cursor_row = vim.api.nvim_win_get_position(0)[1] + vim.fn.winline()
  local at_top = not enter and cursor_row > room / 2
  if not enter and not rows then
    height = math.max(3, math.min(height, at_top and cursor_row - 4 or room - cursor_row - 2))
  end
  return {
    width = width,
    height = height,
    row = at_top and 1 or room - height - 1,
    col = vim.o.columns - width - 2,
    title = "bodkin",
    footer = enter and "g? keys · q close" or ":Bodkin log enters",
    zindex = 40,
  }
end

local function show(enter)
  local buffer = log.buffer()
  prepare(buffer)
  local options = place(enter)
  options.enter = enter
  window = float.open(buffer, options)
  vim.api.nvim_win_set_option(window, "conceallevel", 2)
  vim.api.nvim_win_set_option(window, "concealcursor", "nc")
  wait_line()
  follow = true
  to_end(buffer)
end

-- The first window of this tab that shows the words, but not `other`.
local function shown_here(other)
  for _, each in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if each ~= other and vim.api.nvim_win_get_buf(each) == log.buffer() then
      return each
    end
  end
end

--- Shows the words of a new ask, without taking the cursor.
function M.show()
  if require("bodkin.config").get().window == "none" or shown_here() then
    return
  end
  if is_open() then
    close() -- it is in another tab
  end
  if require("bodkin.config").get().window == "split" then
    local here = vim.api.nvim_get_current_win()
    M.split()
    return vim.api.nvim_set_current_win(here)
  end
  show(false)
end

--- The ask has ended: a proposal is looked at in its files, so the window makes room; else it stays.
function M.ended(how)
  if how == "proposal" and is_open() and vim.api.nvim_get_current_win() ~= window then
    close()
  end
end

--- The user looks at something at the cursor: the window makes room. While an ask runs its words stay, away from there.
function M.make_room()
  if not is_open() or vim.api.nvim_get_current_win() == window then
    return
  elseif not log.running() then
    return close()
  end
  local options = place(false)
  vim.api.nvim_win_set_config(window, { relative = "editor", row = options.row, col = options.col, width = options.width,
    height = options.height })
  to_end(log.buffer())
end

-- Makes the floating window as tall as what the log has from a row (from 0) on, up to half of the screen.
local function grow(row)
  local buffer = log.buffer()
  local width, rows = vim.api.nvim_win_get_width(window), 0
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, row, -1, false)) do
    rows = rows + #float.wrapped(line, width, vim.o.lines)
    if rows >= vim.o.lines then
      break
    end
  end
  if rows > vim.api.nvim_win_get_height(window) then
    local options = place(false, math.max(10, math.min(rows, math.floor(vim.o.lines / 2))))
    vim.api.nvim_win_set_config(window, { relative = "editor", row = options.row, col = options.col, width = options.width,
      height = options.height })
    to_end(buffer)
  end
end

--- An answer is seen whole where there is room; one that is taller than the window is read from its beginning.
function M.to_answer(ask_id)
  local row = log.said_row(ask_id)
  if row and is_open() and vim.api.nvim_get_current_win() ~= window then
    grow(row)
  end
  for _, each in ipairs(row and vim.fn.win_findbuf(log.buffer()) or {}) do
    if each ~= vim.api.nvim_get_current_win() then
      vim.api.nvim_win_call(each, function()
        if vim.fn.line("w0") > row + 1 then
          vim.api.nvim_win_set_cursor(each, { row + 1, 0 })
          vim.cmd("normal! zt")
        end
      end)
    end
  end
end

--- In a window of the layout, below.
function M.split()
  local buffer = log.buffer()
  prepare(buffer)
  if is_open() then
    close()
  end
  from = vim.api.nvim_get_current_win()
  vim.cmd(("botright %dsplit"):format(math.max(5, math.min(12, math.floor(vim.o.lines / 3)))))
  vim.api.nvim_win_set_buf(0, buffer)
  vim.wo.wrap, vim.wo.linebreak = true, true
  vim.wo.number, vim.wo.relativenumber, vim.wo.signcolumn = false, false, "no"
  vim.wo.conceallevel, vim.wo.concealcursor = 2, "nc"
  wait_line()
  to_end(buffer)
end

--- Enters the window, and opens it first if it is closed.
function M.open()
  local here = vim.api.nvim_get_current_win()
  local shown = shown_here(window)
  if here ~= window and here ~= shown then
    from = here
  end
  if shown then
    return vim.api.nvim_set_current_win(shown)
  end
  if require("bodkin.config").get().window == "split" then
    return M.split()
  end
  if is_open() then
    close()
  end
  show(true)
end

return M
