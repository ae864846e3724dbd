-- Runs the scenario of $SCENARIO in this Neovim: a Lua file that gets `t`, this table. A failed expectation
-- ends Neovim with exit code 1 and everything that was seen on the way.
local t = { seen = {}, messages = {} }

local work, top = vim.env.WORK, vim.env.TOP
-- Milliseconds until a wait is given up; no step is timed.
local limit = tonumber(vim.env.E2E_LIMIT or "30000")

local function say(text)
  table.insert(t.seen, text)
end

function t.fail(text)
  local lines = { "failed: " .. text, "seen:" }
  for _, seen in ipairs(t.seen) do
    table.insert(lines, "  " .. seen)
  end
  local log = vim.fn.bufnr("bodkin://log")
  if log > 0 then
    table.insert(lines, "the log:")
    for _, line in ipairs(vim.api.nvim_buf_get_lines(log, 0, -1, false)) do
      table.insert(lines, "  " .. line)
    end
  end
  io.stdout:write(table.concat(lines, "\n"), "\n")
  io.stdout:flush()
  os.exit(1)
end

function t.skip(reason)
  io.stdout:write(reason, "\n")
  io.stdout:flush()
  os.exit(77)
end

function t.wait(what, condition)
  if not vim.wait(limit, function()
    return condition() and true or false
  end, 10) then
    t.fail("waited in vain for " .. what)
  end
end

function t.equal(actual, expected, what)
  if not vim.deep_equal(actual, expected) then
    t.fail(("%s\n  expected: %s\n  actual:   %s"):format(what, vim.inspect(expected), vim.inspect(actual)))
  end
end

function t.contains(text, part, what)
  if not text or not text:find(part, 1, true) then
    t.fail(("%s: %s does not contain %s"):format(what, vim.inspect(text), vim.inspect(part)))
  end
end

-- Files and texts ------------------------------------------------------------------------------------

function t.path(name)
  return work .. "/" .. name
end

function t.write(name, text)
  vim.fn.mkdir(vim.fn.fnamemodify(t.path(name), ":h"), "p")
  local file = assert(io.open(t.path(name), "wb"))
  file:write(text)
  file:close()
end

function t.read(name)
  local file = io.open(t.path(name), "rb")
  if not file then
    return nil
  end
  local text = file:read("*a")
  file:close()
  return text
end

function t.buffer(name)
  return vim.fn.bufnr("^" .. t.path(name) .. "$")
end

--- The buffer's text with "\n" after each line.
function t.text(name)
  return table.concat(vim.api.nvim_buf_get_lines(t.buffer(name), 0, -1, false), "\n") .. "\n"
end

function t.block(path, search, replace)
  return ("%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n"):format(path, search, replace)
end

-- bodkin ---------------------------------------------------------------------------------------------

-- The settings for a recorded model. turns: a list of strings, or of turns in the replay's form.
local function replay_settings(turns, settings)
  local replay = { name = "scenario", turns = {} }
  for _, turn in ipairs(turns or {}) do
    if type(turn) == "string" then
      turn = { reply = { text = turn, stop_reason = "end_turn" }, chunk_bytes = 7 }
    end
    turn.expect = turn.expect or {}
    if #turn.expect == 0 then
      turn.expect = nil
    end
    table.insert(replay.turns, turn)
  end
  if #replay.turns > 0 then
    -- Beside the workspace: the model's recording is not part of the user's project.
    local file = work .. "-replay.json"
    vim.fn.writefile({ vim.fn.json_encode(replay) }, file)
    -- One proposal is one, however slow the checks of this machine are.
    settings = vim.tbl_deep_extend("force", { model = { provider = "replay", name = file }, verify = { showAfterMs = 600000 } },
      settings or {})
  end
  return settings or {}
end

--- Sets the plugin up with a recorded model.
-- `options`: of setup{}, beside these.
function t.setup(turns, settings, options)
  require("bodkin").setup(vim.tbl_extend("force", { cmd = { vim.env.BODKIN }, settings = replay_settings(turns, settings) },
    options or {}))
end

--- Opens a file and waits until bodkin is there.
function t.open(name)
  vim.cmd("edit " .. t.path(name))
  t.wait("bodkin to attach to " .. name, function()
    local client = require("bodkin.client").of(t.buffer(name))
    return client and client.initialized
  end)
