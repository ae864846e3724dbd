-- bodkin's own methods, all in this one file, as in lsp/extensions.h and clients/vscode/src/extensions.ts.
-- "bodkin/…" are requests and notifications; "$/bodkin/…" notifications that may be dropped.
local M = {}

-- What this client can do, in `capabilities.experimental.bodkin`. The server sends only what is announced.
M.capabilities = {
  version = 1,
  proposals = true,    -- bodkin/proposal, bodkin/didChangeProposal, bodkin/didEndAsk
  diagnostics = true,  -- we send bodkin/didChangeDiagnostics
  -- bodkin/diagnostics: its answer waits for others, which 0.7.2 cannot.
  pullDiagnostics = vim.fn.has("nvim-0.8") == 1,
  input = true,        -- bodkin/input
  permit = true,       -- bodkin/permit
  models = false,      -- Neovim has no language model of its own
}

-- Client to server.
M.did_change_diagnostics = "bodkin/didChangeDiagnostics" -- {uri, documentVersion, sequence, diagnostics, complete}
M.list_proposals = "bodkin/listProposals"                -- {} -> {proposals}
M.proposal_content = "bodkin/proposalContent"            -- {proposalId, uri} -> {text, version, hunks}
M.status = "bodkin/status"                               -- {} -> {model, host, asks, proposals, usage}

--- What start(callback) calls back with. In newer Neovims a server's request runs in a coroutine and can wait
--- for anything; in 0.7.2 it must answer before it returns: there otherwise() is the answer.
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
    vim.ui.input({ prompt = prompt }, answer)
  end, function()
    return vim.fn.input(prompt)
  end)
  return { value = (value == nil or value == "") and vim.NIL or value }
end

local function permit(_, params)
  local choices = { "once", "always", "reject" }
  local labels = { once = "Allow once", always = "Allow in this session", reject = "Reject" }
  local title = "bodkin: " .. (params.title or params.tool or "?")
  local question = title .. ((params.detail or "") ~= "" and "\n" .. params.detail or "")
  local choice = M.wait_for(function(answer)
    vim.ui.select(choices, {
      prompt = question,
      format_item = function(item)
        return labels[item]
      end,
    }, answer)
  end, function()
    return choices[vim.fn.confirm(question, "&Once\n&Always\n&Reject", 3)]
  end)
  return { choice = choice or "reject" }
end

--- Handlers for what the server sends, in the form of vim.lsp's `handlers`.
function M.handlers()
  local proposals, log = require("bodkin.proposals"), require("bodkin.log")
  return {
    -- s->c {proposalId, askId, title, edit, hunks, verification}
    ["bodkin/proposal"] = function(_, params, context)
      proposals.add(params, context.client_id)
    end,
    -- s->c {proposalId, state, message, verification}
    ["bodkin/didChangeProposal"] = function(_, params)
      proposals.change(params)
    end,
    -- s->c {askId, end, message, proposalId?}
    ["bodkin/didEndAsk"] = function(_, params)
      log.end_ask(params)
    end,
    -- s->c {askId, kind, text}
    ["$/bodkin/stream"] = function(_, params)
      log.stream(params)
    end,
    -- s->c {state, message, usage}
    ["$/bodkin/status"] = function(_, params)
      log.set_status(params)
    end,
    -- s->c {uri, documentVersion} -> {documentVersion, diagnostics, servers}
    ["bodkin/diagnostics"] = function(_, params)
      return require("bodkin.diagnostics").answer(params)
    end,
    ["bodkin/input"] = input,    -- s->c {prompt, placeholder} -> {value}
    ["bodkin/permit"] = permit,  -- s->c {tool, title, detail, options} -> {choice}
  }
end

return M
