-- The proposals announced by the server, and their states.
-- More than 350 lines: what can be done with one depends on what became of it and of the others.
local M = {}

local client_of = require("bodkin.client")
local files = require("bodkin.files")
local verdict = require("bodkin.verdict")
local words_of = require("bodkin.proposal_words")

---@class BodkinProposal
---@field id string
---@field client integer the LSP client that made it
---@field ask_id string|nil of this run
---@field has_words boolean a model made it
---@field title string
---@field edit table a WorkspaceEdit
---@field files BodkinFile[]
---@field uris string[] of `files`
---@field hunks table[]
---@field notes string[] what the user must know before applying it
---@field verification table|nil
---@field state string
---@field message string|nil
---@field is_checking boolean|nil it is shown although its check has not ended
---@field way string|nil how one gets to its first change, if that was not on the screen when it came
---@field at_once boolean an agent made it (bodkin mcp), and it is applied without review
---@field was_applied boolean|nil
---@field is_deciding boolean|nil a change of it is being taken or refused
---@field left integer|nil changes that can still be taken; nil: nothing was decided yet

---@type BodkinProposal[]
local all = {} -- oldest first

-- In these states something can still be applied.
local open = { ready = true, partly = true }
-- How an attempt ended. What is left of the proposal is as pending as it was, if anything is: the server knows.
local failed = { stale = true, refused = true, unknown = true }

local plural = files.plural

-- In the block of its ask; of an earlier run it has none.
local function log_line(proposal, text)
  require("bodkin.log").line(text, proposal.ask_id)
end

local function log_of(proposal, text)
  log_line(proposal, ("Proposal “%s”: %s"):format(client_of.plain(proposal.title), text))
end

