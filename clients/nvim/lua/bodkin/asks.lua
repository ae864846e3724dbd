-- Asks: sending them, the conversation of each file, and what to do again when one fails.
local M = {}

local client_of = require("bodkin.client")
local log = require("bodkin.log")

local sessions = {} -- [client id][uri] = session of the file's last ask
local newest = {}   -- [client id] = session of the last ask of all
local sent = {}     -- what was sent and has not ended, oldest first; `ask_id`: nil until the server has taken it
local failed        -- what was sent last and failed, or could not be sent
local plan          -- {client, session} of the last ask, if it ended with a plan

--- The conversation of a file, or nil. A session that was chosen counts for every file without one of its own.
function M.session_of(client, uri)
  return (sessions[client.id] or {})[uri]
end

function M.newest(client)
  return newest[client.id]
end

--- The next asks about this file go on in that session.
function M.go_on(client, uri, session)
  newest[client.id] = session
  if uri then
    sessions[client.id] = sessions[client.id] or {}
    sessions[client.id][uri] = session
  end
end

--- No ask goes on in that session any more: it was deleted.
function M.forget(client, session)
  for uri, each in pairs(sessions[client.id] or {}) do
    if each == session then
      sessions[client.id][uri] = nil
    end
  end
  if newest[client.id] == session then
    newest[client.id] = nil
  end
end

--- The next ask about this file begins a new session.
function M.begin_anew(client, uri)
  if sessions[client.id] then
    sessions[client.id][uri] = nil
  end
end

-- Takes what was sent out of the list.
local function take(request)
  for position, each in ipairs(sent) do
    if each == request then
      return table.remove(sent, position)
    end
  end
end

-- Failures that another model or a key mends.
local of_models = { "no_model", "authentication", "permission", "not_found", "quota" }

-- What helps after a failure, by what the server says of it: {reason, setting}; all in commands.
local function way_on(cause, can_retry)
  local retry = can_retry and ", then :Bodkin retry" or ""
  local reason = cause.reason
  if vim.tbl_contains(of_models, reason) then
    return ":Bodkin model" .. (can_retry and ", which asks again" or "")
  elseif cause.setting then
    local setting = cause.setting:gsub("^bodkin%.", "")
    return (reason == "limit" and "raise " or "set ") .. setting .. retry
  end
  return can_retry and ":Bodkin retry" or ":Bodkin log"
end

local function refused(request, message, cause)
  take(request)
  failed = request
  failed.reason = (cause or {}).reason
  log.named(request.block, nil)
  log.message("Failed: " .. client_of.plain(message))
  log.knows(client_of.plain(message))
  client_of.notify(message, vim.log.levels.WARN, nil, way_on(cause or {}, true))
end

-- Whether another ask of its session runs or waits, so that it is not sent to the model yet.
local function is_queued(request)
  for _, each in ipairs(sent) do
    if each ~= request and each.ask_id and each.client == request.client and each.session == request.session then
      return request.arguments.whenBusy == "queue"
    end
  end
  return false
end

local function send(client, request)
  table.insert(sent, request)
  request.ask_id, request.reason = nil, nil
  request.block = log.begin(request.title, request.place, client.id)
  if not request.answered then
    require("bodkin.window").show()
  end
  client_of.request(client, "workspace/executeCommand",
    { command = request.command, arguments = { request.arguments } }, function(result)
      log.named(request.block, result and result.askId)
      if result then
        request.ask_id, request.session = result.askId, result.sessionId
        M.go_on(client, request.uri, result.sessionId)
      end
      if result and is_queued(request) then
        log.line("It waits until the previous ask is done", result.askId)
        client_of.notify("queued until the previous ask is done (:Bodkin cancel, :Bodkin log)")
        return client_of.event("BodkinAsk")
      end
      local host = require("bodkin.status").get(client.id).host or ""
      local where = host ~= "" and ", sent to " .. host:gsub("^%w+://", "") or ""
      client_of.notify(("%s%s (:Bodkin cancel, :Bodkin log)"):format(request.doing, where))
      client_of.event("BodkinAsk")
    end, request.buffer, function(message, cause)
      refused(request, message, cause)
    end)
end

