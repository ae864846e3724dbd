-- The review in the files themselves: which proposal is drawn where (inline.lua draws), and taking or refusing changes at
-- the cursor. In a preview (diff.lua, unified.lua) the same commands mean the change under its cursor.
-- More than 350 lines: what is drawn, what is decided and where to go on from there is one state.
local M = {}

local client_of = require("bodkin.client")
local files = require("bodkin.files")
local inline = require("bodkin.inline")
local keys = require("bodkin.keys")
local jump = require("bodkin.jump").to
local unseen = require("bodkin.unseen")

local chosen -- the proposal that the user picked, if several are pending
local going  -- {proposal, hunks, uri, row, window}: once these were decided, go on from there
local stays = require("bodkin.ui").stays() -- whether the user is still where the last decision was made

local function store()
  return require("bodkin.proposals")
end

-- The file of a proposal with this URI, or nil.
local function file_of(proposal, uri)
  for _, file in ipairs(proposal.files) do
    if file.uri == uri then
      return file
    end
  end
end

-- The newest pending proposal for a buffer, or the one that the user picked.
local function proposal_for(uri)
  local newest
  for _, proposal in ipairs(store().pending()) do
    if file_of(proposal, uri) then
      if proposal == chosen then
        return proposal
      end
      newest = newest or proposal
    end
  end
  return newest
end

local function is_shown(buffer)
  return vim.api.nvim_buf_is_loaded(buffer) and (files.is_untitled(buffer)
    or (vim.bo[buffer].buftype == "" and vim.api.nvim_buf_get_name(buffer) ~= ""))
end

local function clear(buffer)
  inline.clear(buffer)
  keys.end_review(buffer)
end

local asked = {}   -- buffer -> a number for each request, so that a late answer is not drawn
local waiting = {} -- buffer -> what runs once it is drawn, whichever request does that

local function drawn_now(buffer)
  local all = waiting[buffer] or {}
  waiting[buffer] = nil
  for _, done in ipairs(all) do
    done()
  end
end

--- Draws what is pending for a buffer; done() runs then.
function M.draw(buffer, done)
  if not is_shown(buffer) then
    return
  elseif require("bodkin.diff").shows(buffer) then -- it would stand there twice
    return inline.clear(buffer)
  end
  local uri = files.of_buffer(buffer)
  local proposal = require("bodkin.config").get().review and proposal_for(uri)
  local client = proposal and client_of.by_id(proposal.client)
  asked[buffer] = (asked[buffer] or 0) + 1
  waiting[buffer] = waiting[buffer] or {}
  table.insert(waiting[buffer], done)
  local this = asked[buffer]
  local drawn = inline.of(buffer)
  if not client or (drawn and drawn.proposal ~= proposal) then
    clear(buffer) -- what is there is what a command means
  end
  if not client then
    return drawn_now(buffer)
  end
  require("bodkin.contents").ask(client, proposal, uri, function(content)
    if this ~= asked[buffer] or not is_shown(buffer) or require("bodkin.diff").shows(buffer) then
      return
    end
    keys.begin_review(buffer) -- those that it names are there
    inline.draw(buffer, proposal, file_of(proposal, uri), content or {}, client.offset_encoding or "utf-16")
    if inline.of(buffer) then
      if drawn and drawn.proposal ~= proposal and proposal ~= chosen and store().is_open(drawn.proposal) then
        unseen.comes_up(proposal, true)
      end
    else
      clear(buffer)
    end
    client_of.event("BodkinReview", { proposalId = proposal.id })
    drawn_now(buffer)
  end, buffer, function()
    waiting[buffer] = nil
    clear(buffer)
  end)
end

local function buffer_of(uri)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if is_shown(buffer) and files.of_buffer(buffer) == uri then
      return buffer
    end
  end
end

--- Runs action(), which applies an edit: what it does to the text and the cursor is nothing that the user does.
function M.applying(action)
  local stayed = stays()
  local answer = action()
  if stayed then
    stays = require("bodkin.ui").stays()
  end
  return answer
end

--- Whether the user has done nothing else since the last decision: only then the cursor may go on.
function M.stays()
  return stays()
end

