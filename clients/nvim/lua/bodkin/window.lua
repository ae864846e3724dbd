-- The window in which the words of the log appear as they come. It opens beside the cursor without taking it, and what
-- is waited for is below the words.
local M = {}

local client_of = require("bodkin.client")
local float = require("bodkin.float")
local log = require("bodkin.log")
local status = require("bodkin.status")
local transcript = require("bodkin.transcript")

local loop = vim.uv or vim.loop
local marks = vim.api.nvim_create_namespace("bodkin_waiting")
local window -- the floating one
local from   -- where the user was before it was entered
local follow = true

local function is_open()
  return window and vim.api.nvim_win_is_valid(window) and vim.api.nvim_win_get_buf(window) == log.buffer()
end

local function close()
  require("bodkin.ui").outside_cmdwin(function()
    float.close(is_open() and window or nil, vim.api.nvim_get_current_win() == window and from or nil)
    window = nil
  end)
end

-- Above the prompt, as virtual lines do not wrap by themselves: what is waited for, and how long; and a line between.
local function wait_line()
  local buffer = log.buffer()
  vim.api.nvim_buf_clear_namespace(buffer, marks, 0, -1)
  local width
  for _, each in ipairs(vim.fn.win_findbuf(buffer)) do
    width = math.min(width or 200, vim.api.nvim_win_get_width(each))
  end
  local line = status.line()
  local rows = line and float.wrapped("… " .. client_of.plain(line), width or 90) or {}
  table.insert(rows, ("─"):rep(width or 90))
  local row = transcript.rows()
  vim.api.nvim_buf_set_extmark(buffer, marks, math.max(row - 1, 0), 0, {
    virt_lines = vim.tbl_map(function(text)
      return { { text, "BodkinHint" } }
    end, rows),
    virt_lines_above = row == 0,
  })
end

-- Windows that showed the end keep showing it. In the one in which the user types, the cursor stays.
local function to_end(target)
  local count = vim.api.nvim_buf_line_count(target)
  for _, each in ipairs(vim.fn.win_findbuf(target)) do
    local is_here = each == vim.api.nvim_get_current_win()
    if not is_here or follow then
      if not is_here or vim.api.nvim_win_get_cursor(each)[1] <= transcript.rows() then
        pcall(vim.api.nvim_win_set_cursor, each, { count, 0 })
      end
      if not vim.api.nvim_get_mode().mode:find("^[iR]") or not is_here then
        vim.api.nvim_win_call(each, function()
          vim.cmd("normal! zb")
        end)
      end
    end
  end
end

transcript.watch(function(target)
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

local mapped

local function prepare(buffer)
  if mapped == buffer then
    return
  end
  mapped = buffer
  require("bodkin.chat").prepare(buffer, function()
    if vim.api.nvim_get_current_win() == window then
      return close()
    end
    local here = vim.api.nvim_get_current_win()
    if #vim.api.nvim_tabpage_list_wins(0) > 1 then
      float.close(here, from)
    end
  end, function()
    return from
  end)
  vim.api.nvim_create_autocmd("CursorMoved", { buffer = buffer, callback = function()
    follow = require("bodkin.chat").is_typing(0)
  end })
end

-- How a window shows the words.
local function set_options(target)
  for name, value in pairs({ wrap = true, linebreak = true, conceallevel = 2, concealcursor = "nc" }) do
    vim.api.nvim_win_set_option(target, name, value)
  end
  require("bodkin.folds").begin(target)
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
    footer = enter and "g? keys · q close" or "<Esc> closes · :Bodkin log enters",
    zindex = 40,
  }
end

local function show(enter)
  local buffer = log.buffer()
  prepare(buffer)
  local options = place(enter)
  options.enter = enter
  window = float.open(buffer, options)
  set_options(window)
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

-- "float", "split" or "none".
local function kind()
  local wanted = require("bodkin.config").get().window
  return wanted ~= "auto" and wanted or vim.o.columns >= 100 and "split" or "float"
end

--- Closes every window of this tab with the words.
function M.close()
  if is_open() then
    close()
  end
  for _, each in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_get_buf(each) == log.buffer() then
      pcall(vim.api.nvim_win_close, each, true) -- not the last window of Neovim
    end
  end
end

--- Shows the words of a new ask, without taking the cursor.
function M.show()
  if kind() == "none" or shown_here() then
    return
  end
  if is_open() then
    close() -- it is in another tab
  end
  if kind() == "split" and vim.fn.getcmdwintype() == "" then
    local here = vim.api.nvim_get_current_win()
    M.split()
    return vim.api.nvim_set_current_win(here)
  end
  show(false)
