-- :Bodkin and its subcommands, one row per subcommand.
local M = {}

local client_of = require("bodkin.client")
local extensions = require("bodkin.extensions")

-- Runs action(client, buffer), or reports why there is no server.
local function with_client(action)
  local buffer = vim.api.nvim_get_current_buf()
  local client, reason = client_of.attach(buffer)
  if not client then
    return client_of.warn(reason)
  end
  action(client, buffer)
end

-- For commands that need a server but no file: the buffer's server, else any.
local function with_any(action)
  local client = client_of.of(vim.api.nvim_get_current_buf()) or client_of.all()[1]
  if not client then
    return client_of.warn("no server is running; open a file to start it")
  end
  action(client)
end

local function document(buffer)
  return { uri = vim.uri_from_bufnr(buffer) }
end

-- A command's range as whole lines; without a range, an empty range at the cursor.
local function range_of(command, buffer)
  if command.range > 0 then
    return { start = { line = command.line1 - 1, character = 0 }, ["end"] = { line = command.line2, character = 0 } }
  end
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local indent = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1]:match("^%s*")
  local at = { line = row, character = #indent }
  return { start = at, ["end"] = at }
end

local sessions = {} -- client id -> the session of its last ask

-- Runs when an ask has started.
local function started(client, what)
  return function(result)
    sessions[client.id] = result and result.sessionId
    client_of.notify(what .. " (:Bodkin cancel, :Bodkin log)")
    client_of.event("BodkinAsk")
  end
end

local plan -- {client, session} of the last ask, if it ended with a plan

--- An ask has ended.
function M.ended(params, client)
  plan = params.plan and { client = client, session = params.sessionId } or nil
  if plan then
    client_of.notify("the plan is in :Bodkin log; :Bodkin carryout carries it out")
  end
end

-- The plan is in the conversation: the next ask goes on there, and may edit.
local function carry_out()
  local client = plan and client_of.by_id(plan.client)
  if not client then
    return client_of.warn("there is no plan to carry out; :Bodkin ask /plan … makes one")
  end
  require("bodkin.log").line("carry out the plan")
  client_of.execute(client, "bodkin.ask", { sessionId = plan.session, profile = "tools" },
    started(client, "carrying out the plan"))
end

-- Runs action(prompt) with the command's arguments, or with the user's input.
local function with_prompt(words, question, action)
  local function go(prompt)
    prompt = vim.trim(prompt or "")
    if prompt ~= "" then
      action(prompt)
    end
  end
  if words ~= "" then
    return go(words)
  end
  require("bodkin.complete").input(question, go)
end

local function ask(command, words)
  with_client(function(client, buffer)
    local arguments = { textDocument = document(buffer), range = range_of(command, buffer) }
    local question = command.range > 0 and "Ask bodkin about the selection: " or "Ask bodkin: "
    if command.bang then
      arguments.sessionId = sessions[client.id]
      if not arguments.sessionId then
        return client_of.warn("no conversation to continue yet; start one with :Bodkin ask, or choose one with :Bodkin resume")
      end
      question = "Continue: "
    end
    with_prompt(words, question, function(prompt)
      arguments.prompt = prompt
      require("bodkin.log").line("ask: " .. prompt)
      client_of.execute(client, "bodkin.ask", arguments, started(client, "working on it"), buffer)
    end)
  end)
end

-- Chooses a session, of this or an earlier run, that :Bodkin! ask goes on with.
local function resume()
  with_any(function(client)
    client_of.request(client, extensions.list_sessions, vim.empty_dict(), function(result)
      local found = result and result.sessions or {}
      if #found == 0 then
        return client_of.notify("no sessions in this workspace yet")
      end
      vim.ui.select(found, {
        prompt = "Which session?",
        format_item = function(session)
          return os.date("%Y-%m-%d %H:%M", math.floor(session.used / 1000)) .. "  " .. client_of.plain(session.title)
        end,
      }, function(session)
        if session then
          sessions[client.id] = session.id
          client_of.notify((":Bodkin! ask goes on with “%s”"):format(client_of.plain(session.title)))
        end
      end)
    end)
  end)
end

local function fix(command)
  with_client(function(client, buffer)
    local first, last = command.line1 - 1, command.line2 - 1
    local whole = command.range > 0 and first == 0 and last == vim.api.nvim_buf_line_count(buffer) - 1
    client_of.when_ready(client, function()
      local encoding = client.offset_encoding or "utf-16"
      local list = require("bodkin.diagnostics").list
      local diagnostics = whole and list(buffer, encoding) or list(buffer, encoding, first, last)
      if #diagnostics == 0 then
        return client_of.warn(whole and "no diagnostics in this file"
          or "no diagnostics here; :%Bodkin fix covers the whole file")
      end
      local arguments = { textDocument = document(buffer), diagnostics = diagnostics }
      if not whole then
        arguments.range = { start = { line = first, character = 0 }, ["end"] = { line = last + 1, character = 0 } }
      end
      require("bodkin.log").line("fix: " .. diagnostics[1].message)
      local what = #diagnostics == 1 and "fixing a problem" or ("fixing %d problems"):format(#diagnostics)
      client_of.execute(client, "bodkin.fix", arguments, started(client, what), buffer)
    end)
  end)
end

-- The named proposal, else that of the preview in this tab, else the newest.
local function with_proposal(id, action)
  local proposal, reason
  if id == "" then
    proposal = require("bodkin.diff").here()
  end
  if not proposal then
    proposal, reason = require("bodkin.proposals").find(id)
  end
  if not proposal then
    return client_of.warn(reason)
  end
  action(proposal)
end

-- Showing an older one is harmless, and later commands apply to the one that is shown.
local function diff(_, id)
  local proposals = require("bodkin.proposals")
  local open = id == "" and not require("bodkin.diff").here() and proposals.pending()[1]
  if open then
    return require("bodkin.diff").open(open)
  end
  with_proposal(id, require("bodkin.diff").open)
end

-- Without an id the server undoes what was applied last.
local function undo(_, id)
  local proposals = require("bodkin.proposals")
  if id ~= "" and proposals.find(id) then
    return with_proposal(id, proposals.undo)
  end
  with_any(function(client) -- the server also knows those of earlier runs
    client_of.execute(client, "bodkin.undo", { proposalId = id ~= "" and id or nil })
  end)
end

-- Shows the open questions, and sends the user's choice. Only on request: a window that pops up would take what is being
-- typed as the answer.
local function answer()
  with_any(function(client)
    local at = { line = 0, character = 0 }
    client_of.request(client, "textDocument/codeAction", {
      textDocument = document(vim.api.nvim_get_current_buf()),
      range = { start = at, ["end"] = at },
      context = { diagnostics = {}, only = { extensions.question_kind } },
    }, function(actions)
      if not actions or #actions == 0 then
        return client_of.notify("no open questions")
      end
      vim.ui.select(actions, {
        prompt = "bodkin asks:",
        format_item = function(action)
          return (action.title:gsub("^bodkin: ", ""))
        end,
      }, function(action)
        if not action then
          return
        end
        local command = type(action.command) == "table" and action.command or action
        local arguments = command.arguments[1]
        local function send()
          client_of.execute(client, command.command, arguments, function(result)
            if result.state ~= "shown" then
              client_of.notify(result.state)
            elseif not vim.lsp.handlers["window/showDocument"] then
              require("bodkin.log").open() -- it came as a message
            end
          end)
        end
        if arguments.choice ~= "reject" then
          return send()
        end
        vim.ui.input({ prompt = "Why not? (empty: the ask ends; else the model is told): " }, function(reason)
          if reason and vim.trim(reason) ~= "" then
            arguments.reason = vim.trim(reason)
          end
          send()
        end)
      end)
    end)
  end)
end

-- Shows the mode, or sets it: confirm, auto, human or plan.
local function mode(_, wanted)
  with_any(function(client)
    if wanted == "" then
      return client_of.notify("the mode is " .. (require("bodkin.log").status().mode or "confirm"))
    end
    client_of.execute(client, "bodkin.setMode", { mode = wanted }, function(result)
      client_of.notify("the mode is " .. result.mode)
    end)
  end)
end

local function refine(_, words)
  with_proposal("", function(proposal)
    local client = client_of.by_id(proposal.client)
    if not client then
      return client_of.warn("the server that made this proposal is no longer running")
    end
    with_prompt(words, "Change the proposal: ", function(prompt)
      require("bodkin.log").line("refine: " .. prompt)
      client_of.execute(client, "bodkin.ask", { proposalId = proposal.id, prompt = prompt },
        started(client, "changing the proposal"))
    end)
  end)
end

-- :Bodkin model NAME selects the model with this name or title; without a name it shows a menu.
local function model(_, wanted)
  with_any(function(client)
    local function take(choice)
      if choice then
        client_of.execute(client, "bodkin.selectModel", {
          provider = choice.provider,
          name = choice.name,
        },
          function(result)
            client_of.notify(("the model is %s. %s"):format(result.model, result.message or ""))
          end)
      end
    end
    client_of.execute(client, "bodkin.selectModel", {}, function(result)
      local models = result.models or {}
      if #models == 0 then
        return client_of.warn("no model is reachable; :Bodkin check shows what was tried")
      end
      if wanted == "" then
        return vim.ui.select(models, {
          prompt = "Which model?",
          format_item = function(item)
            return item.title .. ((item.detail or "") ~= "" and " (" .. item.detail .. ")" or "")
          end,
        }, take)
      end
      for _, one in ipairs(models) do
        if one.name == wanted or one.title == wanted then
          return take(one)
        end
      end
      client_of.warn(("unknown model %s; :Bodkin model lists the reachable ones"):format(wanted))
    end)
  end)
end

-- Shows a text from the server.
local function show(name)
  return function()
    with_any(function(client)
      client_of.execute(client, name, {}, function(result)
        vim.api.nvim_echo({ { client_of.plain(vim.trim(result.text or "")) } }, true, {})
      end)
    end)
  end
end

local function reply(_, register)
  with_client(function(client, buffer)
    register = register ~= "" and register or (vim.fn.has("clipboard") == 1 and "+" or '"')
    local text = vim.fn.getreg(register)
    if text == "" then
      return client_of.warn(("register %s is empty; copy a chat's answer first"):format(register))
    end
    client_of.execute(client, "bodkin.applyReply", { text = text, textDocument = document(buffer) }, nil, buffer)
  end)
end

local function prompt(command, words)
  with_client(function(client, buffer)
    local arguments = { textDocument = document(buffer), range = range_of(command, buffer), prompt = words }
    client_of.execute(client, "bodkin.copyPrompt", arguments, function(result)
      local register = vim.fn.has("clipboard") == 1 and "+" or '"'
      vim.fn.setreg(register, result.text)
      client_of.notify(("the prompt is in register %s; paste it into a chat, copy the answer, then run :Bodkin reply"):format(register))
    end, buffer)
  end)
end

local function status()
  with_any(function(client)
    client_of.request(client, extensions.status, vim.empty_dict(), function(result)
      local usage = result.usage or {}
      local lines = {
        "bodkin",
        "  model      " .. ((result.model or "") ~= "" and result.model or "none: set an API key in the environment or start Ollama"),
        "  mode       " .. (result.mode or "confirm"),
        "  sent to    " .. ((result.host or "") ~= "" and result.host or "nowhere"),
        "  asks       " .. #(result.asks or {}),
        "  proposals  " .. (result.proposals or 0),
        ("  tokens     %d in, %d out"):format(usage.input or 0, usage.output or 0),
      }
      vim.api.nvim_echo({ { client_of.plain(table.concat(lines, "\n")) } }, true, {})
    end)
  end)
end

local function proposal_ids()
  return vim.tbl_map(function(proposal)
    return proposal.id
  end, require("bodkin.proposals").pending())
end

-- name -> {run(command, rest), complete()?, complete_text?}; complete_text: the rest is a request
local subcommands = {
  ask = { run = ask, complete_text = true },
  carryout = { run = carry_out },
  fix = { run = fix },
  apply = {
    run = function(_, id)
      with_proposal(id, require("bodkin.proposals").apply)
    end,
    complete = proposal_ids,
  },
  hunk = {
    run = function()
      require("bodkin.diff").apply_here()
    end,
  },
  discard = {
    run = function(_, id)
      with_proposal(id, require("bodkin.proposals").discard)
    end,
    complete = proposal_ids,
  },
  diff = { run = diff, complete = proposal_ids },
  undo = {
    run = undo,
    complete = function()
      return require("bodkin.proposals").applied()
    end,
  },
  answer = { run = answer },
  resume = { run = resume },
  cancel = {
    run = function()
      with_any(function(client)
        client_of.execute(client, "bodkin.cancel", {})
      end)
    end,
  },
  refine = { run = refine, complete_text = true },
  mode = {
    run = mode,
    complete = function()
      return { "confirm", "auto", "human", "plan" }
    end,
  },
  model = { run = model },
  check = { run = show("bodkin.check") },
  usage = { run = show("bodkin.usage") },
  reply = { run = reply },
  prompt = { run = prompt, complete_text = true },
  status = { run = status },
  log = {
    run = function()
      require("bodkin.log").open()
    end,
  },
  restart = {
    run = function()
      client_of.restart()
    end,
  },
}

local function names()
  local result = vim.tbl_keys(subcommands)
  table.sort(result)
  return result
end

--- command: as nvim_create_user_command gives it.
function M.run(command)
  local name, rest = command.args:match("^%s*(%S*)%s*(.-)%s*$")
  local subcommand = subcommands[name]
  if not subcommand then
    return client_of.warn((name == "" and "which command? " or ("unknown command :Bodkin %s. "):format(name))
      .. "One of: " .. table.concat(names(), ", "))
  end
  subcommand.run(command, rest)
end

-- Neovim replaces the last word, `lead`; completions that begin before it cannot be offered.
local function complete_request(text, lead)
  local before = text:sub(1, #text - #lead)
  local result = {}
  for _, whole in ipairs(require("bodkin.complete").texts(text)) do
    if vim.startswith(whole, before) then
      table.insert(result, whole:sub(#before + 1))
    end
  end
  return result
end

function M.complete(lead, line, position)
  line = line:sub(1, position or #line)
  local name, rest = line:match("Bodkin!?%s+(%S+)%s+(.*)$")
  local subcommand = name and subcommands[name]
  if subcommand and subcommand.complete_text then
    return complete_request(rest, lead)
  end
  local candidates = names()
  if name then
    candidates = subcommand and subcommand.complete and subcommand.complete() or {}
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

return M