-- Where to go on after a change was decided.
local function go_on(proposal)
  local from = going
  if not from or from.proposal ~= proposal then
    return
  end
  local view, hunks = inline.of(buffer_of(from.uri) or -1)
  for _, hunk in ipairs(view and view.proposal == proposal and hunks or {}) do
    if vim.tbl_contains(from.hunks, hunk.index) then
      return -- this is news of something else
    end
  end
  going = nil
  if not stays() then
    return
  end
  if not buffer_of(from.uri) then -- it was deleted, or has another name
    return vim.api.nvim_get_current_win() == from.window and M.next_file(proposal, from.uri, 1) or nil
  end
  local buffer = vim.api.nvim_get_current_buf()
  if not is_shown(buffer) or files.of_buffer(buffer) ~= from.uri then
    return
  end
  if view and view.proposal == proposal then
    for _, hunk in ipairs(hunks) do
      if hunk.row >= from.row then
        return jump(buffer, hunk)
      end
    end
    return jump(buffer, hunks[1])
  end
  M.next_file(proposal, from.uri, 1)
end

--- A proposal has arrived or changed.
function M.refresh(proposal)
  if proposal.state == "applying" then
    return
  end
  for _, file in ipairs(proposal.files) do
    for _, uri in ipairs({ file.uri, file.to }) do
      local buffer = buffer_of(uri)
      if buffer then
        M.draw(buffer, function()
          if going and going.uri == uri then
            go_on(proposal)
          end
        end)
      end
    end
  end
  if going and not buffer_of(going.uri) then
    go_on(proposal)
  end
end

--- A new proposal is the one that is drawn; a restored one only where nothing newer is.
function M.arrived(proposal, is_restored)
  if not is_restored then
    chosen = nil
  end
  M.refresh(proposal)
end

--- The proposal that is drawn in the current buffer, or nil.
function M.here()
  local view = inline.of(vim.api.nvim_get_current_buf())
  return view and store().is_open(view.proposal) and view.proposal or nil
end

--- Goes to the next (1) or previous (-1) file of a proposal in which something is pending, from this one or from the
--- first. A file that cannot be shown is said, and passed over. nowhere(): there is none. leave(): before it is shown.
function M.next_file(proposal, uri, by, nowhere, leave)
  if not store().is_open(proposal) then
    return nowhere and nowhere()
  end
  local is_here = require("bodkin.ui").stays()
  require("bodkin.contents").of_all(proposal, function(contents)
    if not is_here() then
      return
    end
    local here = by < 0 and 1 or 0
    for position, file in ipairs(proposal.files) do
      here = (file.uri == uri or file.to == uri) and position or here
    end
    for step = 1, #proposal.files do
      local position = (here - 1 + by * step) % #proposal.files + 1
      local file = proposal.files[position]
      if contents[position] and #(contents[position].hunks or {}) > 0 and file.uri ~= uri then
        if leave then
          leave()
          leave = nil
        end
        if M.show_file(proposal, file, by) then
          return
        end
      end
    end
    if nowhere then
      nowhere()
    end
  end)
end

