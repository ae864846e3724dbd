-- vim.ui.select and vim.ui.input, of Neovim or of a plugin, in which an interrupt cancels: CTRL-C, or `q` at
-- "-- More --", is an error in Neovim's own.
local M = {}

--- Whether a window may come up, or the cursor go elsewhere: not while the user types a text, a command or a line of the
--- command-line window, or selects, as that would go on in another place.
function M.is_calm()
  local now = vim.api.nvim_get_mode()
  return (now.mode == "n" or now.mode == "nt") and not now.blocking and vim.fn.getcmdwintype() == ""
end

--- Runs action() now, or once the user is back in Normal mode.
function M.when_calm(action)
  if M.is_calm() then
    return action()
  end
  local autocmd
  autocmd = vim.api.nvim_create_autocmd({ "ModeChanged", "CmdwinLeave" }, { callback = vim.schedule_wrap(function()
    if autocmd and M.is_calm() then
      vim.api.nvim_del_autocmd(autocmd)
      autocmd = nil
      action()
    end
  end) })
end

--- Runs action() now; but not in the command-line window, beside which Neovim enters and leaves no other: once the user is
--- back in Normal mode.
function M.outside_cmdwin(action)
  if vim.fn.getcmdwintype() == "" then
    return action()
  end
  M.when_calm(action)
end

--- Whether the command-line window is open, in which a command has no place and no window to open; it is said.
function M.is_in_cmdwin()
  local is_open = vim.fn.getcmdwintype() ~= ""
  if is_open then
    require("bodkin.client").warn("this does not work in the command-line window; CTRL-C leaves it")
  end
  return is_open
end

--- A function that says whether the user is still here: calm, in this window, at this place of this text, if it is one that
--- they can change.
function M.stays()
  local is_text = vim.bo.modifiable
  local function here()
    local buffer = vim.api.nvim_get_current_buf()
    local place = is_text and { vim.api.nvim_buf_get_changedtick(buffer), vim.api.nvim_win_get_cursor(0) }
    return { vim.api.nvim_get_current_win(), buffer, place }
  end
  local before = here()
  return function()
    return M.is_calm() and vim.deep_equal(here(), before)
  end
end

-- start(take) calls take(answer) at once, later, or never: callback(answer, interrupted). What that does is not caught.
local function guarded(start, callback)
  local starting, taken, answer = true, false, nil
  local function go_on(...)
    vim.cmd("redraw") -- a message below what is left of the menu would have to be confirmed with <Enter>
    callback(...)
  end
  local ok, reason = pcall(start, function(value)
    if not starting then
      return go_on(value)
    end
    taken, answer = true, value
  end)
  starting = false
  if taken or not ok then
    go_on(answer, not taken)
  end
  if not ok and not taken and not tostring(reason):lower():find("interrupt", 1, true) then
    require("bodkin.client").warn(tostring(reason))
  end
end

--- callback(item), or callback(nil) if none was chosen.
function M.select(items, options, callback)
  local plain, words = require("bodkin.client").plain, options.format_item or tostring
  options = { prompt = plain(options.prompt), format_item = function(item)
    return (plain(words(item)):gsub("%s*\n%s*", " ")) -- another line would look like another item
  end }
  M.when_calm(function()
    guarded(function(take)
      vim.cmd("redraw") -- or a menu that another one leads to begins after the number that was typed
      vim.ui.select(items, options, take)
    end, callback)
  end)
end

--- callback(text), or callback(nil, interrupted) if it was cancelled; Neovim 0.7.2 also says nil for no text.
function M.input(options, callback)
  M.when_calm(function()
    guarded(function(take)
      vim.ui.input(options, take)
    end, callback)
  end)
end

--- Blocks until the text is typed; nil: it was cancelled.
function M.input_now(options)
  local ok, text = pcall(vim.fn.input, options)
  return ok and text or nil
end

return M
