-- The keys of the log's buffer: in its last lines, the prompt, a request is typed, which goes on with the conversation; above,
-- keys that would change the text do something else, or begin to type.
local M = {}

local client_of = require("bodkin.client")
local float = require("bodkin.float")
local log = require("bodkin.log")
local prompt = require("bodkin.prompt")
local transcript = require("bodkin.transcript")

local marks = vim.api.nvim_create_namespace("bodkin_chat")

--- Whether the cursor of this window, which shows the log, is where the user types.
function M.is_typing(window)
  return vim.api.nvim_win_get_cursor(window)[1] > transcript.rows()
end

-- Whether a window is one of the user's own, with a file or another text.
local function is_users(window)
  return vim.api.nvim_win_is_valid(window) and vim.api.nvim_win_get_config(window).relative == ""
    and vim.api.nvim_win_get_buf(window) ~= log.buffer()
end

--- The window that a request of here is about: of before, else another one of this tab; or nil.
function M.source(from)
  local windows = vim.list_extend({ from or -1, vim.fn.win_getid(vim.fn.winnr("#")) }, vim.api.nvim_tabpage_list_wins(0))
  for _, window in ipairs(windows) do
    if window > 0 and is_users(window) and vim.api.nvim_win_get_tabpage(window) == vim.api.nvim_get_current_tabpage() then
      return window
    end
  end
end

local from = function() end -- the window of before, if it is known

