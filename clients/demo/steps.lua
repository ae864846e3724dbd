-- The demo, step by step, in a real Neovim without a screen. Everything that it prints is read from the
-- editor: its buffer, its diagnostics, what the server announced. A step that does not come, an error anywhere and a
-- server that ends all end it with a message and the exit code 1: without a screen nobody could end it otherwise.
-- From the environment: DEMO_COLOR (colours), DEMO_LIVE (a real model: its words differ from time to time).
local color, live = vim.env.DEMO_COLOR ~= nil, vim.env.DEMO_LIVE ~= nil
local instruction = vim.env.DEMO_PROMPT
local patience = live and 300000 or 30000 -- a limit for failure; what is waited for are events

-- What a model or clangd says may hold what a terminal would obey.
local plain = require("bodkin.client").plain

local function paint(code, text)
  return color and ("\27[%sm%s\27[0m"):format(code, plain(text)) or plain(text)
end

local function out(text)
  if not (io.stdout:write(text, "\n") and io.stdout:flush()) then
    vim.cmd("cquit 1") -- nobody reads it any more
  end
end

-- A line, broken between its words where it is too long. `head`: of each part.
local function out_wrapped(head, text)
  local line = ""
  for blank, word in text:gmatch("(%s*)(%S+)") do
    if line ~= "" and vim.fn.strdisplaywidth(line .. blank .. word) > 74 then
      out(head .. plain(line))
      line, blank = "", ""
    end
    line = line .. blank .. word
  end
  out(head .. plain(line))
end

local number = 0
local function step(text)
  number = number + 1
  out("\n" .. paint("1;36", ("%d. %s"):format(number, text)))
end

local function fail(text)
  out("\n" .. paint("1;31", "The demo stops here: " .. text))
  local log = vim.fn.bufnr("bodkin://log")
  if log > 0 then
    out("The log of the ask:\n  " .. plain(table.concat(vim.api.nvim_buf_get_lines(log, 0, -1, false), "\n  ")))
  end
  -- One that hangs would be waited for.
  for _, client in ipairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    pcall(client.stop, client, true) -- before 0.11 the first argument is what forces it
  end
  vim.cmd("cquit 1")
end

vim.notify = function(message)
  out(paint("2", "   [" .. message .. "]"))
end

local served = false -- bodkin has been started
local announced, ended = {}, {}
local function on(event, target)
  vim.api.nvim_create_autocmd("User", { pattern = event, callback = function()
    table.insert(target, true)
  end })
end
on("BodkinProposal", announced)
on("BodkinEndAsk", ended)

-- Why it is no use to wait any longer, or nil: a callback's error, or a server that has ended.
local function broken()
  if vim.v.errmsg ~= "" then
    return vim.v.errmsg
  elseif vim.g.demo_ended then
    return vim.g.demo_ended .. " has ended."
  end
  local client = require("bodkin.client").all()[1]
  served = served or client ~= nil
  return served and not client and "bodkin has ended." or nil
end

local function wait(what, condition, more)
  local reason
  local limit = patience * (more or 1)
  local reached = vim.wait(limit, function()
    reason = broken()
    return reason ~= nil or condition()
  end, 10)
  if reason or not reached then
    fail(reason and ("while waiting for %s: %s"):format(what, reason)
      or ("waited %d seconds in vain for %s."):format(limit / 1000, what))
  end
end

local buffer = vim.api.nvim_get_current_buf()

local function others()
  return vim.tbl_filter(function(item)
    return item.source ~= "bodkin"
  end, vim.diagnostic.get(buffer))
end

local function errors()
  return vim.tbl_filter(function(item)
    return item.severity == vim.diagnostic.severity.ERROR
  end, others())
end

local published = 0
vim.api.nvim_create_autocmd("DiagnosticChanged", { buffer = buffer, callback = function()
  published = published + 1
end })

local function show_diagnostics()
  local list = others()
  if #list == 0 then
    out(paint("32", "   clangd has nothing to complain about"))
  end
  for _, item in ipairs(list) do
    local line = vim.api.nvim_buf_get_lines(buffer, item.lnum, item.lnum + 1, false)[1] or ""
    local is_error = item.severity == vim.diagnostic.severity.ERROR
    out(paint(is_error and "31" or "33", ("   line %d: %s"):format(item.lnum + 1, item.message:match("[^\n]*"))))
    out(paint("2", "      " .. vim.trim(line)))
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n"
end

-- The difference of two texts as diff(1) shows it, without its two header lines.
local function show_diff(before, after)
  local a, b = vim.fn.tempname(), vim.fn.tempname()
  vim.fn.writefile(vim.split(before, "\n"), a, "b")
  vim.fn.writefile(vim.split(after, "\n"), b, "b")
  local lines = vim.fn.systemlist({ "diff", "-U2", a, b })
  for i = 3, #lines do
    local sign = lines[i]:sub(1, 1)
    local code = sign == "+" and "32" or sign == "-" and "31" or sign == "@" and "36" or "2"
    out("   " .. paint(code, lines[i]))
  end
end