end

-- Whether the user has gone on in the window since a request was sent from it.
local function is_used()
  return vim.api.nvim_get_mode().mode ~= "n" or not require("bodkin.chat").is_typing(window) or transcript.prompt() ~= ""
end

local last_key = 0 -- when the user pressed one
local pause = 1000 -- milliseconds after it, in which a key may be on its way

-- Closes the window in which the user is, once no key is on its way that is meant for it.
local function close_from_within()
  if not is_open() or vim.api.nvim_get_current_win() ~= window or is_used() then
    return
  elseif loop.now() - last_key >= pause then
    return close()
  end
  vim.defer_fn(close_from_within, 100)
end

--- The ask has ended: a proposal is looked at in its files, so the window makes room; else it stays.
function M.ended(how)
  if how ~= "proposal" or not is_open() then
    return
  elseif vim.api.nvim_get_current_win() == window then
    return close_from_within()
  end
  close()
end

local function move(rows)
  local options = place(false, rows)
  vim.api.nvim_win_set_config(window, { relative = "editor", row = options.row, col = options.col, width = options.width,
    height = options.height })
  to_end(log.buffer())
end

--- The user looks at something at the cursor: the window makes room. While an ask runs its words stay, away from there.
function M.make_room()
  if not is_open() or vim.api.nvim_get_current_win() == window then
    return
  elseif not log.running() then
    return close()
  end
  move()
end

-- Whether the floating window covers the line of the cursor.
local function covers_cursor()
  local row = vim.api.nvim_win_get_position(0)[1] + vim.fn.winline()
  local first = vim.api.nvim_win_get_position(window)[1]
  return row > first and row <= first + vim.api.nvim_win_get_height(window) + 2
end

local group = vim.api.nvim_create_augroup("bodkin_window", { clear = true })
vim.api.nvim_create_autocmd({ "CursorMoved", "CursorMovedI", "WinEnter" }, { group = group, callback = function()
  if is_open() and vim.api.nvim_win_get_config(0).relative == "" and covers_cursor() then
    move()
  end
end })

-- <Esc> in Normal mode closes the floating window from outside, too, whatever else it does.
vim.on_key(function(key, typed)
  last_key = loop.now()
  if (typed or key) == "\27" and is_open() and vim.api.nvim_get_mode().mode == "n"
    and vim.api.nvim_win_get_config(0).relative == "" then
    vim.schedule(function()
      if is_open() and vim.api.nvim_get_current_win() ~= window then
        close()
      end
    end)
  end
end, vim.api.nvim_create_namespace("bodkin_window_keys"))

-- Makes the floating window as tall as what the log has from a row (from 0) on, up to half of the screen.
local function grow(row)
  local buffer = log.buffer()
  local width, rows = vim.api.nvim_win_get_width(window), 1 -- the line above the prompt
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, row, -1, false)) do
    rows = rows + #float.wrapped(line, width, vim.o.lines)
    if rows >= vim.o.lines then
      break
    end
  end
  if rows > vim.api.nvim_win_get_height(window) then
    move(math.max(10, math.min(rows, math.floor(vim.o.lines / 2))))
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

local code_columns = 80 -- that a window beside the code leaves to it

--- In a window of the layout: at the right where the code keeps 80 columns, else below.
function M.split()
  local buffer = log.buffer()
  prepare(buffer)
  if is_open() then
    close()
  end
  from = vim.api.nvim_get_current_win()
  local width = math.min(80, vim.o.columns - code_columns - 1)
  local is_beside = width >= 36
  if is_beside then
    vim.cmd(("botright %dvsplit"):format(width))
  else
    vim.cmd(("botright %dsplit"):format(math.max(5, math.min(12, math.floor(vim.o.lines / 3)))))
  end
  vim.api.nvim_win_set_buf(0, buffer)
  set_options(0)
  vim.wo.number, vim.wo.relativenumber, vim.wo.signcolumn, vim.wo.foldcolumn = false, false, "no", "0"
  vim.wo.cursorline, vim.wo.spell, vim.wo.list, vim.wo.colorcolumn = false, false, false, ""
  vim.wo.winfixwidth, vim.wo.winfixheight = is_beside, not is_beside
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
  if kind() == "split" then
    return M.split()
  end
  if is_open() then
    close()
  end
  show(true)
end

return M
