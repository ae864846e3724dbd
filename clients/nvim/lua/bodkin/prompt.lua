-- The prompt: a small window at the cursor, of several lines if needed, with the requests of before and completion.
local M = {}

local client_of = require("bodkin.client")
local float = require("bodkin.float")

local marks = vim.api.nvim_create_namespace("bodkin_prompt")
local most_rows = 10 -- of the window
local most = 100 -- requests that are kept, in a variable that Neovim's |shada| keeps

local function history()
  local kept = vim.g.BODKIN_PROMPTS
  return type(kept) == "table" and kept or {}
end

--- Keeps a request for <Up>.
function M.remember(text)
  if text == "" then
    return
  end
  local kept = vim.tbl_filter(function(each)
    return each ~= text
  end, history())
  table.insert(kept, text)
  while #kept > most do
    table.remove(kept, 1)
  end
  vim.g.BODKIN_PROMPTS = kept
end

--- Types a key that is not mapped, before what is typed already.
function M.key(name)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(name, true, false, true), "ni", false)
end

local function text_of(buffer)
  return vim.trim(table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n"))
end

--- Completes what is before the cursor in its line; the server sees only that line. `source`: the buffer that it is about.
function M.complete(source)
  if vim.fn.pumvisible() == 1 then
    return M.key("<C-n>")
  end
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local line = vim.api.nvim_get_current_line():sub(1, column)
  local found = require("bodkin.complete").texts(line, source)
  if #found == 1 then
    vim.api.nvim_buf_set_text(0, row - 1, 0, row - 1, column, { found[1] })
    vim.api.nvim_win_set_cursor(0, { row, #found[1] })
  elseif #found > 1 then
    vim.fn.complete(1, found)
  else
    client_of.notify("nothing to complete; type @ or / first")
  end
end

--- A function(by) that goes back (1) or on (-1) in the requests of before: get() is what was typed, set(text) shows one.
function M.recalling(get, set)
  local back, draft = 0, ""
  return function(by)
    local all = history()
    local next_back = back + by
    if next_back < 0 or next_back > #all then
      return
    end
    if back == 0 then
      draft = get()
    end
    back = next_back
    set(back == 0 and draft or all[#all + 1 - back])
  end
end

-- Where the prompt is to be so that what it is about stays in sight: {row, anchor, rows that there are for its text}. Below
-- the lines, else above them; of lines that fill the window only that of the cursor.
local function place(range)
  local function rows_of(first, last)
    local top = vim.fn.screenpos(0, math.max(first, vim.fn.line("w0")), 1).row
    local bottom = vim.fn.screenpos(0, math.min(last, vim.fn.line("w$")), vim.v.maxcol or 2147483647).row
    return top, vim.o.lines - vim.o.cmdheight - (vim.o.laststatus > 0 and 1 or 0) - bottom, bottom
  end
  local least = 3 -- with its border
  local here = vim.fn.line(".")
  local above, below, bottom = rows_of((range or { here })[1], (range or { here })[#(range or { here })])
  if math.max(above - 1, below) < least then
    above, below, bottom = rows_of(here, here)
  end
  if below >= 6 or below >= above - 1 then
    return bottom, "NW", below - 2
  end
  return above - 1, "SW", above - 3
end

local function open(options, callback)
  local from = vim.api.nvim_get_current_win()
  local source = vim.api.nvim_get_current_buf()
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].filetype = "bodkinprompt"
  if options.range then
    for line = options.range[1], math.min(options.range[2], options.range[1] + 500) do
      pcall(vim.api.nvim_buf_set_extmark, source, marks, line - 1, 0,
        { end_row = line, hl_group = "BodkinSelection", hl_eol = true, priority = 150 })
    end
  end
  local width = math.max(20, math.min(76, vim.o.columns - 4))
  local row, anchor, room = place(options.range)
  local window = float.open(buffer, {
    enter = true,
    width = width,
    height = 1,
    row = row,
    col = math.max(0, math.min(vim.fn.screencol() - 1, vim.o.columns - width - 2)),
    anchor = anchor,
    title = options.title,
    footer = vim.o.columns >= 60 and "<CR> send  <C-J> new line  <Up> earlier  <Tab> complete" or "<CR> send",
    zindex = 70,
  })
  if options.text then
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(options.text, "\n", { plain = true }))
  end
  local done = false
  local function finish(text)
    if done then
      return
    end
    done = true
    if vim.api.nvim_buf_is_valid(source) then
      vim.api.nvim_buf_clear_namespace(source, marks, 0, -1)
    end
    vim.cmd("stopinsert")
    float.close(window, from)
    callback(text)
  end
  local function send()
    if vim.fn.pumvisible() == 1 then
      return M.key("<C-y>")
    end
    local text = text_of(buffer)
    M.remember(text)
    finish(text ~= "" and text or nil)
  end
  local function cancel()
    M.remember(text_of(buffer))
    finish(nil)
  end
  local function hint()
    vim.api.nvim_buf_clear_namespace(buffer, marks, 0, -1)
    if text_of(buffer) == "" then
      local words = vim.fn.has("nvim-0.9") == 1 and (options.hint or "What should change?") or options.title
      vim.api.nvim_buf_set_extmark(buffer, marks, 0, 0, { virt_text = { { words, "BodkinHint" } }, virt_text_pos = "overlay" })
    end
    local rows = 0
    for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
      rows = rows + math.max(1, math.ceil((vim.fn.strdisplaywidth(line) + 1) / width))
    end
    if vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_win_set_height(window, math.max(1, math.min(rows, most_rows, math.max(room, 3))))
      if rows <= math.min(most_rows, math.max(room, 3)) then -- all of it fits, but the text was scrolled while the window was lower
        vim.api.nvim_win_call(window, function()
          vim.fn.winrestview({ topline = 1 })
        end)
      end
    end
  end
  local recall = M.recalling(function()
    return text_of(buffer)
  end, function(text)
    local lines = vim.split(text, "\n", { plain = true })
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
    vim.api.nvim_win_set_cursor(0, { #lines, #lines[#lines] })
    hint()
  end)
  local function earlier()
    if vim.fn.pumvisible() == 1 then
      return M.key("<C-p>")
    elseif vim.api.nvim_win_get_cursor(0)[1] > 1 then
      return M.key("<Up>")
    end
    recall(1)
  end
  local function later()
    if vim.fn.pumvisible() == 1 then
      return M.key("<C-n>")
    elseif vim.api.nvim_win_get_cursor(0)[1] < vim.api.nvim_buf_line_count(buffer) then
      return M.key("<Down>")
    end
    recall(-1)
  end
  local function map(modes, keys, action, words)
    for _, each in ipairs(keys) do
      vim.keymap.set(modes, each, action, { buffer = buffer, nowait = true, desc = "bodkin: " .. words })
    end
  end
  map({ "i", "n" }, { "<CR>" }, send, "send")
  map("i", { "<C-J>", "<S-CR>", "<M-CR>" }, function()
    M.key("<CR>") -- not mapped, as it is fed
  end, "new line")
  map({ "i", "n" }, { "<Up>" }, earlier, "earlier request")
  map({ "i", "n" }, { "<Down>" }, later, "later request")
  map("i", { "<Tab>" }, function()
    M.complete(source)
  end, "complete")
  map({ "i", "n" }, { "<C-C>" }, cancel, "close, and keep what was typed for <Up>")
  map("n", { "<Esc>", "q" }, cancel, "close, and keep what was typed for <Up>")
  map("n", { "g?" }, function()
    float.help({
      { "<CR>", nil, "send" }, { "<C-J>", nil, "new line" }, { "<Up> <Down>", nil, "earlier, later request" },
      { "<Tab>", nil, "complete @… and /…" }, { "<Esc> q", nil, "close, and keep what was typed for <Up>" },
    })
  end, "these keys")
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI", "TextChangedP" }, { buffer = buffer, callback = hint })
  vim.api.nvim_create_autocmd("BufWipeout", { buffer = buffer, once = true, callback = function()
    vim.schedule(function()
      finish(nil) -- it was closed in another way
    end)
  end })
  hint()
  vim.cmd("startinsert!")
end

--- Asks for a request. options: title ("Ask about a.py:3"), text (to begin with), hint (what is asked for), range ({first,
--- last} from 1, which is shown). callback(text), or callback(nil) if it was closed; what was typed is then kept for <Up>.
function M.open(options, callback)
  require("bodkin.ui").outside_cmdwin(function()
    open(options, callback)
  end)
end

return M