local function to_end()
  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_win_set_cursor(0, { last, #vim.api.nvim_buf_get_lines(0, last - 1, last, false)[1] })
end

local recall

local function send()
  if vim.fn.pumvisible() == 1 then
    return prompt.key("<C-y>")
  end
  local text = vim.trim(transcript.prompt())
  if text == "" then
    return client_of.notify("type what should change, or a question; <CR> sends it")
  end
  prompt.remember(text)
  transcript.set_prompt("")
  recall = nil
  if vim.fn.mode():find("^i") then
    vim.cmd("stopinsert")
  end
  require("bodkin.requests").ask_in(M.source(from()), text)
end

local function go_back(by, arrow)
  if vim.fn.pumvisible() == 1 then
    return prompt.key(by > 0 and "<C-p>" or "<C-n>")
  end
  local row = vim.api.nvim_win_get_cursor(0)[1]
  if not M.is_typing(0) or row ~= (by > 0 and transcript.rows() + 1 or vim.api.nvim_buf_line_count(0)) then
    return prompt.key(arrow)
  end
  recall = recall or prompt.recalling(transcript.prompt, transcript.set_prompt)
  recall(by)
end

-- The place that the word at the cursor names: {path, line}, or nil.
local function place_here(client_id)
  local line, column = vim.api.nvim_get_current_line(), vim.api.nvim_win_get_cursor(0)[2] + 1
  local folders = { (client_of.by_id(client_id or -1) or { config = {} }).config.root_dir or vim.fn.getcwd(), vim.fn.getcwd() }
  local first = 1
  while true do
    local start, stop = line:find("[^%s`'\"“”()<>,;*|]+", first)
    if not start then
      return nil
    end
    if stop >= column then
      local word, rest = line:sub(start, stop), line:sub(stop + 1)
      local path, row = word:match("^(.-):(%d+)")
      path = (path or word):gsub("[.:!?]+$", "")
      row = row or rest:match("^,? lines? (%d+)") or rest:match("^[`'\"”]?,? lines? (%d+)")
      for _, folder in ipairs(folders) do
        local is_whole = path:find("^[/~]") or require("bodkin.paths").is_absolute(path)
        local whole = is_whole and vim.fn.fnamemodify(path, ":p") or folder .. "/" .. path
        if path ~= "" and vim.fn.filereadable(whole) == 1 then
          return { path = whole, line = tonumber(row) }
        end
      end
      return nil
    end
    first = stop + 1
  end
end

-- Opens the file that is named at the cursor in the window of before.
local function go_to_file()
  local _, _, client_id = log.block_at(vim.api.nvim_win_get_cursor(0)[1])
  local place = place_here(client_id)
  if not place then
    return client_of.notify("no file of that name")
  end
  local window = M.source(from())
  if window then
    vim.api.nvim_set_current_win(window)
  end
  local buffer, reason = require("bodkin.files").show(vim.uri_from_fname(place.path))
  if not buffer then
    return client_of.warn(reason)
  end
  if place.line then
    vim.api.nvim_win_set_cursor(0, { math.min(place.line, vim.api.nvim_buf_line_count(buffer)), 0 })
  end
  require("bodkin.window").make_room()
end

local function copy()
  local first, last = log.block_at(math.min(vim.api.nvim_win_get_cursor(0)[1], transcript.rows()))
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

local function command(name)
  return function()
    vim.cmd("Bodkin " .. name)
  end
end

-- Of the lines above the prompt; in it these keys are Vim's.
local above = {
  { "c", command("cancel"), "cancel what is running" },
  { "R", command("retry"), "retry the ask that failed last" },
  { "s", function()
    require("bodkin.window").split()
  end, "show it in a window of the layout" },
}

local everywhere = {
  { "gf", go_to_file, "open the file that is named here" },
  { "gy", copy, "copy this ask and its answer" },
  { "]]", function()
    to_heading(false)
  end, "next ask" },
  { "[[", function()
    to_heading(true)
  end, "previous ask" },
}

local function map_above(buffer)
  for _, row in ipairs(above) do
    vim.keymap.set("n", row[1], function()
      if M.is_typing(0) then
        return prompt.key((vim.v.count > 0 and vim.v.count or "") .. row[1])
      end
      row[2]()
    end, { buffer = buffer, nowait = true, silent = true, desc = "bodkin: " .. row[3] })
  end
  for _, key in ipairs({ "i", "a", "o", "I", "A", "O" }) do
    vim.keymap.set("n", key, function()
      if not M.is_typing(0) then
        vim.bo[buffer].modifiable = true
        to_end()
        return vim.cmd("startinsert!")
      end
      prompt.key(key)
    end, { buffer = buffer, nowait = true, silent = true, desc = "bodkin: type a request" })
  end
end

-- What the prompt is for, while it is empty.
local function hint(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, marks, 0, -1)
  if transcript.prompt() == "" then
    local words = vim.api.nvim_get_current_buf() == buffer and "i types here, <CR> sends, g? keys" or ":Bodkin log enters this window"
    vim.api.nvim_buf_set_extmark(buffer, marks, transcript.rows(), 0,
      { virt_text = { { words, "BodkinHint" } }, virt_text_pos = "overlay" })
  end
end

--- Gives the log's buffer its keys. `close`: closes its window; `before`: returns the window that was left for it, or nil.
function M.prepare(buffer, close, before)
  from = before
  local listed = vim.list_extend({
    { "i", nil, "type a request in the last line" }, { "<CR>", nil, "there: send it" }, { "<C-J>", nil, "there: new line" },
    { "<Up> <Down>", nil, "there: earlier, later request" }, { "<Tab>", nil, "there: complete @… and /…" },
  }, vim.list_extend(vim.list_extend({}, everywhere), above))
  table.insert(listed, { "za", nil, "open or close thoughts, output" })
  table.insert(listed, { "q", nil, "close (a floating window: <Esc>, too)" })
  float.map(buffer, everywhere, close, listed)
  map_above(buffer)
  local function map(modes, keys, action, words)
    for _, key in ipairs(keys) do
      vim.keymap.set(modes, key, action, { buffer = buffer, nowait = true, silent = true, desc = "bodkin: " .. words })
    end
  end
  map({ "i" }, { "<CR>" }, send, "send")
  map({ "n" }, { "<CR>" }, function()
    if M.is_typing(0) then
      return send()
    end
    prompt.key("<CR>")
  end, "send")
  map("i", { "<C-J>", "<S-CR>", "<M-CR>" }, function()
    prompt.key("<CR>")
  end, "new line")
  map("i", { "<Up>" }, function()
    go_back(1, "<Up>")
  end, "earlier request")
  map("i", { "<Down>" }, function()
    go_back(-1, "<Down>")
  end, "later request")
  map("i", { "<Tab>" }, function()
    local window = M.source(from())
    prompt.complete(window and vim.api.nvim_win_get_buf(window) or nil)
  end, "complete")
  vim.api.nvim_create_autocmd({ "CursorMoved", "CursorMovedI", "BufEnter" }, { buffer = buffer, callback = function()
    vim.bo[buffer].modifiable = M.is_typing(0)
  end })
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI", "TextChangedP", "BufEnter", "BufLeave" }, { buffer = buffer,
    callback = vim.schedule_wrap(function()
      if vim.api.nvim_buf_is_loaded(buffer) and vim.api.nvim_buf_line_count(buffer) > transcript.rows() then
        hint(buffer)
      end
    end) })
  hint(buffer)
end

--- Something was added to the log: the hint stays where the prompt is.
transcript.watch(function(buffer)
  hint(buffer)
end)

return M
