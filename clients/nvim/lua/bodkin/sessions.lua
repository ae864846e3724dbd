-- The menu of sessions, of this or an earlier run.
local M = {}

local client_of = require("bodkin.client")

local page = 15 -- sessions that are shown at once

-- By the state of a session's newest proposal, else by the end of its last ask.
local came = {
  ready = "waits for you",
  partly = "applied in part",
  discarded = "not kept",
  done = "answered",
  limit = "met a limit",
}

local function line_of(session)
  local what = session.running and "running" or session.proposal or session.outcome or ""
  local ending = what ~= "" and (" (%s)"):format(came[what] or what) or ""
  local title = client_of.plain(session.title)
  local room = math.max(vim.o.columns - 26 - #ending, 20) -- beside the menu's number and the time
  if vim.fn.strdisplaywidth(title) > room then
    title = vim.fn.strcharpart(title, 0, room - 1) .. "…"
  end
  return os.date("%Y-%m-%d %H:%M", math.floor(session.used / 1000)) .. "  " .. title .. ending
end

local function choose_from(found, first, callback)
  local items = vim.list_slice(found, first, first + page - 1)
  local rest = #found - first - #items + 1
  if rest > 0 then
    table.insert(items, { older = true })
  end
  require("bodkin.ui").select(items, {
    prompt = "Which session?",
    format_item = function(item)
      return item.older and ("older… (%d more)"):format(rest) or line_of(item)
    end,
  }, function(item)
    if item and item.older then
      choose_from(found, first + page, callback)
    elseif item then
      callback(item)
    end
  end)
end

--- sessions: as the server lists them, newest first. callback(session), unless the user chooses none.
function M.choose(sessions, callback)
  -- With one in which no model has answered there is nothing to go on with.
  local found = vim.tbl_filter(function(session)
    return session.answered ~= false or session.running
  end, sessions)
  if #found == 0 then
    return client_of.notify("no sessions in this workspace yet")
  end
  choose_from(found, 1, callback)
end

return M
