-- Requests to the model, from commands and maps: what they are about, their words, and the conversation.
local M = {}

local asks = require("bodkin.asks")
local client_of = require("bodkin.client")
local selection_of = require("bodkin.selection")

-- Runs action(client, buffer), or reports why there is no server.
local function with_client(action)
  local buffer = vim.api.nvim_get_current_buf()
  local client, reason = client_of.attach(buffer)
  if not client then
    return client_of.warn(reason)
  end
  action(client, buffer)
end

-- For commands that need a server but no file: the buffer's server, which is started if it is a file, else any. It runs
-- action(client) when the server is ready.
function M.with_any(action)
  local client, reason = client_of.attach(vim.api.nvim_get_current_buf())
  client = client or client_of.all()[1]
  if not client then
    return client_of.warn("no server is running: " .. reason)
  end
  client_of.when_ready(client, function()
    action(client)
  end)
end

local function document(buffer)
  return { uri = vim.uri_from_bufnr(buffer) }
end

local function encoding_of(client)
  return client.offset_encoding or "utf-16"
end

local copied -- the prompt that was copied last

local function copy_prompt(client, buffer, arguments)
  client_of.execute(client, "bodkin.copyPrompt", arguments, function(result)
    local has_clipboard = vim.fn.has("clipboard") == 1
    local register = has_clipboard and "+" or '"'
    vim.fn.setreg(register, result.text)
    copied = vim.trim(result.text)
    if not has_clipboard then
      return client_of.notify("there is no clipboard: prompt in register \"", vim.log.levels.WARN, nil, ":help clipboard")
    end
    client_of.notify(("prompt in register %s; paste it into a chat, then :Bodkin reply"):format(register))
  end, buffer)
end

-- Runs action(prompt) with the command's words, or with what the user types.
local function with_prompt(words, options, action)
  words = vim.trim(words or "")
  if words ~= "" then
    return action(words)
  end
  require("bodkin.prompt").open(options, function(prompt)
    if prompt then
      action(prompt)
    end
  end)
end

-- Sends an ask in the file's conversation, or in the one of the last ask if `command.bang`.
function M.ask(command, words)
  with_client(function(client, buffer)
    local selection = selection_of.of_command(command, buffer)
    local place = selection_of.words(selection, buffer)
    local uri = document(buffer).uri
    local title = "Ask about " .. place
    local session = asks.session_of(client, uri)
    if command.bang then
      session = asks.newest(client)
      if not session then
        return client_of.warn("no session to continue yet (:Bodkin ask, :Bodkin sessions)")
      end
      title = "Continue: " .. place
    end
    local row = vim.api.nvim_win_get_cursor(0)[1] - 1
    local host = require("bodkin.status").get().host or ""
    -- At once, even while the server starts: what is typed must not go into the file.
    with_prompt(words, {
      title = title .. (host ~= "" and " → " .. host or ""),
      range = selection and { selection.first, selection.last },
    }, function(prompt)
      client_of.when_ready(client, function()
        local arguments = { textDocument = { uri = uri }, range = selection_of.range(selection, buffer, encoding_of(client), row),
          prompt = prompt, sessionId = session, whenBusy = session and "queue" or nil }
        require("bodkin.models").with_model(client, function()
          asks.send({ client = client.id, command = "bodkin.ask", arguments = arguments, title = prompt, place = place,
            doing = "working on it", uri = uri, buffer = buffer })
        end, function()
          copy_prompt(client, buffer, { textDocument = arguments.textDocument, range = arguments.range, prompt = prompt })
        end)
      end)
    end)
  end)
end

-- Begins a conversation about the file, with a request if there are words.
function M.new(command, words)
  with_client(function(client, buffer)
    asks.begin_anew(client, document(buffer).uri)
    if words == "" and command.range == 0 then
      return client_of.notify("the next ask about this file begins a new session")
    end
    M.ask(command, words)
  end)
end

