-- bodkin's own methods, all in this one file, as in lsp/protocol/extensions.h and clients/vscode/src/extensions.ts.
-- "bodkin/…" are requests and notifications; "$/bodkin/…" notifications that may be dropped.
local M = {}

-- What this client can do, in `capabilities.experimental.bodkin`. The server sends only what is announced.
M.capabilities = {
  version = 1,
  proposals = true,    -- bodkin/proposal, bodkin/didChangeProposal, bodkin/didEndAsk
  diagnostics = true,  -- we send bodkin/didChangeDiagnostics
  -- bodkin/diagnostics: its answer waits for other servers, which 0.7.2 cannot do.
  pullDiagnostics = vim.fn.has("nvim-0.8") == 1,
  input = true,        -- bodkin/input
  -- bodkin/permit would have to be answered before anything else happens, even while the user is typing. Instead the
  -- server announces the question, and :Bodkin answer answers it when convenient.
  permit = false,
  models = false,      -- Neovim has no language model of its own
  actionCommands = true, -- Neovim itself would take an edit of a code action for whatever is there by then
  secrets = true,      -- bodkin/secret
}

-- The kind of the code actions that answer the server's questions.
M.question_kind = "quickfix.bodkin.question"

-- Client to server.
M.did_change_diagnostics = "bodkin/didChangeDiagnostics" -- {uri, documentVersion, sequence, diagnostics, complete}
M.did_change_encoding = "bodkin/didChangeEncoding"       -- {uri?, encoding}
M.list_proposals = "bodkin/listProposals"                -- {} -> {proposals}
-- {proposalId, uri} -> {text, version, hunks, hunkCount, pending, applied, discarded, changed}
M.proposal_content = "bodkin/proposalContent"
M.next_edits = "bodkin/nextEdits"                        -- {uri} -> {version, what, edits: {range, newText, message?}[]}
M.complete = "bodkin/complete"                           -- {text, offset?} -> {start, items}
M.list_sessions = "bodkin/listSessions"                  -- {} -> {sessions: {id, title, used, running, answered, …}}
M.read_session = "bodkin/readSession"                    -- {sessionId} -> {title, text: Markdown}
M.rename_session = "bodkin/renameSession"                -- {sessionId, name: its title} -> {}
M.delete_session = "bodkin/deleteSession"                -- {sessionId} -> {}; an error while it runs
M.status = "bodkin/status"  -- {} -> {model, host, mode, trusted, asks, proposals, servers, usage, nextEdits, nextEditsUsage}

--- The value that start(callback) calls back with. In newer Neovims a request handler runs in a coroutine and can wait;
--- in 0.7.2 it must answer before it returns, so otherwise() gives the answer.
function M.wait_for(start, otherwise)
  local thread = coroutine.running()
  if not thread then
    return otherwise and otherwise()
  end
  local waiting, done, answer = false, false, nil
  start(function(value)
    answer, done = value, true
    if waiting then
      coroutine.resume(thread)
    end
  end)
  if not done then
    waiting = true
    coroutine.yield()
  end
  return answer
end

local function input(_, params)
  local prompt = (params.prompt or "bodkin") .. ": "
  local value = M.wait_for(function(answer)
    require("bodkin.prompt").open({ title = params.prompt or "bodkin" }, answer)
  end, function()
    return require("bodkin.ui").input_now({ prompt = prompt, completion = require("bodkin.complete").kind })
  end)
  return { value = (value == nil or value == "") and vim.NIL or value }
end

--- Handlers for what the server sends, in the form of vim.lsp's `handlers`.
function M.handlers()
  local proposals, log = require("bodkin.proposals"), require("bodkin.log")
  local client_of = require("bodkin.client")
  return {
    -- s->c {proposalId, askId, title, edit, hunks, verification}
    ["bodkin/proposal"] = function(_, params, context)
      proposals.add(params, context.client_id)
    end,
    -- s->c {proposalId, state, message, verification}
    ["bodkin/didChangeProposal"] = function(_, params)
      proposals.change(params)
    end,
    -- s->c {askId, end, message, proposalId?, reason?, setting?, sessionId, plan?}
    ["bodkin/didEndAsk"] = function(_, params, context)
      require("bodkin.asks").ended(params, context.client_id)
    end,
    -- s->c {askId, kind, text, step?}
    ["$/bodkin/stream"] = function(_, params, context)
      log.stream(params, context.client_id)
    end,
    -- s->c {state, message, mode, trusted, usage}
    ["$/bodkin/status"] = function(_, params, context)
      require("bodkin.status").set(params, context.client_id)
    end,
    -- s->c {uri, documentVersion} -> {documentVersion, diagnostics, servers}
    ["bodkin/diagnostics"] = function(_, params)
      return require("bodkin.diagnostics").answer(params)
    end,
    ["bodkin/input"] = input,    -- s->c {prompt, placeholder} -> {value}
    -- s->c {name: a provider} -> {value}
    ["bodkin/secret"] = function(_, params)
      return { value = require("bodkin.models").key_of(params.name) or vim.NIL }
    end,
    -- Not with Neovim's own handler, which may block the user's typing until <Enter> is pressed.
    ["window/showMessage"] = function(_, params)
      local level = params.type <= 2 and vim.log.levels.WARN or vim.log.levels.INFO
      local message = params.message:gsub("^bodkin: ", "")
      local asked = message:match("^Permission needed: (.-)%. Answer with")
      local hint = asked and ":Bodkin answer" -- instead of the code actions that the message names
      local shown = asked and "permission needed: " .. asked or message
      -- Longer messages are read in the log.
      local first = shown:match("^[^\n]*")
      log.message(client_of.plain(asked and ("%s (%s)"):format(shown, hint) or message))
      log.knows(client_of.plain(first)) -- the log has all of it, and not the beginning once more
      client_of.notify(first == shown and shown or first .. " (more in :Bodkin log)", level, asked ~= nil, hint)
      client_of.event("BodkinMessage", params)
      return params
    end,
    -- Warnings and errors are also kept here; the rest is in Neovim's LSP log.
    ["window/logMessage"] = function(_, params)
      if params.type <= 2 then
        log.message(client_of.plain(params.message))
      end
      return params
    end,
  }
end

return M
