-- What bodkin is doing: the server's words, and since when. One line for the status line and for the window of the words.
local M = {}

local client_of = require("bodkin.client")

local loop = vim.uv or vim.loop
local current = { state = "idle", message = "" }
local begun      -- when the running asks began, in ms
local last_sign  -- when anything was last heard of them
local used_before = 0 -- tokens, when they began
local ticking

local function tokens(status)
  local usage = status.usage or {}
  return (usage.input or 0) + (usage.output or 0)
end

local watchers = {}

--- callback() runs whenever there is something new to say, and each second while an ask runs.
function M.watch(callback)
  table.insert(watchers, callback)
end

local function tell()
  for _, watcher in ipairs(watchers) do
    watcher()
  end
end

local function tick()
  if ticking then
    return
  end
  ticking = loop.new_timer()
  ticking:start(1000, 1000, vim.schedule_wrap(function()
    if current.state == "idle" then
      if ticking then
        ticking:close()
        ticking = nil
      end
      return
    end
    vim.cmd("redrawstatus!")
    tell()
  end))
end

--- Something of a running ask has arrived.
function M.sign()
  last_sign = loop.now()
end

function M.set(params)
  local changed = params.state ~= current.state or params.message ~= current.message
  local has_other_mode = params.mode ~= current.mode
  local was_idle = current.state == "idle"
  if was_idle and params.state ~= "idle" then
    begun, used_before = loop.now(), tokens(current)
    tick()
  end
  current = params
  M.sign()
  if changed or has_other_mode then
    vim.cmd("redrawstatus!")
  end
  if changed then
    tell()
    client_of.event("BodkinStatus", params)
  end
end

function M.get()
  return current
end

--- "3 s", "2 min 5 s"
function M.duration(ms)
  local seconds = math.floor(ms / 1000)
  return seconds < 60 and ("%d s"):format(seconds) or ("%d min %d s"):format(math.floor(seconds / 60), seconds % 60)
end

--- "940", "12.3k"
function M.count(number)
  return number < 1000 and tostring(number) or ("%.1fk"):format(number / 1000)
end

function M.tokens()
  return tokens(current)
end

-- Seconds without a word after which a person wonders.
local long = 15000

--- What is being done, for how long, and what it took: "Checking with clangd · 12 s · 3.4k tokens"; nil: nothing.
function M.line()
  if current.state == "idle" then
    return nil
  end
  local words = (current.message or "") ~= "" and current.message or current.state
  local parts = { (words:gsub("%c", " ")) }
  local now = loop.now()
  if begun then
    table.insert(parts, M.duration(now - begun))
  end
  local used = tokens(current) - used_before
  if used > 0 then
    table.insert(parts, M.count(used) .. " tokens")
  end
  if last_sign and now - last_sign >= long and current.state ~= "waiting" then
    table.insert(parts, ("silent for %s, :Bodkin cancel stops it"):format(M.duration(now - last_sign)))
  end
  return table.concat(parts, " · ")
end

--- For a status line; "" if there is nothing to say.
function M.statusline()
  local parts = {}
  local line = M.line()
  if line then
    table.insert(parts, line)
  elseif (current.mode or "confirm") ~= "confirm" then
    table.insert(parts, current.mode)
  end
  local pending = #require("bodkin.proposals").pending()
  if pending > 0 then
    table.insert(parts, ("%d proposal%s"):format(pending, pending == 1 and "" or "s"))
  end
  if #parts == 0 then
    return ""
  end
  -- Must not be evaluated again: a model's "%{…}" is not an expression.
  return ("bodkin: " .. table.concat(parts, ", ")):gsub("%c", " "):gsub("%%", "％")
end

return M