local function next_proposal()
  wait("the model's answer", function()
    return #ended > 0 -- before, a proposal may be one whose check has not ended
  end, 3) -- clangd compiles twice meanwhile, which takes long on a busy machine
  if #announced == 0 then
    fail("the ask ended without a proposal.")
  end
  return require("bodkin.proposals").pending()[1]
end

-- What the model said since the last time, and between its replies what it was told of errors, after a "✗".
local spoken = ""
local log = require("bodkin.log")
local stream = log.stream
log.stream = function(params)
  if params.kind == "text" then
    spoken = spoken .. params.text
  elseif params.kind == "tool" and params.text:find("; telling the model", 1, true) then
    spoken = spoken .. "\n✗ " .. params.text .. "\n"
  end
  stream(params)
end
local function show_reply()
  for line in spoken:gmatch("[^\n]+") do
    out_wrapped(vim.startswith(line, "✗ ") and "   " or paint("35", "   | "), line)
  end
  spoken = ""
end

local content -- of the proposal
local function show_proposal(proposal)
  local shown = vim.api.nvim_buf_get_changedtick(buffer)
  local uri = proposal.uris[1]
  require("bodkin.client").request(require("bodkin.client").by_id(proposal.client),
    require("bodkin.extensions").proposal_content, { proposalId = proposal.id, uri = uri }, function(result)
      content = result
    end)
  wait("the proposal's text", function()
    return content ~= nil
  end)
  out(paint("2", "   The model's replies:"))
  show_reply()
  out(paint("2", "   The proposal, placed in the file:"))
  show_diff(text(), content.text)
  if vim.api.nvim_buf_get_changedtick(buffer) ~= shown then
    fail("the buffer changed before the proposal was taken.")
  end
  out(paint("2", ("   the buffer itself still has %d lines, unchanged"):format(vim.api.nvim_buf_line_count(buffer))))
end

local function apply(proposal)
  vim.cmd("Bodkin apply " .. proposal.id)
  wait("the end of the apply", function()
    return proposal.state ~= "ready" and proposal.state ~= "applying"
  end)
  if proposal.state ~= "applied" then
    fail("the proposal was not applied but is " .. proposal.state .. ".")
  end
  out(paint("32", "   the editor's text is now the proposed one (bodkin compared them): " .. proposal.state))
end

local function steps()
  if vim.v.errmsg ~= "" then
    fail(vim.v.errmsg) -- of init.lua
  end
  for _, program in ipairs({ vim.env.BODKIN, "clangd" }) do
    if vim.fn.executable(program) == 0 then
      fail(program .. " is not a program.")
    end
  end
  local version = vim.version()
  out(paint("1", ("Neovim %d.%d.%d"):format(version.major, version.minor, version.patch)) .. ", " .. vim.fn.expand("%"))

  step("The file is open; clangd and bodkin are attached")
  wait("clangd", function()
    return published > 0 or #others() > 0
  end)
  wait("bodkin", function()
    local client = require("bodkin.client").of(buffer)
    return client and client.initialized
  end)
  show_diagnostics()

  step("An instruction on the selected function")
  local first = vim.fn.search([[static Article parse]], "nw")
  local last = first + vim.fn.match(vim.api.nvim_buf_get_lines(buffer, first, -1, false), "^  }") + 1
  out(("   :%d,%dBodkin ask %s"):format(first, last, instruction))
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, first - 1, last, false)) do
    out(paint("2", "   | " .. line))
  end
  local asked = (vim.uv or vim.loop).hrtime()
  vim.cmd(("%d,%dBodkin ask %s"):format(first, last, instruction))
  local proposal = next_proposal()
  out(paint("2", ("   the proposal, checked, %.1f s after the instruction"):format(((vim.uv or vim.loop).hrtime() - asked) / 1e9)))

  step("What bodkin's own clangd found went back to the model; nothing is touched")
  show_proposal(proposal)
  local verdict = require("bodkin.verdict").words(proposal.verification)
  local is_clean = vim.startswith(verdict, "✓ clangd")
  out(paint(is_clean and "32" or "33", "   the proposal says: " .. verdict))
  if not is_clean and not live then
    fail("the draft was not checked, or not repaired.")
  end

  step("The proposal is applied (:Bodkin apply)")
  apply(proposal)

  step("What the editor's clangd says about the new text")
  -- It is silent when nothing changes for it.
  wait("clangd to look at the new text", function()
    return #errors() == 0 or live
  end)
  show_diagnostics()

  vim.cmd("silent write")
  step("The file, as saved by the editor")
  local saved = table.concat(vim.fn.readfile(vim.api.nvim_buf_get_name(buffer), "b"), "\n")
  if saved == content.text then
    out("   receipt.cpp on the disk is the proposal, byte for byte")
  else
    out("   receipt.cpp differs from the proposal:")
    show_diff(content.text, saved)
  end
end

local done, message = xpcall(steps, debug.traceback)
if not done then
  fail(message)
elseif #errors() > 0 then
  fail("clangd finds errors in the new text.")
end
vim.cmd("qall!")
