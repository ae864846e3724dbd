-- The buffer of the log: its lines, which only append() and add() change, and below them at least one that the user types in,
-- the prompt. What a key of Neovim does to the lines of the log is mended.
local M = {}

local name = "bodkin://log"
local buffer
local lines = {}   -- of the log, as they are to be
local typed = { "" } -- the prompt's
local is_ours = false
local grown = {}

--- callback(buffer) runs when something was added.
function M.watch(callback)
  table.insert(grown, callback)
end

--- How many lines the log has: the prompt begins at that row, from 0.
function M.rows()
  return #lines
end

-- 'undolevels' of a buffer that has none of its own.
local global_levels = -123456

local running

--- For without_autocommands() only.
function M.run()
  running()
end

-- Those of the person for options would run with each piece of a reply, and end it midway if they fail. As pcall(run).
local function without_autocommands(run)
  running = run
  return pcall(vim.cmd, "noautocmd lua require('bodkin.transcript').run()")
end

-- What is done to the log is nothing that the user can undo.
local function change(target, run)
  is_ours = true
  local could_modify = vim.bo[target].modifiable
  local ok, reason = without_autocommands(function()
    vim.bo[target].modifiable = true
    vim.bo[target].undolevels = -1
    local went_well, why = pcall(run, target)
    vim.bo[target].undolevels = global_levels
    vim.bo[target].modifiable = could_modify
    vim.bo[target].modified = false
    if not went_well then
      error(why, 0)
    end
  end)
  is_ours = false
  if not ok then
    error(reason, 0)
  end
end

local function tell(target)
  for _, callback in ipairs(grown) do
    callback(target)
  end
end

local function whole()
  return vim.list_extend(vim.list_extend({}, lines), typed)
end

-- Keeps what is typed in the prompt, which has at least a line. What reaches the lines of the log is undone.
local function guard(target)
  local is_broken = false
  vim.api.nvim_buf_attach(target, false, { on_lines = function(_, _, _, first)
    if is_ours or is_broken then
      return
    elseif first >= #lines and vim.api.nvim_buf_line_count(target) > #lines then
      typed = vim.api.nvim_buf_get_lines(target, #lines, -1, false)
      return
    end
    is_broken = true
    typed = first >= #lines and { "" } or typed
    vim.schedule(function()
      is_broken = false
      if vim.api.nvim_buf_is_loaded(target) then
        change(target, function()
          vim.api.nvim_buf_set_lines(target, 0, -1, false, whole())
        end)
        tell(target)
      end
    end)
  end })
end

-- Code in fences is highlighted by tree-sitter where its parsers are there (newer Neovims have that of Markdown).
local function highlight(target)
  local parser = vim.fn.has("nvim-0.10") == 1 and vim.api.nvim_get_runtime_file("parser/markdown.so", false)[1]
  if not parser then
    return
  end
  -- 0.10 raises an error if it cannot, newer ones return nil; then start() does.
  local added = pcall(vim.treesitter.language.add, "bodkin_markdown", { path = parser, symbol_name = "markdown" })
  if added and pcall(vim.treesitter.start, target, "bodkin_markdown") then
    vim.bo[target].syntax = "bodkin" -- start() has turned it off
  end
end

function M.buffer()
  if buffer and vim.api.nvim_buf_is_loaded(buffer) then
    return buffer
  end
  if buffer and vim.api.nvim_buf_is_valid(buffer) then
    pcall(vim.api.nvim_buf_delete, buffer, { force = true }) -- :bdelete leaves its name
  end
  buffer = vim.api.nvim_create_buf(false, true)
  pcall(vim.api.nvim_buf_set_name, buffer, name)
  vim.bo[buffer].bufhidden = "hide"
  vim.bo[buffer].filetype = "bodkin"
  local this = buffer
  local function fill()
    change(this, function()
      vim.api.nvim_buf_set_lines(this, 0, -1, false, whole())
    end)
    guard(this)
    highlight(this)
  end
  fill()
  vim.api.nvim_create_autocmd("BufReadCmd", { buffer = this, callback = fill }) -- :edit
  return buffer
end

--- Adds a text behind a row of the log (from 0), and returns how many rows that made.
function M.append(row, text)
  local added = vim.split(text, "\n", { plain = true })
  local target = M.buffer()
  change(target, function()
    vim.api.nvim_buf_set_text(target, row, #lines[row + 1], row, #lines[row + 1], added)
  end)
  lines[row + 1] = lines[row + 1] .. added[1]
  for number = 2, #added do
    table.insert(lines, row + number, added[number])
  end
  tell(target)
  return #added - 1
end

--- Adds lines below the last one of the log.
function M.add(added)
  local target = M.buffer()
  change(target, function()
    vim.api.nvim_buf_set_lines(target, #lines, #lines, false, added)
  end)
  vim.list_extend(lines, added)
  tell(target)
end

--- Lines of the log, from a row (from 0) up to another, which is not one of them.
function M.lines(first, last)
  return vim.list_slice(lines, first + 1, math.min(last, #lines))
end

--- What is typed in the prompt.
function M.prompt()
  return table.concat(typed, "\n")
end

--- The prompt has this text from now on, and the windows in which it is entered their cursor at its end.
function M.set_prompt(text)
  local target = M.buffer()
  vim.bo[target].modifiable = true
  vim.api.nvim_buf_set_lines(target, #lines, -1, false, vim.split(text, "\n", { plain = true }))
  vim.bo[target].modified = false
  for _, window in ipairs(vim.fn.win_findbuf(target)) do
    if vim.api.nvim_win_get_cursor(window)[1] > #lines then
      local last = vim.api.nvim_buf_line_count(target)
      vim.api.nvim_win_set_cursor(window, { last, #vim.api.nvim_buf_get_lines(target, last - 1, last, false)[1] })
    end
  end
end

return M
