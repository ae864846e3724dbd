-- What the user is told, on the command line or by a plugin that has replaced vim.notify.
local M = {}

-- Neovim's built-in vim.notify writes to the command line, where a message that does not fit blocks everything until
-- <Enter> is pressed; a plugin's can show all of it. There messages are cut, and :Bodkin log has the full text.
local builtin_notify = vim.notify

local exiting = {} -- ids of clients of which Neovim has yet to say that they exited
local notify       -- vim.notify, while some are exiting

local function quiet(message, ...)
  local whose = type(message) == "string" and message:match("^Client (%S+) quit with exit code")
  if whose ~= "bodkin" and not exiting[tonumber(whose) or 0] then
    return notify(message, ...)
  end
end

local function is_builtin()
  return (vim.notify == quiet and notify or vim.notify) == builtin_notify
end

local warned = 0 -- how many warnings were shown
local last -- the message that was given last
local last_level

local least = 25 -- bytes of a clause that says something by itself

-- The cells of the message line. A floating window has no line of its own for the ruler.
local function room_here()
  local room = vim.v.echospace -- one cell more would have to be confirmed with <Enter>
  local has_ruler = vim.o.ruler and vim.api.nvim_win_get_config(0).relative ~= ""
  return has_ruler and room >= 60 and room - 18 or room
end

-- Whole if there is room, rather without `sign` than cut; else without addresses, which the log has; else cut after a
-- clause, else after a word.
local function fitting(text, hint, sign)
  local line = text:gsub("%s*\n%s*", " ")
  local room = room_here()
  local rest = hint and (" (%s)"):format(hint) or ""
  for _, whole in ipairs(line == text and { sign .. text .. rest, text .. rest } or {}) do
    if vim.fn.strdisplaywidth(whole) <= room then
      return whole
    end
  end
  require("bodkin.log").message(hint and #hint + 4 > room - 12 and ("%s (%s)"):format(text, hint) or text)
  line = line:gsub(" at https?://[^%s,;)]+", ""):gsub("onnect to https?://[^%s,;:)]+:?%d*", "onnect")
    :gsub(" to https?://([^%s,;:/)]+)[^%s,;)]*", " to %1")
  if vim.fn.strdisplaywidth(line .. rest) <= room then
    return line .. rest
  end
  rest = "…" -- the log has it, also where there is no room to say so
  for _, place in ipairs({ hint or ":Bodkin log", ":Bodkin log" }) do
    if vim.fn.strdisplaywidth(place) + 4 <= room - (place == hint and 12 or least) then
      rest = ("… (%s)"):format(place)
      break
    end
  end
  local cut = vim.fn.strcharpart(line, 0, room - vim.fn.strdisplaywidth(rest))
  local clause = cut:match("^(.*%S)[;.] ")
  if clause and #clause >= least then
    return clause .. rest -- the sign that it goes on is never missing: it may be a command to agree to
  end
  -- A word or two of what is left out say nothing.
  local whole, begun = cut:match("^(.*%S)[:,] (.*)$")
  if whole and #whole >= least and #begun <= 12 then
    return whole .. rest
  end
  return (cut:match("^(.*%S)%s+%S*$") or cut) .. rest
end

-- Makes text from a model or a file safe to show: no control characters.
function M.plain(text)
  return (text:gsub("\r\n", "\n"):gsub("[%z\1-\8\11-\31\127]", function(c)
    return "^" .. string.char((c:byte() + 64) % 128)
  end):gsub("\194([\128-\159])", function(c)
    return ("<U+%04X>"):format(c:byte())
  end))
end

-- What is said while the last message is not drawn yet would be below it, and have to be confirmed with <Enter>.
local function make_room()
  if not vim.api.nvim_get_mode().mode:find("^[cr]") then
    vim.cmd("redraw")
  end
end

-- While the user types, the mode line hides what is shown: shown again when they stop.
local function again_later(text, level)
  vim.api.nvim_create_autocmd("InsertLeave", { once = true, callback = vim.schedule_wrap(function()
    vim.notify(text, level, { title = "bodkin" })
  end) })
end

--- A message. With Neovim's own vim.notify it is cut to one line: the log has all of it. `kept`: it is also shown when the
--- user stops typing, as warnings are. `hint`: the command to go on with, which is never cut; else what is in
--- brackets at the end, as (:help bodkin-install). What names a command needs no other sign of who says it: there is
--- little room.
function M.notify(message, level, kept, hint)
  level = level or vim.log.levels.INFO
  last, last_level = message, level
  warned = warned + (level >= vim.log.levels.WARN and 1 or 0)
  local text = M.plain(message)
  if not hint and text:find(" %(:%a[^()]*%)$") then
    text, hint = text:match("^(.*) %((:%a[^()]*)%)$")
  end
  local sign = (hint or text:find(":Bodkin", 1, true)) and "" or "bodkin: "
  if is_builtin() then
    text = fitting(text, hint, sign)
    make_room()
  else
    text = sign .. text .. (hint and (" (%s)"):format(hint) or "")
  end
  vim.notify(text, level, { title = "bodkin" })
  if (kept or level >= vim.log.levels.WARN) and vim.api.nvim_get_mode().mode:find("^[iR]") then
    again_later(text, level)
  end
end

--- Neovim says of a client that exited badly what nobody can act upon, after on_exit: until done() runs it is not shown.
function M.without_exit_notice(id, done)
  if not next(exiting) then
    notify = vim.notify
    vim.notify = quiet
  end
  exiting[id] = true
  vim.schedule(function()
    vim.schedule(function()
      exiting[id] = nil
      if not next(exiting) and vim.notify == quiet then
        vim.notify = notify
      end
      done()
    end)
  end)
end

--- A message that takes the place of `message`, unless another one came after that.
function M.renew(message, new, hint)
  if last == message and message ~= new and not vim.api.nvim_get_mode().mode:find("^[cr]") then
    M.notify(new, nil, nil, hint)
  end
end

--- Whether the last message was a warning.
function M.is_warning()
  return last_level ~= nil and last_level >= vim.log.levels.WARN
end

--- A number that is another one once a warning was shown.
function M.warnings()
  return warned
end

function M.warn(message)
  M.notify(message, vim.log.levels.WARN)
end

return M
