-- The preview as one diff of all files, below what the model said, each change with what was found in it.
local M = {}

local client_of = require("bodkin.client")
local extensions = require("bodkin.extensions")
local files = require("bodkin.files")
local float = require("bodkin.float")
local inline = require("bodkin.inline")

local views = {} -- proposal id -> {buffer, window, tab, from, places}; a place: {first, last, index, uri}, lines from 1

local context = 3 -- lines around a change

local function add_file(lines, places, proposal, file, content, encoding)
  local buffer = files.view(file.uri)
  local count = vim.api.nvim_buf_line_count(buffer)
  table.insert(lines, "diff " .. files.words(file))
  for _, hunk in ipairs(content.hunks or {}) do
    local first, old, new = inline.lines_of(buffer, hunk, encoding)
    if file.kind == "create" then
      first, old = 0, {}
    end
    local begin = #lines + 1
    table.insert(lines, ("@@ line %d @@"):format(first + 1))
    if file.kind ~= "create" then
      for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, math.max(0, first - context), first, false)) do
        table.insert(lines, " " .. line)
      end
    end
    for _, line in ipairs(old) do
      table.insert(lines, "-" .. line)
    end
    for _, line in ipairs(new) do
      table.insert(lines, "+" .. line)
    end
    if file.kind ~= "create" and first + #old < count then
      for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, first + #old, first + #old + context, false)) do
        table.insert(lines, " " .. line)
      end
    end
    for _, problem in ipairs(proposal.verification and proposal.verification.problems or {}) do
      if problem.hunk == hunk.index then
        table.insert(lines, "✗ " .. client_of.plain(problem.message):match("^[^\n]*"))
      end
    end
    table.insert(places, { first = begin, last = #lines, index = hunk.index, uri = file.uri })
  end
  table.insert(lines, "")
end

-- callback(lines, places)
local function content_of(proposal, callback)
  local client = client_of.of_proposal(proposal)
  if not client then
    return
  end
  local contents, left = {}, #proposal.files
  local function finish()
    local verdict = require("bodkin.proposals").verified(proposal.verification)
    local lines, places = { client_of.plain(proposal.title):match("^[^\n]*") .. "  " .. verdict, "" }, {}
    local words = proposal.ask_id and require("bodkin.log").words_of(proposal.ask_id)
    if words then
      vim.list_extend(lines, vim.split(words, "\n", { plain = true }))
      table.insert(lines, "")
    end
    for position, file in ipairs(proposal.files) do
      if contents[position] then
        add_file(lines, places, proposal, file, contents[position], client.offset_encoding or "utf-16")
      end
    end
    callback(lines, places)
  end
  for position, file in ipairs(proposal.files) do
    local function answered(content)
      contents[position] = content
      left = left - 1
      if left == 0 then
        finish()
      end
    end
    client_of.request(client, extensions.proposal_content, { proposalId = proposal.id, uri = file.uri }, answered, nil, function()
      answered(nil)
    end)
  end
end

--- Closes the view of a proposal, if there is one.
function M.close(proposal)
  local view = views[proposal.id]
  views[proposal.id] = nil
  if not view then
    return
  end
  if vim.api.nvim_win_is_valid(view.window) and #vim.api.nvim_list_wins() > 1 then
    pcall(vim.api.nvim_win_close, view.window, true)
  end
  if view.from and vim.api.nvim_win_is_valid(view.from) then
    vim.api.nvim_set_current_win(view.from)
  end
end

local function fill(view, lines)
  vim.bo[view.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(view.buffer, 0, -1, false, lines)
  vim.bo[view.buffer].modifiable = false
  vim.bo[view.buffer].modified = false
end

local function keys_of(proposal)
  local review = require("bodkin.review")
  return {
    { { "a", "dp" }, function()
      review.accept("hunk")
    end, "take the change here" },
    { { "r", "do" }, function()
      review.reject("hunk")
    end, "refuse the change here" },
    { "F", function()
      review.accept("file")
    end, "take all changes of this file" },
    { "A", function()
      require("bodkin.proposals").apply(proposal)
    end, "take the whole proposal" },
    { "x", function()
      require("bodkin.proposals").discard(proposal)
    end, "discard the proposal" },
    { "]h", function()
      M.go(1)
    end, "next change" },
    { "[h", function()
      M.go(-1)
    end, "previous change" },
    { "u", function()
      local place = M.place()
      require("bodkin.diff").open(proposal, place and place.uri)
    end, "side by side" },
    { "w", function()
      require("bodkin.proposals").why(proposal)
    end, "why: what the model said" },
  }
end

--- Opens the view in a tab, at this file's first change.
function M.open(proposal, uri)
  M.close(proposal)
  require("bodkin.diff").close(proposal)
  content_of(proposal, function(lines, places)
    local from = vim.api.nvim_get_current_win()
    local buffer = vim.api.nvim_create_buf(false, true)
    if vim.api.nvim_win_get_config(from).relative ~= "" then
      vim.cmd("wincmd p")
    end
    vim.cmd("tab split")
    vim.api.nvim_win_set_buf(0, buffer)
    vim.bo[buffer].bufhidden = "wipe"
    vim.bo[buffer].syntax = "diff"
    local view = { buffer = buffer, window = vim.api.nvim_get_current_win(), tab = vim.api.nvim_get_current_tabpage(), from = from,
      places = places }
    views[proposal.id] = view
    fill(view, lines)
    vim.wo.number, vim.wo.relativenumber, vim.wo.signcolumn, vim.wo.list = false, false, "no", false
    vim.wo.statusline = " a take  r refuse  A all  u side by side  g? keys  q close"
    float.map(buffer, keys_of(proposal), function()
      M.close(proposal)
    end)
    for _, place in ipairs(places) do
      if not uri or place.uri == uri then
        vim.api.nvim_win_set_cursor(0, { place.first, 0 })
        break
      end
    end
    client_of.event("BodkinDiff", { proposalId = proposal.id })
  end)
end

--- The proposal whose view is the current window, and the view.
function M.here()
  local buffer = vim.api.nvim_get_current_buf()
  for id, view in pairs(views) do
    if view.buffer == buffer then
      return require("bodkin.proposals").by_id(id), view
    end
  end
end

--- The change at the cursor.
function M.place()
  local _, view = M.here()
  local line = vim.api.nvim_win_get_cursor(0)[1]
  for _, place in ipairs(view and view.places or {}) do
    if line >= place.first and line <= place.last then
      return place
    end
  end
end

function M.meant(scope)
  local proposal, view = M.here()
  local place = M.place()
  if not place then
    return nil, "no change under the cursor; ]h jumps to the next one"
  end
  local hunks = {}
  for _, each in ipairs(view.places) do
    if each == place or (scope == "file" and each.uri == place.uri) then
      table.insert(hunks, each.index)
    end
  end
  return proposal, hunks
end

function M.go(by)
  local _, view = M.here()
  local line = vim.api.nvim_win_get_cursor(0)[1]
  local first, last = 1, #view.places
  if by < 0 then
    first, last = last, first
  end
  for i = first, last, by do
    local at = view.places[i].first
    if (by > 0 and at > line) or (by < 0 and at < line) then
      return vim.api.nvim_win_set_cursor(0, { at, 0 })
    end
  end
end

--- After a state change: shows what is left, or closes the view.
function M.refresh(proposal)
  local view = views[proposal.id]
  if not view or proposal.state == "applying" then
    return
  end
  if not vim.api.nvim_buf_is_valid(view.buffer) then
    views[proposal.id] = nil
    return
  end
  if not require("bodkin.proposals").is_open(proposal) then
    return M.close(proposal)
  end
  content_of(proposal, function(lines, places)
    if views[proposal.id] == view and vim.api.nvim_buf_is_valid(view.buffer) then
      view.places = places
      fill(view, lines)
      client_of.event("BodkinDiff", { proposalId = proposal.id })
    end
  end)
end

return M
