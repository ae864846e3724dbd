-- vim.ui.select and vim.ui.input, of Neovim or of a plugin, in which an interrupt cancels: CTRL-C, or `q` at
-- "-- More --", is an error in Neovim's own.
local M = {}

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
  guarded(function(take)
    vim.cmd("redraw") -- or a menu that another one leads to begins behind the number that was typed
    vim.ui.select(items, options, take)
  end, callback)
end

--- callback(text), or callback(nil, interrupted) if it was cancelled; Neovim 0.7.2 also says nil for no text.
function M.input(options, callback)
  guarded(function(take)
    vim.ui.input(options, take)
  end, callback)
end

--- Blocks until the text is typed; nil: it was cancelled.
function M.input_now(options)
  local ok, text = pcall(vim.fn.input, options)
  return ok and text or nil
end

return M