end

local proposals = {}

local function proposal_state()
  return proposals[#proposals]
end

--- The newest proposal, once there are `count` in all.
function t.proposal(count)
  t.wait("proposal " .. (count or 1), function()
    return #proposals >= (count or 1)
  end)
  return proposal_state()
end

function t.proposals()
  return #proposals
end

function t.state(proposal, wanted)
  t.wait("the state " .. wanted .. " (it is " .. proposal.state .. ")", function()
    return proposal.state == wanted
  end)
end

--- Waits until the state is neither ready nor applying.
function t.outcome(proposal)
  t.wait("the outcome", function()
    return proposal.state ~= "ready" and proposal.state ~= "applying"
  end)
  return proposal.state
end

t.ended = {} -- what bodkin/didEndAsk said

function t.end_of_ask(count)
  t.wait("the end of the ask", function()
    return #t.ended >= (count or 1)
  end)
  return t.ended[count or 1]
end

--- A message to the user that contains this text.
function t.message(part)
  t.wait("a message with " .. part, function()
    for _, message in ipairs(t.messages) do
      if message:lower():find(part:lower(), 1, true) then
        return true
      end
    end
  end)
end

--- A message that contains this text, or the log has it: where there is no room for it, a message is cut.
function t.told(part)
  t.wait("words with " .. part, function()
    local texts = vim.list_extend({ t.log() }, t.messages)
    for _, text in ipairs(texts) do
      if text:lower():find(part:lower(), 1, true) then
        return true
      end
    end
  end)
end

--- The text of :Bodkin log.
function t.log()
  return table.concat(vim.api.nvim_buf_get_lines(require("bodkin.log").buffer(), 0, -1, false), "\n")
end

--- The text of the floating window that is entered, once there is one.
function t.float()
  t.wait("a floating window", function()
    return vim.api.nvim_win_get_config(0).relative ~= ""
  end)
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

--- Types keys, as a person would: with all maps, until nothing is left.
function t.keys(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), "xt", false)
end