--- The one way in which a model is asked. request: {client (id), command, arguments, title, place, doing, uri, buffer,
--- answered}; answered(text) takes the answer, which is then not shown.
--- Without a model it is offered there and then what can be done. Nothing is lost if it fails: retry() sends it again.
function M.send(request)
  local client = client_of.by_id(request.client)
  local before = failed ~= request and failed or nil
  failed = request
  if not client then
    return client_of.notify("the server is no longer running", vim.log.levels.WARN, nil, ":Bodkin retry")
  end
  local given = request.arguments
  require("bodkin.models").with_model(client, function()
    failed = before
    send(client, request)
  end, given.textDocument and function()
    require("bodkin.requests").copy_prompt(client, request.buffer, { textDocument = given.textDocument, range = given.range,
      prompt = given.prompt, diagnostics = given.diagnostics })
  end, function()
    client_of.notify("nothing was asked", nil, nil, ":Bodkin retry")
  end)
end

--- A server is gone: what it was asked can be asked again. Returns whether there was something.
function M.exited(client_id)
  local had_ask = false
  for position = #sent, 1, -1 do
    if sent[position].client == client_id then
      local request = table.remove(sent, position)
      failed = had_ask and failed or request -- the newest
      had_ask = true
    end
  end
  return had_ask
end

--- Sends again what failed last.
function M.retry()
  if not failed then
    return client_of.notify("nothing has failed")
  end
  local request = failed
  local client = client_of.by_id(request.client)
  if not client then -- it was restarted
    local buffer = request.buffer and vim.api.nvim_buf_is_valid(request.buffer) and request.buffer
      or request.uri and require("bodkin.files").buffer(request.uri) or 0
    local started, reason = client_of.attach(buffer)
    if not started and not request.arguments.textDocument then
      started, reason = client_of.of_folder()
    end
    if not started then
      return client_of.warn(reason)
    end
    request.client = started.id
    client = started
  end
  client_of.when_ready(client, function()
    M.send(request)
  end)
end

--- Whether what failed last was refused for its key.
function M.wants_key()
  return failed ~= nil and (failed.reason == "authentication" or failed.reason == "permission")
end

--- A model was chosen, or a key was given: what failed for the want of it is asked again.
function M.model_chosen()
  if failed and vim.tbl_contains(of_models, failed.reason) then
    M.retry()
  end
end

--- An ask has ended.
function M.ended(params, client_id)
  local request
  for _, each in ipairs(sent) do
    request = request or (each.ask_id == params.askId and each)
  end
  request = request and take(request)
  log.end_ask(params, client_id)
  require("bodkin.window").ended(params["end"])
  plan = params.plan and { client = client_id, session = params.sessionId, uri = request and request.uri } or nil
  local message = params.message or ""
  local how = params["end"]
  if how == "failed" or how == "limit" then
    failed = request or failed
    if request then
      request.reason = params.reason
    end
    local words = params.reason == "no_model" and "no model yet" or message ~= "" and message or "the request failed"
    client_of.notify(words, vim.log.levels.WARN, true, way_on(params, request ~= nil))
  elseif how == "cancelled" or how == "refused" then
    failed = request or failed
    client_of.notify(message ~= "" and message or how, nil, nil, request and ":Bodkin retry" or nil)
  elseif how == "answer" and params.overtaken then -- the model's words before the last line tell of a change that is not there
    failed = request or failed
    local words = message:match("[^\n]*$")
    log.knows(client_of.plain(words))
    client_of.notify(words, vim.log.levels.WARN, true, way_on({}, request ~= nil))
  elseif plan then
    client_of.notify("the plan is in :Bodkin log; :Bodkin carryout carries it out")
  elseif how == "answer" and request and request.answered then
    request.answered(message)
  elseif how == "answer" then
    require("bodkin.window").show()
    require("bodkin.window").to_answer(params.askId)
    -- The first line of it, without Markdown's signs.
    local words = message:match("[^\n]*%w[^\n]*")
    local rest = words and vim.trim(message) ~= vim.trim(words)
    words = words and vim.trim((words:gsub("`", ""):gsub("%f[%S]%*%*(%S.-)%*%*", "%1"):gsub("^#+", "")))
    log.knows(client_of.plain(words or ""))
    client_of.notify(words or "the answer is in :Bodkin log", nil, true, rest and ":Bodkin log" or nil)
  end
  client_of.event("BodkinEndAsk", params)
end

--- The plan is in the conversation: the next ask goes on there, and may edit.
function M.carry_out()
  if not plan or not client_of.by_id(plan.client) then
    return client_of.warn("no plan to carry out; :Bodkin ask /plan … makes one")
  end
  M.send({
    client = plan.client,
    command = "bodkin.ask",
    arguments = { sessionId = plan.session, profile = "tools" },
    title = "Carry out the plan",
    doing = "carrying out the plan",
    uri = plan.uri,
  })
end

return M
