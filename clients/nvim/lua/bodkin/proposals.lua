-- The proposals announced by the server, and their states.
local M = {}

local client_of = require("bodkin.client")

---@class BodkinProposal: {id, client, title, uris, hunks, state, verification, message}
local all = {} -- oldest first

-- In these states something can still be applied.
local open = { ready = true, partly = true }

local function plural(count, word)
  return ("%d %s%s"):format(count, word, count == 1 and "" or "s")
end

-- The files of a WorkspaceEdit, in its order.
local function uris_of(edit)
  local uris, seen = {}, {}
  local function add(uri)
    if uri and not seen[uri] then
      seen[uri] = true
      table.insert(uris, uri)
    end
  end
  for _, change in ipairs(edit.documentChanges or {}) do
    add(change.textDocument and change.textDocument.uri or change.newUri or change.uri)
  end
  local plain = vim.tbl_keys(edit.changes or {})
  table.sort(plain)
  for _, uri in ipairs(plain) do
    add(uri)
  end
  return uris
end

--- The verification in words. "Not checked" is never "clean".
function M.verified(verification)
  local state = verification and verification.state or "unknown"
  local by = verification and verification.by ~= "" and verification.by or nil
  if state == "verified" then
    return "checked" .. (by and " by " .. by or "")
  elseif state == "failed" then
    local found = verification.newProblems or 0
    return found > 0 and plural(found, "new problem") or "has problems"
  end
  return by and "only " .. by .. " was checked" or "not checked"
end

--- "3 changes in 2 files, not checked"
function M.size(proposal)
  return ("%s in %s, %s"):format(plural(#proposal.hunks, "change"), plural(#proposal.uris, "file"),
    M.verified(proposal.verification))
end

--- "Makefile: runs commands when you build (and 1 more, :Bodkin log)", or nil.
function M.noted(proposal)
  local first, more = proposal.notes[1], #proposal.notes - 1
  if not first then
    return nil
  end
  return first .. (more > 0 and (" (and %d more, :Bodkin log)"):format(more) or "")
end

function M.add(params, client_id)
  local proposal = {
    id = params.proposalId,
    client = client_id,
    title = params.title or "",
    edit = params.edit or {},
    uris = uris_of(params.edit or {}),
    hunks = params.hunks or {},
    notes = params.notes or {}, -- what the user must know before applying it
    verification = params.verification,
    state = "ready",
  }
  table.insert(all, proposal)
  require("bodkin.log").line(('proposal "%s": %s'):format(proposal.title, M.size(proposal)))
  for _, note in ipairs(proposal.notes) do
    require("bodkin.log").line("  " .. note)
  end
  local diff = require("bodkin.diff")
  if not params.restored and require("bodkin.config").get().open_diff and vim.api.nvim_get_mode().mode == "n" then
    diff.open(proposal)
  else
    client_of.notify((":Bodkin diff: %s"):format(M.noted(proposal) or M.size(proposal)))
  end
  client_of.event("BodkinProposal", params)
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
  proposal.verification = params.verification or proposal.verification
  local message = params.message or ""
  if message ~= "" and message ~= proposal.message then
    local bad = params.state == "stale" or params.state == "refused" or params.state == "unknown"
    client_of.notify(bad and ("proposal %s: %s"):format(proposal.state, message) or message,
      bad and vim.log.levels.WARN or vim.log.levels.INFO)
  end
  proposal.message = message
  require("bodkin.log").line(('proposal "%s": %s%s'):format(proposal.title, proposal.state,
    message ~= "" and ": " .. message or ""))
  require("bodkin.diff").refresh(proposal)
  client_of.event("BodkinProposalChanged", params)
end

function M.is_open(proposal)
  return open[proposal.state] or false
end

function M.by_id(id)
  for _, proposal in ipairs(all) do
    if proposal.id == id then
      return proposal
    end
  end
end

--- Newest first.
function M.pending()
  local result = {}
  for i = #all, 1, -1 do
    if M.is_open(all[i]) then
      table.insert(result, all[i])
    end
  end
  return result
end

local over = {
  applying = "is being applied",
  applied = "was applied",
  stale = "cannot be applied: its text has changed since",
  discarded = "was discarded",
}

local function named(proposal)
  local files = vim.tbl_map(function(uri)
    return vim.fn.fnamemodify(vim.uri_to_fname(uri), ":~:.")
  end, proposal.uris)
  return ("“%s” (%s)"):format(proposal.title, table.concat(files, ", "))
end

--- The proposal with this id, in any state; without an id the newest, but no older one if that is closed. Nil and a
--- sentence if there is none.
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
  if not M.is_open(newest) and over[newest.state] then
    local older = M.pending()[1]
    return nil, ("the newest proposal, %s, %s"):format(named(newest), over[newest.state])
      .. (older and ("; an older one is pending, give its id: %s, %s"):format(older.id, named(older)) or "")
  end
  return newest
end

--- The ids of what can be undone, newest first.
function M.applied()
  local result = {}
  for i = #all, 1, -1 do
    if all[i].state == "applied" or all[i].state == "partly" then
      table.insert(result, all[i].id)
    end
  end
  return result
end

--- Drops the proposals of a server that has exited.
function M.forget(client_id)
  for _, proposal in ipairs(all) do
    if proposal.client == client_id and M.is_open(proposal) then
      proposal.state = "discarded"
      require("bodkin.diff").refresh(proposal)
    end
  end
  all = vim.tbl_filter(function(proposal)
    return proposal.client ~= client_id
  end, all)
end

-- Sends a command for a proposal.
local function command(proposal, name, arguments)
  local client = client_of.of_proposal(proposal)
  if client then
    client_of.execute(client, name, vim.tbl_extend("force", { proposalId = proposal.id }, arguments or {}))
  end
end

function M.apply(proposal)
  command(proposal, "bodkin.apply")
end

--- hunks: indices as the server gave them.
function M.apply_hunks(proposal, hunks)
  command(proposal, "bodkin.applyHunk", { hunks = hunks })
end

function M.discard(proposal)
  command(proposal, "bodkin.discard")
end

function M.undo(proposal)
  command(proposal, "bodkin.undo")
end

return M
