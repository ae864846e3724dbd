-- bodkin's own windows: floating, closed by `q`, with their keys under `g?`. The window and the place of before are
-- taken up again.
local M = {}

require("bodkin.highlights")

local function fits(text)
  return vim.fn.strdisplaywidth(text)
end

--- As much of a text from a byte on (from 1) as has room in so many cells, at least a character. Of a long text no more is
--- looked at.
function M.fitting(text, from, room)
  local part = vim.fn.strcharpart(text:sub(from, from + 4 * room + 3), 0, room) -- cells are not fewer than characters
  while fits(part) > room do
    local shorter = vim.fn.strcharpart(part, 0, vim.fn.strchars(part) - 1)
    if shorter == "" then
      break
    end
    part = shorter
  end
  for _ = 1, 8 do -- what is drawn in the same cell as the character before it stays with that
    local more = vim.fn.strcharpart(text:sub(from + #part, from + #part + 3), 0, 1)
    if more == "" or fits(part .. more) > fits(part) then
      break
    end
    part = part .. more
  end
  return part
end

--- The lines of a text in this width, broken after words where that is possible; no more than `most`, if that is given.
--- `indent`: of those after the first, in blanks.
function M.wrapped(text, width, most, indent)
  local lines, line = {}, ""
  local head = (" "):rep(indent or 2)
  for word in text:gmatch("%S+%s*") do
    local bare = word:match("^%S+")
    if line ~= "" and (#bare > 4 * width or fits(line .. bare) > width) then
      table.insert(lines, line)
      line = head
    end
    local from = 1
    while #bare - from >= 4 * width or fits(line .. bare:sub(from)) > width do
      local part = M.fitting(bare, from, math.max(1, width - fits(line)))
      table.insert(lines, line .. part)
      line = head
      from = from + #part
      if from > #bare or #lines >= (most or math.huge) then
        break
      end
    end
    line = line .. word:sub(from)
    if #lines >= (most or math.huge) then
      return lines
    end
  end
  table.insert(lines, line)
  return lines
end

--- The keys of a window: a list of {key, action, words}; `q` and `g?` are added. `listed`: what `g?` lists instead.
function M.map(buffer, keys, close, listed)
  local all = vim.list_extend({}, keys)
  table.insert(all, { "q", close, "close" })
  table.insert(all, { "g?", function()
    M.help(listed or all)
  end, "these keys" })
  for _, row in ipairs(all) do
    for _, key in ipairs(type(row[1]) == "table" and row[1] or { row[1] }) do
      vim.keymap.set("n", key, row[2], { buffer = buffer, nowait = true, silent = true, desc = "bodkin: " .. row[3] })
    end
  end
  vim.keymap.set("n", "<Esc>", function() -- of a window in the layout only `q` is meant
    if vim.api.nvim_win_get_config(0).relative ~= "" then
      close()
    end
  end, { buffer = buffer, nowait = true, silent = true, desc = "bodkin: close" })
end

--- Lists keys in a window of its own, in which they do what they do in the window that they are of.
function M.help(keys)
  local lines, wide = {}, 0
  for _, row in ipairs(keys) do
    local key = type(row[1]) == "table" and table.concat(row[1], " ") or row[1]
    wide = math.max(wide, fits(key))
    table.insert(lines, { key, row[3] })
  end
  M.text(vim.tbl_map(function(row)
    return row[1] .. (" "):rep(wide - fits(row[1]) + 2) .. row[2]
  end, lines), "keys", keys)
end

--- Opens a window on `buffer` and returns it. options: width, height, row, col, anchor, relative, title, footer, enter. One that is
--- not entered is not on the way of the user's own windows: CTRL-W w and :windo pass it by.
function M.open(buffer, options)
  local config = {
    relative = options.relative or "editor",
    width = options.width,
    height = options.height,
    row = options.row,
    col = options.col,
    anchor = options.anchor,
    bufpos = options.bufpos,
    win = options.relative == "win" and (options.win or 0) or nil,
    style = "minimal",
    border = "rounded",
    zindex = options.zindex,
    focusable = options.enter or false,
  }
  if vim.fn.has("nvim-0.9") == 1 and options.title then
    config.title = " " .. options.title .. " "
  end
  if vim.fn.has("nvim-0.10") == 1 and options.footer then
    config.footer, config.footer_pos = " " .. options.footer .. " ", "right"
  end
  local window = vim.api.nvim_open_win(buffer, options.enter or false, config)
  pcall(vim.api.nvim_win_set_config, window, { mouse = true }) -- newer ones: the wheel scrolls it all the same
  vim.api.nvim_win_set_option(window, "winhighlight", "NormalFloat:BodkinNormal,FloatBorder:BodkinBorder")
  vim.api.nvim_win_set_option(window, "wrap", true)
  vim.api.nvim_win_set_option(window, "linebreak", true)
  return window
end

--- Closes a window, whatever it shows, and goes back to the one of before.
function M.close(window, from)
  if window and vim.api.nvim_win_is_valid(window) then
    pcall(vim.api.nvim_win_close, window, true)
  end
  if from and vim.api.nvim_win_is_valid(from) then
    vim.api.nvim_set_current_win(from)
  end
end

-- A window in the middle that shows a text; it is entered.
local function show(lines, title, keys)
  local from = vim.api.nvim_get_current_win()
  local buffer = vim.api.nvim_create_buf(false, true)
  local width, height = 20, 0
  local indent = 0 -- of a second column
  for _, line in ipairs(lines) do
    width = math.max(width, fits(line))
    indent = math.max(indent, #(line:match("^%S+  +") or ""))
  end
  width = math.min(width + 1, vim.o.columns - 4)
  local shown = {}
  for _, line in ipairs(lines) do
    -- Neovim would break within names, at each "-" and "/". What is indented is a command, to be copied whole.
    local parts = line:find("^%s") and { line } or vim.tbl_map(function(part)
      return (part:gsub("%s+$", ""))
    end, M.wrapped(line, width, nil, indent))
    vim.list_extend(shown, parts)
    height = height + math.max(#parts, math.ceil(fits(line) / width))
  end
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, shown)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].bufhidden = "wipe"
  height = math.max(1, math.min(height, vim.o.lines - vim.o.cmdheight - 3))
  local window = M.open(buffer, {
    enter = true,
    width = width,
    height = height,
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 2),
    col = math.floor((vim.o.columns - width) / 2) - 1,
    title = "bodkin: " .. title,
    footer = "q closes",
    zindex = 60,
  })
  vim.api.nvim_win_set_option(window, "breakindent", indent > 0)
  vim.api.nvim_win_set_option(window, "breakindentopt", "shift:" .. indent)
  vim.keymap.set("n", "q", function()
    M.close(window, from)
  end, { buffer = buffer, nowait = true, desc = "bodkin: close" })
  vim.keymap.set("n", "<Esc>", function()
    M.close(window, from)
  end, { buffer = buffer, nowait = true, desc = "bodkin: close" })
  for _, row in ipairs(keys or {}) do
    for _, key in ipairs(row[2] and row[1] ~= "q" and (type(row[1]) == "table" and row[1] or { row[1] }) or {}) do
      vim.keymap.set("n", key, function()
        M.close(window, from)
        if key ~= "g?" then
          row[2]()
        end
      end, { buffer = buffer, nowait = true, desc = "bodkin: " .. row[3] })
    end
  end
  if title ~= "keys" then
    vim.keymap.set("n", "g?", function()
      M.help({ { "q <Esc>", nil, "close" }, { "y", nil, "copy, as in any buffer" } })
    end, { buffer = buffer, nowait = true, desc = "bodkin: these keys" })
  end
end

--- Shows a text in a window in the middle, which is entered: not while the user types. `keys`: M.map's, which it has, too.
function M.text(lines, title, keys)
  require("bodkin.ui").when_calm(function()
    show(lines, title, keys)
  end)
end

return M