-- Chooses a session, of this or an earlier run, in which the asks of this file go on; or renames or deletes one.
function M.sessions(_, what)
  local sessions = require("bodkin.sessions")
  if what ~= "" and what ~= "rename" and what ~= "delete" then
    return client_of.warn(":Bodkin sessions takes nothing, rename or delete")
  end
  M.with_any(function(client)
    if what ~= "" then
      return sessions[what](client)
    end
    sessions.choose(client, "Which session?", function(session)
      local buffer = vim.api.nvim_get_current_buf()
      asks.go_on(client, vim.bo[buffer].buftype == "" and document(buffer).uri or nil, session.id)
      client_of.notify((":Bodkin ask goes on with “%s”"):format(client_of.plain(session.title)))
    end)
  end)
end

function M.fix(command)
  with_client(function(client, buffer)
    local first, last = command.line1 - 1, command.line2 - 1
    local whole = command.range > 0 and first == 0 and last == vim.api.nvim_buf_line_count(buffer) - 1
    client_of.when_ready(client, function()
      local encoding = encoding_of(client)
      local list = require("bodkin.diagnostics").list
      local diagnostics = whole and list(buffer, encoding) or list(buffer, encoding, first, last)
      if #diagnostics == 0 then
        return client_of.notify(whole and "no diagnostics in this file"
          or "no diagnostics here; :%Bodkin fix covers the whole file", vim.log.levels.WARN)
      end
      local arguments = { textDocument = document(buffer), diagnostics = diagnostics }
      if not whole then
        arguments.range = { start = { line = first, character = 0 }, ["end"] = { line = last + 1, character = 0 } }
      end
      require("bodkin.models").with_model(client, function()
        asks.send({
          client = client.id,
          command = "bodkin.fix",
          arguments = arguments,
          title = "Fix: " .. diagnostics[1].message:match("^[^\n]*")
            .. (#diagnostics > 1 and (" and %d more"):format(#diagnostics - 1) or ""),
          place = selection_of.words({ first = first + 1, last = last + 1 }, buffer),
          doing = #diagnostics == 1 and "fixing a problem" or ("fixing %d problems"):format(#diagnostics),
          buffer = buffer,
        })
      end, function()
        copy_prompt(client, buffer, arguments)
      end)
    end)
  end)
end

function M.refine(_, words)
  require("bodkin.proposals").with("", function(proposal)
    local client = client_of.of_proposal(proposal)
    if not client then
      return
    end
    with_prompt(words, { title = "Change the proposal" }, function(prompt)
      asks.send({ client = client.id, command = "bodkin.ask", arguments = { proposalId = proposal.id, prompt = prompt },
        title = prompt, place = "the proposal “" .. client_of.plain(proposal.title) .. "”", doing = "changing the proposal",
        uri = proposal.uris[1] })
    end)
  end)
end

function M.reply(_, register)
  with_client(function(client, buffer)
    register = register ~= "" and register or (vim.fn.has("clipboard") == 1 and "+" or '"')
    local text = vim.fn.getreg(register)
    if text == "" then
      return client_of.warn(("register %s is empty; copy a chat's answer first"):format(register))
    elseif vim.trim(text) == copied then
      return client_of.warn(("register %s has the prompt; copy the chat's answer first"):format(register))
    end
    client_of.execute(client, "bodkin.applyReply", { text = text, textDocument = document(buffer) }, nil, buffer)
  end)
end

function M.prompt(command, words)
  with_client(function(client, buffer)
    local selection = selection_of.of_command(command, buffer)
    client_of.when_ready(client, function()
      copy_prompt(client, buffer, { textDocument = document(buffer),
        range = selection_of.range(selection, buffer, encoding_of(client)), prompt = words })
    end)
  end)
end

--- For maps: the selection of Visual mode, or the cursor.
local function here()
  local visual = vim.fn.mode():find("^[vV\22]") ~= nil
  local buffer = vim.api.nvim_get_current_buf()
  local selection = visual and selection_of.of_visual(buffer) or nil
  local line = vim.api.nvim_win_get_cursor(0)[1]
  return { selection = selection, range = selection and 2 or 0, line1 = selection and selection.first or line,
    line2 = selection and selection.last or line }
end

function M.ask_here(words)
  M.ask(here(), words or "")
end

function M.fix_here()
  M.fix(here())
end

return M
