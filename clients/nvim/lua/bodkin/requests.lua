-- Requests to the model, from commands and maps: what they are about, their words, and the conversation.
-- More than 350 lines: a function for each command that asks.
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

-- The clients in this state, as the server says it ("waiting"), or in any but idle.
local function in_state(state)
  return vim.tbl_filter(function(client)
    local now = require("bodkin.status").get(client.id).state
    return state and now == state or (not state and now ~= "idle")
  end, client_of.all())
end

-- The client of what is looked at, where this buffer has none: of the window of before, of another in this tab, the one
-- that works, else the newest.
local function client_nearby()
  local windows = vim.list_extend({ vim.fn.win_getid(vim.fn.winnr("#")) }, vim.api.nvim_tabpage_list_wins(0))
  for _, window in ipairs(windows) do
    local client = vim.api.nvim_win_is_valid(window) and client_of.of(vim.api.nvim_win_get_buf(window))
    if client then
      return client
    end
  end
  local all = client_of.all()
  return in_state()[1] or all[#all]
end

-- The buffer's server, else one nearby, else the one of the working folder, which are started if necessary; or nil and the
-- reason. Also returns whether the server has the buffer's text.
local function any_client(buffer)
  local client, reason = client_of.attach(buffer)
  if client then
    return client, nil, true
  end
  client = client_nearby()
  if not client then
    client, reason = client_of.of_folder()
  end
  return client, reason, false
end

-- For commands that need a server but no file: runs action(client) when the server is ready. `state`: rather one in this state.
function M.with_any(action, state)
  local client, reason = any_client(vim.api.nvim_get_current_buf())
  local wanted = state and in_state(state) or {}
  if #wanted > 0 and not vim.tbl_contains(wanted, client) then
    client = wanted[1]
  end
  if not client then
    return client_of.warn(reason)
  end
  client_of.when_ready(client, function()
    action(client)
  end)
end

local function document(buffer)
  return { uri = require("bodkin.files").of_buffer(buffer) }
end

local function encoding_of(client)
  return client.offset_encoding or "utf-16"
end

-- Cancels what the buffer's server does; if that does nothing, what any does.
function M.cancel()
  local busy = in_state()
  local own = client_of.of(vim.api.nvim_get_current_buf())
  if #busy == 0 then
    return M.with_any(function(client)
      client_of.execute(client, "bodkin.cancel", {})
    end)
  end
  for _, client in ipairs(vim.tbl_contains(busy, own) and { own } or busy) do
    client_of.execute(client, "bodkin.cancel", {})
  end
end

local copied -- the prompt that was copied last

function M.copy_prompt(client, buffer, arguments)
  client_of.execute(client, "bodkin.copyPrompt", arguments, function(result)
    local has_clipboard = vim.fn.has("clipboard") == 1
    local register = has_clipboard and "+" or '"'
    vim.fn.setreg(register, result.text)
    copied = vim.trim(result.text)
    if not has_clipboard then
      return client_of.notify("no clipboard: prompt in register \"", vim.log.levels.WARN, nil, ":help clipboard")
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

-- Sends an ask in the file's conversation, or in the one of the last ask if `command.bang`. `effort`: instead of the
-- setting's. Of a buffer whose text the server does not have (a help page, a terminal) what is selected is quoted, and the ask
-- edits nothing; an empty buffer without a name, or a window of bodkin's, is about the folder.
function M.ask(command, words, effort)
  local window = command.window or vim.api.nvim_get_current_win()
  local buffer = vim.api.nvim_win_get_buf(window)
  local client, reason, is_open = any_client(buffer)
  if not client then
    return client_of.warn(reason)
  end
  local selection = selection_of.of_command(command, buffer)
  local row = vim.api.nvim_win_get_cursor(window)[1] - 1
  local quoted = not is_open and require("bodkin.quoted").of(buffer, selection, row)
  local place = is_open and selection_of.words(selection, buffer, row) or quoted and quoted.place or "this folder"
  local uri = is_open and document(buffer).uri or nil
  local title = "Ask about " .. place
  local session = asks.session_of(client, uri)
  if command.bang then
    session = asks.newest(client)
    if not session then
      return client_of.warn("no session to continue yet (:Bodkin ask, :Bodkin sessions)")
    end
    title = "Continue: " .. place
  end
  local host = require("bodkin.status").get(client.id).host or ""
  -- At once, even while the server starts: what is typed must not go into the file.
  with_prompt(words, {
    title = title .. (host ~= "" and " → " .. host or ""),
    hint = quoted and "What is the question?" or "Ask, or say what should change",
    range = selection and { selection.first, selection.last },
  }, function(prompt)
    client_of.when_ready(client, function()
      local arguments = { prompt = prompt, sessionId = session, whenBusy = session and "queue" or nil, effort = effort }
      if is_open then
        arguments.textDocument = { uri = uri }
        arguments.range = selection_of.range(selection, buffer, encoding_of(client), row)
      elseif quoted then
        arguments.prompt = prompt .. "\n\n" .. quoted.text
        arguments.profile = "explain"
      end
      asks.send({ client = client.id, command = "bodkin.ask", arguments = arguments, title = prompt, place = place,
        doing = quoted and quoted.doing or "working on it", uri = uri, buffer = buffer })
    end)
  end)
end

--- Sends what was typed into the log, about the place in this window, or the folder (nil): it goes on with the last
--- conversation.
function M.ask_in(window, words)
  window = window or vim.api.nvim_get_current_win()
  local client = any_client(vim.api.nvim_win_get_buf(window))
  M.ask({ range = 0, window = window, bang = client ~= nil and asks.newest(client) ~= nil }, words)
end

-- Begins a conversation about the file, with a request if there are words.
function M.new(command, words)
  local buffer = vim.api.nvim_get_current_buf()
  if words ~= "" and client_of.why_not(buffer) and not require("bodkin.files").is_untitled(buffer) then
    return M.ask(command, words) -- each is a new one where there is no file
  end
  with_client(function(client)
    asks.begin_anew(client, document(buffer).uri)
    if words == "" and command.range == 0 then
      return client_of.notify("the next ask about this file begins a new session")
    end
    M.ask(command, words)
  end)
end

-- One of the user's own prompts, by its name.
function M.run(command, words)
  if words == "" then
    return client_of.warn("which prompt? :Bodkin run <Tab> lists those in ~/.config/bodkin/prompts")
  end
  local name = words:match("^%S+")
  local client, reason = any_client(vim.api.nvim_get_current_buf())
  if not client then
    return client_of.warn(reason)
  end
  client_of.when_ready(client, function()
    if not vim.tbl_contains(require("bodkin.complete").texts("/" .. name), "/" .. name .. " ") then
      return client_of.warn(("there is no ~/.config/bodkin/prompts/%s.md"):format(client_of.plain(name)))
    end
    M.ask(command, "/" .. words)
  end)
end

--- Has a message for what is staged written into the commit buffer, which is this one.
function M.commit(_, words)
  local buffer = vim.api.nvim_get_current_buf()
  if vim.bo[buffer].filetype ~= "gitcommit" then
    return client_of.warn("this is no commit buffer; `git commit` opens one, with Neovim as its editor")
  end
  M.with_any(function(client)
    asks.send({ client = client.id, command = "bodkin.ask", arguments = { prompt = vim.trim("/commit " .. words) },
      title = vim.trim("Commit message " .. words), place = "what is staged", doing = "writing a message",
      answered = function(text)
        local lines = vim.split(vim.trim(text:gsub("^%s*```%w*\n(.-)\n```%s*$", "%1")), "\n", { plain = true })
        if vim.api.nvim_buf_is_loaded(buffer) and lines[1] ~= "" then
          vim.api.nvim_buf_set_lines(buffer, 0, 0, false, lines)
          client_of.notify("the message is in the commit buffer, to be read before it is used")
        end
      end })
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
      asks.go_on(client, client_of.of(buffer) and document(buffer).uri or nil, session.id)
      sessions.read(client, session, function()
        client_of.notify((":Bodkin ask goes on with “%s”"):format(client_of.plain(session.title)), nil, nil, ":Bodkin log")
      end)
    end)
  end)
end

-- "a.py, lines 2–3": where a range of LSP is.
local function place_of(range, buffer)
  local last = range and range["end"].line + (range["end"].character > 0 and 1 or 0)
  return selection_of.words(range and { first = range.start.line + 1, last = math.max(last, range.start.line + 1) }, buffer)
end

local function send_fix(client, buffer, arguments)
  local diagnostics = arguments.diagnostics or {}
  local first = diagnostics[1] and diagnostics[1].message:match("^[^\n]*") or "the problems"
  asks.send({
    client = client.id,
    command = "bodkin.fix",
    arguments = arguments,
    title = "Fix: " .. first .. (#diagnostics > 1 and (" and %d more"):format(#diagnostics - 1) or ""),
    place = place_of(arguments.range, buffer),
    doing = #diagnostics == 1 and "fixing a problem" or ("fixing %d problems"):format(#diagnostics),
    buffer = buffer,
  })
end

--- A code action that asks a model: bodkin.ask or bodkin.fix with the server's arguments, in which a prompt may be missing.
function M.of_action(client, buffer, command, given)
  local arguments = vim.deepcopy(given)
  if command == "bodkin.fix" then
    return send_fix(client, buffer, arguments)
  end
  local place = place_of(arguments.range, buffer)
  local uri = arguments.textDocument and require("bodkin.files").uri(arguments.textDocument.uri)
  with_prompt(arguments.prompt, { title = "Ask about " .. place }, function(prompt)
    arguments.prompt = prompt
    if not arguments.profile then
      arguments.sessionId = arguments.sessionId or asks.session_of(client, uri)
      arguments.whenBusy = arguments.sessionId and "queue" or nil
    end
    asks.send({ client = client.id, command = command, arguments = arguments, title = prompt, place = place,
      doing = "working on it", uri = uri, buffer = buffer })
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
      send_fix(client, buffer, arguments)
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

-- Runs action(client, buffer, document), of no document where the server does not have the buffer's text.
local function with_client_anywhere(action)
  local buffer = vim.api.nvim_get_current_buf()
  local client, reason, is_open = any_client(buffer)
  if not client then
    return client_of.warn(reason)
  end
  action(client, buffer, is_open and document(buffer) or nil)
end

function M.reply(_, register)
  with_client_anywhere(function(client, buffer, here)
    register = register ~= "" and register or (vim.fn.has("clipboard") == 1 and "+" or '"')
    local text = vim.fn.getreg(register)
    if text == "" then
      return client_of.warn(("register %s is empty; copy a chat's answer first"):format(register))
    elseif vim.trim(text) == copied then
      return client_of.warn(("register %s has the prompt; copy the chat's answer first"):format(register))
    end
    require("bodkin.log").reply(("Reply in register %s"):format(register), text)
    client_of.request(client, "workspace/executeCommand", { command = "bodkin.applyReply",
      arguments = { { text = text, textDocument = here } } }, nil, buffer, function(message, data)
        local reason = message:match("^The edit was refused: (.-)%.?$")
        local hint = data and data.feedback and ":Bodkin log" or nil -- it says what differs, and what to send back
        client_of.notify(reason and "refused: " .. reason or message, vim.log.levels.WARN, nil, hint)
      end)
  end)
end

function M.prompt(command, words)
  with_client_anywhere(function(client, buffer, here)
    local selection = selection_of.of_command(command, buffer)
    local quoted = not here and require("bodkin.quoted").of(buffer, selection)
    client_of.when_ready(client, function()
      M.copy_prompt(client, buffer, { textDocument = here,
        range = here and selection_of.range(selection, buffer, encoding_of(client)),
        prompt = quoted and vim.trim(words .. "\n\n" .. quoted.text) or words })
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