--- What is drawn in a file: "row: text" of each virtual line, with its highlight groups joined by "+".
function t.drawn(name)
  local result = {}
  local marks = vim.api.nvim_buf_get_extmarks(t.buffer(name), vim.api.nvim_create_namespace("bodkin_review"), 0, -1, { details = true })
  for _, mark in ipairs(marks) do
    for _, line in ipairs(mark[4].virt_lines or {}) do
      local text, groups = "", {}
      for _, chunk in ipairs(line) do
        text = text .. chunk[1]
        groups[#groups + 1] = chunk[2]
      end
      table.insert(result, { row = mark[2], text = (text:gsub("%s+$", "")), groups = groups, above = mark[4].virt_lines_above or false })
    end
    if mark[4].hl_group == "BodkinDelete" then
      table.insert(result, { row = mark[2], deleted = true })
    end
  end
  return result
end

-- Another Neovim, with a screen and a keyboard ---------------------------------------------------------

--- Starts a Neovim of 80 columns with the plugin; turns, settings, options: as for setup. What is typed there goes the way
--- of a person's keys, so that it is seen what they meet with. `slow`: milliseconds by which answers about proposals are late.
function t.screen(turns, settings, options, slow)
  local s = {}
  -- What it draws is not read as RPC: two Neovims answer each other's complaints without end.
  local socket = vim.fn.tempname()
  local job = vim.fn.jobstart({ vim.env.EDITOR_UNDER_TEST, "--embed", "--listen", socket, "-u", "NONE", "-i", "NONE", "-n" },
    { cwd = work, on_stdout = function() end })
  vim.fn.chansend(job, vim.fn.msgpackdump({ { 0, 1, "nvim_ui_attach", { 80, 24, vim.empty_dict() } } }))
  local child
  t.wait("the other Neovim", function()
    local isThere, channel = pcall(vim.fn.sockconnect, "pipe", socket, { rpc = true })
    child = isThere and channel > 0 and channel or nil
    return child ~= nil
  end)

  function s.mode()
    return vim.fn.rpcrequest(child, "nvim_get_mode").mode
  end

  --- Runs Lua there. A question for <Enter> would never answer: it fails the scenario.
  function s.lua(code, ...)
    local waits = s.mode()
    if waits:find("^r") then
      t.fail("the other Neovim waits for a key: " .. waits .. "\n" .. table.concat(s.rows or {}, "\n"))
    end
    return vim.fn.rpcrequest(child, "nvim_exec_lua", code, { ... })
  end

  --- Types keys; it does not wait for what they do.
  function s.keys(keys)
    vim.fn.rpcrequest(child, "nvim_input", keys)
  end

  --- Waits until Lua says true there.
  function s.wait(what, code, ...)
    local arguments = { ... }
    t.wait(what, function()
      return s.lua(code, unpack(arguments))
    end)
  end

  --- The text of a buffer there, with "\n" after each line.
  function s.text(name)
    return s.lua([[return table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr("^" .. ... .. "$"), 0, -1, false), "\n") .. "\n"]],
      t.path(name))
  end

  --- The screen's rows.
  function s.screen()
    return s.lua([[
      vim.cmd("redraw")
      local rows = {}
      for row = 1, vim.o.lines do
        local cells = {}
        for column = 1, vim.o.columns do
          cells[column] = vim.fn.screenstring(row, column)
        end
        rows[row] = (table.concat(cells):gsub("%s+$", ""))
      end
      return rows
    ]])
  end

  --- What was said there, oldest first.
  function s.said()
    return s.lua("return vim.fn.execute('messages')")
  end

  function s.stop()
    vim.fn.jobstop(job)
  end

  s.lua([[
    local top, program, settings, options, slow = ...
    vim.opt.runtimepath:append(top .. "/clients/nvim")
    vim.cmd("runtime plugin/bodkin.lua")
    require("bodkin").setup(vim.tbl_extend("force", { cmd = { program }, settings = settings }, options))
    local client = require("bodkin.client")
    local request = client.request
    client.request = function(which, method, params, callback, ...)
      if slow > 0 and method == "bodkin/proposalContent" then
        local answered = callback
        callback = function(...)
          local given = { ... }
          vim.defer_fn(function()
            answered(unpack(given))
          end, slow)
        end
      end
      return request(which, method, params, callback, ...)
    end
  ]], top, vim.env.BODKIN, replay_settings(turns, settings), options or vim.empty_dict(), slow or 0)

  --- Opens a file there and waits until bodkin is there, too.
  function s.open(name)
    s.lua("vim.cmd('filetype on'); vim.cmd('edit ' .. ...)", t.path(name))
    s.wait("bodkin to attach", "local client = require('bodkin.client').of(0); return client ~= nil and client.initialized == true")
  end

  --- Waits for a number of proposals that can be taken.
  function s.pending(count)
    s.wait("a proposal", "return #require('bodkin.proposals').pending() == ...", count)
  end

  --- Waits until changes are drawn in the buffer there.
  function s.drawn()
    s.wait("the changes", "return require('bodkin.inline').of(vim.api.nvim_get_current_buf()) ~= nil")
  end
  return s
end

-- Neovim's own client, without the plugin -------------------------------------------------------------

local function request(method, params)
  local answers
  vim.lsp.buf_request_all(0, method, params, function(results)
    answers = results
  end)
  t.wait("the answer to " .. method, function()
    return answers ~= nil
  end)
  for _, answer in pairs(answers) do
    if answer.error or answer.err then
      t.fail(method .. ": " .. vim.inspect(answer.error or answer.err))
    end
    return answer.result
  end
end

--- Opens a file with bodkin as any other server. answer: what the user says to the server's question.
function t.plain(name, turns, answer)
  vim.cmd("edit " .. t.path(name))
  local config = {
    name = "plain",
    cmd = { vim.env.BODKIN },
    root_dir = work,
    init_options = { bodkin = replay_settings(turns) },
    handlers = {
      ["window/showMessageRequest"] = function(_, question)
        say("question: " .. question.message)
        for _, action in ipairs(question.actions or {}) do
          if action.title == answer then
            return action
          end
        end
        return vim.NIL
      end,
    },
  }
  local id
  if vim.lsp.start then
    id = vim.lsp.start(config, { bufnr = 0 })
  else
    id = vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(0, id)
  end
  t.wait("bodkin", function()
    return vim.lsp.buf_is_attached(0, id) and vim.lsp.get_client_by_id(id).initialized
  end)
