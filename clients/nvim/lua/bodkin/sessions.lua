-- Sessions, of this or an earlier run: their menu, renaming and deleting.
local M = {}

local client_of = require("bodkin.client")
local extensions = require("bodkin.extensions")
local ui = require("bodkin.ui")

local page = 15 -- sessions that are shown at once

-- By the state of a session's newest proposal, else by the end of its last ask.
local came = {
  ready = "waits for you",
  partly = "applied in part",
  discarded = "not applied",
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

local function choose_from(found, first, prompt, callback)
  local items = vim.list_slice(found, first, first + page - 1)
  local rest = #found - first - #items + 1
  if rest > 0 then
    table.insert(items, { older = true })
  end
  ui.select(items, {
    prompt = prompt,
    format_item = function(item)
      return item.older and ("older… (%d more)"):format(rest) or line_of(item)
    end,
  }, function(item)
    if item and item.older then
      choose_from(found, first + page, prompt, callback)
    elseif item then
      callback(item)
    end
  end)
end

--- callback(session) with one of the workspace that the user chooses, unless there is none. `prompt`: "Which session?"
function M.choose(client, prompt, callback)
  client_of.request(client, extensions.list_sessions, vim.empty_dict(), function(result)
    -- With one in which no model has answered there is nothing to go on with.
    local found = vim.tbl_filter(function(session)
      return session.answered ~= false or session.running
    end, result and result.sessions or {})
    if #found == 0 then
      return client_of.notify("no sessions in this workspace yet")
    end
    choose_from(found, 1, prompt, callback)
  end)
end

--- Puts what was said in a session into the log; done() runs then.
function M.read(client, session, done)
  client_of.request(client, extensions.read_session, { sessionId = session.id }, function(result)
    require("bodkin.log").read(session.title, result and result.text or "")
    done()
  end)
end

--- Gives one another title.
function M.rename(client)
  M.choose(client, "Rename which session?", function(session)
    ui.input({ prompt = "Title: ", default = client_of.plain(session.title) }, function(title)
      title = vim.trim(title or "")
      if title == "" then
        return
      end
      client_of.request(client, extensions.rename_session, { sessionId = session.id, name = title }, function()
        client_of.notify(("the session is now “%s”"):format(title))
      end)
    end)
  end)
end

--- Deletes one, after a question.
function M.delete(client)
  M.choose(client, "Delete which session?", function(session)
    local title = client_of.plain(session.title)
    local delete = "Delete it and everything said in it"
    ui.select({ "Keep it", delete }, { prompt = ("Delete “%s”?"):format(title) }, function(choice)
      if choice ~= delete then
        return
      end
      client_of.request(client, extensions.delete_session, { sessionId = session.id }, function()
        require("bodkin.asks").forget(client, session.id)
        client_of.notify(("“%s” is deleted"):format(title))
      end)
    end)
  end)
end

return M