--- Shows a file of a proposal with its first change; what is not drawn in a file is shown in the preview. Whether it can.
function M.show_file(proposal, file, by)
  unseen.comes_up(proposal, false)
  local is_drawn = require("bodkin.config").get().review and file.kind ~= "create" and files.exists(file.uri)
  if not is_drawn then
    require("bodkin.diff").open(proposal, file.uri, true)
    return true
  end
  local buffer, reason = files.show(file.uri)
  if not buffer then
    client_of.warn(reason)
    return false
  end
  chosen = proposal
  client_of.attach(buffer)
  local is_here = require("bodkin.ui").stays()
  M.draw(buffer, function()
    local _, hunks = inline.of(buffer)
    if not is_here() then
      return
    elseif hunks then
      jump(buffer, hunks[by == -1 and #hunks or 1])
    else
      client_of.notify("nothing is pending in " .. files.name(file.uri), nil, nil, ":Bodkin diff")
    end
  end)
  return true
end

local function preview()
  local shown = require("bodkin.diff").here() and require("bodkin.diff")
  return shown or (require("bodkin.unified").here() and require("bodkin.unified")) or nil
end

--- Goes to the next (1) or previous (-1) change; after the last of a file to the next file. With a count over so many of
--- this file, or to its last one, as Vim's `]c` does.
function M.go(by, count)
  if preview() then
    return preview().go(by)
  end
  local buffer = vim.api.nvim_get_current_buf()
  local view, hunks = inline.of(buffer)
  if not view then
    local uri = files.of_buffer(buffer)
    local proposal = proposal_for(uri) or store().pending()[1]
    if not proposal then
      return client_of.notify("no pending proposal")
    end
    return M.next_file(proposal, uri, by, function()
      client_of.notify("no other file has pending changes", nil, nil, ":Bodkin diff")
    end)
  end
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local first, last, step = 1, #hunks, 1
  if by < 0 then
    first, last, step = #hunks, 1, -1
  end
  local target, left = nil, count or 1
  for i = first, last, step do
    if left > 0 and ((by > 0 and hunks[i].row > row) or (by < 0 and hunks[i].row < row)) then
      target, left = hunks[i], left - 1
    end
  end
  if target then
    return jump(buffer, target)
  end
  local function again()
    if #hunks == 1 then
      jump(buffer, hunks[1])
      return client_of.notify("the only change" .. (#view.proposal.files > 1 and " that is left" or ""))
    end
    jump(buffer, hunks[by > 0 and 1 or #hunks])
    client_of.notify(by > 0 and "that was the last change; again from the first" or "that was the first change; again from the last")
  end
  if #view.proposal.files == 1 then
    return again()
  end
  M.next_file(view.proposal, view.file.uri, by, again)
end

-- The indices of the changes that are meant, with their proposal. scope: "hunk", "file"; `count`: of changes from the one
-- at the cursor on.
local function meant(scope, count)
  if preview() then
    return preview().meant(scope)
  end
  local buffer = vim.api.nvim_get_current_buf()
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local view, drawn = inline.of(buffer)
  if not view then
    local elsewhere = store().pending()[1] and " (:Bodkin next)" or ""
    return nil, "no changes are proposed for this file" .. elsewhere
  end
  if scope == "file" or view.file.kind == "rename" or view.file.kind == "delete" then
    local all = {}
    for _, hunk in ipairs(view.proposal.hunks) do
      if hunk.uri == view.file.uri or hunk.uri == view.file.to then
        table.insert(all, hunk.index)
      end
    end
    return view.proposal, all, view.file.uri, 0
  end
  local hunk = inline.hunk_at(buffer, row)
  if not hunk then
    local key = keys.of("next", buffer)
    return nil, "no change under the cursor; " .. (key and key .. " goes" or ":Bodkin next goes") .. " to the next one"
  end
  local all = {}
  for _, each in ipairs(drawn) do
    if each.first >= hunk.first and #all < (count or 1) then
      table.insert(all, each.index)
    end
  end
  return view.proposal, all, view.file.uri, hunk.row
end

-- scope: "hunk", "file" or "all"
local function decide(scope, whole, part, count)
  if scope == "all" then
    local proposal, reason, hint = store().chosen("")
    if not proposal then
      return client_of.notify(reason, nil, nil, hint)
    end
    return not unseen.is_unseen(proposal) and whole(proposal) or nil
  end
  local proposal, hunks, uri, row = meant(scope, count)
  if not proposal then
    return client_of.notify(hunks)
  end
  if unseen.is_unseen(proposal) then
    return
  end
  if proposal.is_deciding then -- what the cursor is on is not what it will be on
    proposal.ignored_keys = true
    return client_of.notify("the previous change is still being applied; this one was not touched")
  end
  going = uri and { proposal = proposal, hunks = hunks, uri = uri, row = row, window = vim.api.nvim_get_current_win() } or nil
  stays = require("bodkin.ui").stays()
  part(proposal, hunks)
end

function M.accept(scope, count)
  decide(scope, store().apply, store().apply_hunks, count)
end

function M.reject(scope, count)
  decide(scope, store().discard, store().discard_hunks, count)
end

local group = vim.api.nvim_create_augroup("bodkin_review", { clear = true })
vim.api.nvim_create_autocmd({ "BufReadPost", "BufEnter" }, { group = group, callback = function(event)
  if #store().pending() > 0 and not inline.of(event.buf) then
    vim.schedule(function()
      if vim.api.nvim_buf_is_valid(event.buf) then
        M.draw(event.buf)
      end
    end)
  end
end })
vim.api.nvim_create_autocmd({ "BufUnload", "BufWipeout" }, { group = group, callback = function(event)
  waiting[event.buf] = nil
  clear(event.buf)
end })

-- Typing moves the marks along; whether a change is still proposed is known to the server.
local timer
vim.api.nvim_create_autocmd({ "TextChanged", "InsertLeave" }, { group = group, callback = function(event)
  if not inline.of(event.buf) then
    return
  end
  if timer then
    timer:close()
  end
  timer = (vim.uv or vim.loop).new_timer()
  local this = timer
  this:start(200, 0, vim.schedule_wrap(function()
    if timer == this then
      timer = nil
      this:close()
      M.draw(event.buf)
    end
  end))
end })

return M