end

function t.plain_ask(first, last, prompt)
  request("workspace/executeCommand", { command = "bodkin.ask", arguments = { {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    range = { start = { line = first - 1, character = 0 }, ["end"] = { line = last, character = 0 } },
    prompt = prompt,
  } } })
end

-- Opens Neovim's own code action menu and hands its entries to pick(titles), which returns an index or nil.
local function menu(pick)
  local done = false
  vim.ui.select = function(items, options, chosen)
    local titles = vim.tbl_map(options.format_item or tostring, items)
    say("the menu: " .. table.concat(titles, " | "))
    done = true
    local index = pick(titles)
    chosen(index and items[index], index)
  end
  local asked = #t.messages
  vim.lsp.buf.code_action()
  t.wait("the code action menu", function()
    return done or #t.messages > asked -- a message says that there are none
  end)
end

--- Takes the code action whose title begins so.
function t.choose(title)
  menu(function(titles)
    for index, one in ipairs(titles) do
      if vim.startswith(one, title) then
        return index
      end
    end
    t.fail("there is no code action " .. title)
  end)
end

--- The titles of the code actions at the cursor.
function t.offers()
  local result = {}
  menu(function(titles)
    result = titles
  end)
  return result
end

-- clangd ---------------------------------------------------------------------------------------------

function t.clangd()
  if vim.fn.executable("clangd") == 0 then
    t.skip("clangd is not installed")
  end
  vim.api.nvim_create_autocmd("FileType", {
    pattern = { "c", "cpp" },
    callback = function(event)
      local config = { name = "clangd", cmd = { "clangd", "--log=error" }, root_dir = work }
      if vim.lsp.start then
        vim.lsp.start(config, { bufnr = event.buf })
      else
        t.clangd_id = t.clangd_id or vim.lsp.start_client(config)
        vim.lsp.buf_attach_client(event.buf, t.clangd_id)
      end
    end,
  })
end

function t.errors(name)
  return vim.tbl_filter(function(item)
    return item.source ~= "bodkin" and item.severity == vim.diagnostic.severity.ERROR
  end, vim.diagnostic.get(t.buffer(name)))
end

-- ----------------------------------------------------------------------------------------------------

local function start()
  vim.opt.runtimepath:append(top .. "/clients/nvim")
  vim.cmd("runtime plugin/bodkin.lua")
  vim.cmd("filetype on")
  vim.opt.hidden = true
  vim.opt.swapfile = false

  -- Any warning of a deprecated function is a failure: one code for all versions.
  local deprecated = {}
  if vim.deprecate then
    vim.deprecate = function(name)
      table.insert(deprecated, name .. "\n" .. debug.traceback())
    end
  end

  vim.notify = function(message)
    table.insert(t.messages, message)
    say("message: " .. message)
  end
  local store, log = require("bodkin.proposals"), require("bodkin.log")
  local add, change, end_ask = store.add, store.change, log.end_ask
  store.add = function(params, client)
    add(params, client)
    table.insert(proposals, store.by_id(params.proposalId))
    say("proposal: " .. (params.title or "") .. " " .. vim.fn.json_encode(params.edit or {}))
  end
  store.change = function(params)
    change(params)
    say("proposal changed: " .. vim.fn.json_encode(params))
  end
  log.end_ask = function(params, client)
    end_ask(params, client)
    table.insert(t.ended, params)
    say("ended: " .. vim.fn.json_encode(params))
  end

  local scenario, broken = loadfile(vim.env.SCENARIO)
  if not scenario then
    t.fail(broken)
  end
  local ok, reason = xpcall(scenario, debug.traceback, t)
  if not ok then
    t.fail(tostring(reason))
  end
  for _, one in ipairs(deprecated) do
    if one:find("clients/nvim", 1, true) then
      t.fail("a deprecated function was called: " .. one)
    end
  end
  vim.cmd("qall!")
end

vim.api.nvim_create_autocmd("VimEnter", { callback = function()
  -- After VimEnter, so that waiting inside a scenario runs the whole event loop.
  vim.schedule(start)
end })
