-- What bodkin is doing: the words of each server, and since when. One line for the status line and for the window of the
-- words.
local M = {}

local client_of = require("bodkin.client")

local loop = vim.uv or vim.loop

-- [client id] = {params: what the server said last; begun: when its running asks began, in ms; last_sign: when anything was
-- last heard of them; used_before: tokens, when they began}
local states = {}
local idle = { params = { state = "idle", message = "" }, used_before = 0 }
local ticking

local function tokens(state)
  local usage = state.params.usage or {}
  return (usage.input or 0) + (usage.output or 0)
end

-- The state that is shown: of the server that works, rather of this buffer's; else this buffer's, else any.
local function shown()
  local client = client_of.of(vim.api.nvim_get_current_buf())
  local own = client and states[client.id]
  if own and own.params.state ~= "idle" then
    return own
  end
  local any
  for _, state in pairs(states) do
    if state.params.state ~= "idle" then
      return state
    end
    any = any or state
  end
  return own or any or idle
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
    if shown().params.state == "idle" then
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

--- Something of a running ask of this client has arrived.
function M.sign(client_id)
  if states[client_id] then
    states[client_id].last_sign = loop.now()
  end
end

function M.set(params, client_id)
  local state = states[client_id] or vim.deepcopy(idle)
  states[client_id] = state
  local before = state.params
  local changed = params.state ~= before.state or params.message ~= before.message
  if before.state == "idle" and params.state ~= "idle" then
    state.begun, state.used_before = loop.now(), tokens(state)
    tick()
  end
  state.params = params
  M.sign(client_id)
  if changed or params.mode ~= before.mode then
    vim.cmd("redrawstatus!")
  end
  if changed then
    tell()
    client_of.event("BodkinStatus", params)
  end
end

--- The server is gone.
function M.forget(client_id)
  states[client_id] = nil
  vim.cmd("redrawstatus!")
  tell()
  client_of.event("BodkinStatus", shown().params)
end

--- What a client's server said last; without an id, what is shown.
function M.get(client_id)
  return (client_id and (states[client_id] or idle) or shown()).params
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

--- Tokens that this client's server has used.
function M.tokens(client_id)
  return tokens(states[client_id] or idle)
end

-- Milliseconds without a word after which a person wonders.
local long = 15000

--- What is being done, for how long, and what it took: "Checking with clangd · 12 s · 3.4k tokens"; nil: nothing. What can
--- be done about a silence comes first: a line that is too long loses its end.
function M.line()
  local state = shown()
  if state.params.state == "idle" then
    return nil
  end
  local words = (state.params.message or "") ~= "" and state.params.message or state.params.state
  local parts = {}
  local now = loop.now()
  if state.last_sign and now - state.last_sign >= long and state.params.state ~= "waiting" then
    table.insert(parts, ("silent for %s, :Bodkin cancel stops it"):format(M.duration(now - state.last_sign)))
  end
  table.insert(parts, (words:gsub("%c", " ")))
  if state.begun then
    table.insert(parts, M.duration(now - state.begun))
  end
  local used = tokens(state) - state.used_before
  if used > 0 then
    table.insert(parts, M.count(used) .. " tokens")
  end
  return table.concat(parts, " · ")
end

--- For a status line; "" if there is nothing to say.
function M.statusline()
  local parts = {}
  local line = M.line()
  local mode = M.get().mode or "confirm"
  if line then
    table.insert(parts, line)
  elseif mode ~= "confirm" then
    table.insert(parts, mode)
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