-- Of each decision one line, which says what is left; what was found is another one, once.
local function log_outcome(proposal, message)
  local verdict_only = message:match("^Applied%. (.+)$")
  if not verdict_only then
    local is_part = message == "Applied." and (proposal.left or 0) > 0
    return log_of(proposal, is_part and ("Applied; %d of %s left"):format(proposal.left, plural(#proposal.hunks, "change")) or message)
  end
  if proposal.logged ~= verdict_only then
    proposal.logged = verdict_only
    log_of(proposal, verdict_only)
  end
end

local restored = {} -- what is said of proposals of an earlier run that have come one after the other

-- Of several only how many there are.
local function tell_restored(words)
  table.insert(restored, words)
  if #restored > 1 then
    return
  end
  vim.defer_fn(function()
    local count = #restored
    if require("bodkin.say").is_warning() then -- it stays; the log and the files have them
      restored = {}
      return
    end
    if count == 1 then
      client_of.notify(restored[1], nil, nil, ":Bodkin diff")
    else
      client_of.notify(("%d earlier proposals are waiting"):format(count), nil, nil, ":Bodkin proposals")
    end
    restored = {}
  end, 100)
end

function M.add(params, client_id)
  local edited = files.of_proposal(params)
  local proposal = {
    id = params.proposalId,
    client = client_id,
    ask_id = params.askId ~= "" and params.askId or nil,
    has_words = (params.askId or "") ~= "",
    title = params.title or "",
    edit = params.edit or {},
    files = edited,
    uris = vim.tbl_map(function(file)
      return file.uri
    end, edited),
    hunks = vim.tbl_map(function(hunk)
      return vim.tbl_extend("force", hunk, { uri = files.uri(hunk.uri) })
    end, params.hunks or {}),
    notes = params.notes or {}, -- what the user must know before applying it
    verification = params.verification,
    state = "ready",
    at_once = (params.atOnce or false) and (params.askId or "") == "",
  }
  if params.restored then
    proposal.ask_id = nil
  end
  proposal.is_checking = verdict.words(proposal.verification) == "? checking…" or nil
  table.insert(all, proposal)
  log_line(proposal, ("Proposal “%s”: %s"):format(client_of.plain(proposal.title), words_of.size(proposal)))
  for _, file in ipairs(proposal.files) do
    if file.kind ~= "edit" then
      log_line(proposal, files.words(file))
    end
  end
  for _, note in ipairs(proposal.notes) do
    log_line(proposal, client_of.plain(note))
  end
  local diff = require("bodkin.diff")
  proposal.way = not params.restored and require("bodkin.seen").way_to(proposal) or nil
  if proposal.at_once then
    return client_of.event("BodkinProposal", params) -- there is nothing to decide
  end
  if not params.restored and require("bodkin.config").get().open_diff and vim.api.nvim_get_mode().mode == "n" then
    diff.open(proposal, nil, nil, true)
  else
    local words, hint = words_of.announced(proposal, params.restored)
    require("bodkin.log").knows(client_of.plain(words))
    if params.restored then
      tell_restored(words)
    else
      client_of.notify(words, nil, nil, hint)
    end
  end
  require("bodkin.window").ended("proposal")
  require("bodkin.review").arrived(proposal, params.restored)
  client_of.event("BodkinProposal", params)
end

--- Whether something of it can still be taken.
function M.is_open(proposal)
  if failed[proposal.state] then
    return (proposal.left or 0) > 0
  end
  return (open[proposal.state] or false) and proposal.left ~= 0
end

function M.change(params)
  local proposal = M.by_id(params.proposalId)
  if not proposal then -- of an earlier run
    if (params.message or "") ~= "" then
      client_of.notify(params.message)
    end
    return
  end
  proposal.state = params.state or proposal.state
  proposal.left = params.pending
  proposal.is_deciding = proposal.state == "applying" or nil
  -- What was in place and is discarded was undone; what is open again is neither.
  proposal.was_applied = proposal.state == "applied" or proposal.state == "partly"
    or (proposal.was_applied and not open[proposal.state])
  local before = words_of.announced(proposal)
  proposal.verification = verdict.with_part(params.verification or proposal.verification, params.part)
  if M.is_open(proposal) then -- the verdict that came late
    require("bodkin.say").renew(before, words_of.announced(proposal))
    local words = verdict.words(proposal.verification)
    if proposal.is_checking and words ~= "? checking…" then
      proposal.is_checking = nil
      log_of(proposal, words)
    end
  end
  local message = params.message or ""
  local is_told = require("bodkin.later").outcome(proposal, message)
  if message == "Replaced by a newer version." then
    is_told = true -- by what has taken its place
  end
  if message ~= "" and message ~= proposal.message then
    require("bodkin.log").knows(client_of.plain(message)) -- it is with its ask
    local bad = failed[params.state]
    if proposal.at_once and message == "Applied." then -- the user has asked for nothing, and must know what it is
      local names = table.concat(vim.tbl_map(files.name, proposal.uris), ", ")
      client_of.notify(("%s: %s"):format(proposal.title, names), nil, nil, ":Bodkin undo")
    elseif not is_told then
      local reason = message:match("^The editor did not apply the edit: (.*)$")
      local warnings = client_of.warnings()
      -- What was checked comes late, and does not take the place of a warning; the log has it.
      local is_late = proposal.said_applied and proposal.said_applied ~= warnings and message:find("^Applied%. ")
      if proposal.ignored_keys then
        client_of.notify(message .. " Keys typed meanwhile were ignored.")
      elseif not is_late and not proposal.is_one_of_all then -- of several it is said once
        local hint = (message == "Discarded." or message:find("^Undone")) and ":Bodkin redo"
          or (message == "Applied." or message:find("^Applied: ")) and ":Bodkin undo" or nil
        client_of.notify(reason and "not applied: " .. reason or message, bad and vim.log.levels.WARN or vim.log.levels.INFO, nil, hint)
      end
      if message:find("^Applied") then
        proposal.said_applied = warnings
      end
      proposal.ignored_keys = nil
    end
  end
  proposal.message = message
  if proposal.state ~= "applying" and message ~= "" then
    log_outcome(proposal, client_of.plain(message))
  end
  require("bodkin.diff").refresh(proposal)
  require("bodkin.unified").refresh(proposal)
  require("bodkin.review").refresh(proposal)
  client_of.event("BodkinProposalChanged", params)
end

--- No two servers give the same id.
function M.by_id(id)
  for _, proposal in ipairs(all) do
    if proposal.id == id then
      return proposal
    end
  end
end

--- Newest first.
function M.all()
  local result = {}
  for i = #all, 1, -1 do
    table.insert(result, all[i])
  end
  return result
end

--- Newest first.
function M.pending()
  return vim.tbl_filter(M.is_open, M.all())
end

local over = {
  applying = "is being applied",
  applied = "was applied",
  stale = "cannot be applied: its text has changed since",
  discarded = "was discarded",
}

local function named(proposal)
  return ("“%s” (%s)"):format(proposal.title, table.concat(vim.tbl_map(files.name, proposal.uris), ", "))
end

--- The proposal with this id, in any state; without an id the newest, but no older one if that is closed. Nil, a sentence
--- and perhaps the command to go on with, if there is none.
function M.find(id)
  if id and id ~= "" then
    local proposal = M.by_id(id)
    if not proposal then
      return nil, ("no such proposal: %s"):format(id)
    end
    return proposal
  end
  local newest = all[#all]
  if not newest then
    return nil, "no pending proposal"
  end
  if newest.state == "discarded" and newest.was_applied then
    return nil, ("undone, so nothing is pending: %s"):format(named(newest)), ":Bodkin apply " .. newest.id
  end
  if not M.is_open(newest) and over[newest.state] then
    local older = M.pending()[1]
    return nil, ("the newest proposal %s: %s"):format(over[newest.state], named(newest))
      .. (older and ("; an older one is pending: %s, %s"):format(older.id, named(older)) or ""),
      older and ":Bodkin proposals" or newest.state == "discarded" and ":Bodkin redo " .. newest.id or nil
  end
  return newest
end

--- The named proposal, else the one that is shown here, in a preview or in the file, else the newest; nil and a sentence if
--- there is none.
function M.chosen(id)
  local shown = id == "" and (require("bodkin.diff").here() or require("bodkin.unified").here() or require("bodkin.review").here())
  if shown then
    return shown
  end
  return M.find(id)
end

--- Runs action(proposal) with that one, or says why there is none.
function M.with(id, action)
  local proposal, reason, hint = M.chosen(id)
  if not proposal then
    return client_of.notify(reason, vim.log.levels.WARN, nil, hint)
  end
  action(proposal)
end

local function ids_of(proposals)
  return vim.tbl_map(function(proposal)
    return proposal.id
  end, proposals)
end

--- The ids of what can be undone, newest first.
function M.applied()
  return ids_of(vim.tbl_filter(function(proposal)
    return proposal.state == "applied" or proposal.state == "partly"
  end, M.all()))
end

--- The ids of those that were undone or discarded, newest first.
function M.put_aside()
  return ids_of(vim.tbl_filter(function(proposal)
    return proposal.state == "discarded"
  end, M.all()))
end

--- Drops the proposals of a server that has exited.
function M.forget(client_id)
  for _, proposal in ipairs(all) do
    if proposal.client == client_id and M.is_open(proposal) then
      proposal.state = "discarded"
      require("bodkin.diff").refresh(proposal)
      require("bodkin.unified").refresh(proposal)
      require("bodkin.review").refresh(proposal)
    end
  end
  all = vim.tbl_filter(function(proposal)
    return proposal.client ~= client_id
  end, all)
end

-- Sends a command for a proposal.
local function command(proposal, name, arguments, callback, on_error)
  local client = client_of.of_proposal(proposal)
  if client then
    proposal.decisions = (proposal.decisions or 0) + 1
    arguments = vim.tbl_extend("force", { proposalId = proposal.id }, arguments or {})
    client_of.request(client, "workspace/executeCommand", { command = name, arguments = { arguments } }, callback, nil,
      on_error or function(message)
        proposal.is_deciding = nil
        client_of.warn(message)
      end)
  end
end

function M.apply(proposal)
  proposal.wanted = M.apply
  command(proposal, "bodkin.apply")
end

--- hunks: indices as the server gave them.
function M.apply_hunks(proposal, hunks)
  proposal.is_deciding = true
  proposal.wanted = function() M.apply_hunks(proposal, hunks) end
  command(proposal, "bodkin.applyHunk", { hunks = hunks })
end

function M.discard(proposal)
  command(proposal, "bodkin.discard")
end

--- Discards all that are pending, of every file; the newest is the last, and the first that :Bodkin redo brings back.
function M.discard_all()
  local pending = M.pending()
  local left, failed_ones = #pending, 0
  if left == 0 then
    return client_of.notify("no pending proposal")
  end
  local function done(has_failed)
    left, failed_ones = left - 1, failed_ones + (has_failed and 1 or 0)
    if left == 0 and failed_ones < #pending then
      client_of.notify(plural(#pending - failed_ones, "proposal") .. " discarded", nil, nil, ":Bodkin redo")
    end
  end
  for i = #pending, 1, -1 do
    pending[i].is_one_of_all = true
    command(pending[i], "bodkin.discard", nil, function()
      pending[i].is_one_of_all = nil
      done(false)
    end, function(message)
      pending[i].is_one_of_all = nil
      client_of.warn(message)
      done(true)
    end)
  end
end

--- Refuses these hunks; the others stay.
function M.discard_hunks(proposal, hunks)
  proposal.is_deciding = true
  command(proposal, "bodkin.discard", { hunks = hunks }, function()
    proposal.is_deciding = nil
    if (proposal.left or 0) > 0 then -- else it is discarded, which is said
      log_of(proposal, ("Rejected; %d of %s left"):format(proposal.left, plural(#proposal.hunks, "change")))
    end
    client_of.notify("Rejected.", nil, nil, ":Bodkin redo")
  end)
end

function M.undo(proposal)
  command(proposal, "bodkin.undo")
end

--- Applies again what was undone, or proposes again what was discarded.
function M.redo(proposal)
  command(proposal, "bodkin.redo")
end

return M
