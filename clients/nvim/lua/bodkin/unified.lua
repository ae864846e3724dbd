-- The preview as one diff of all files, below what the model said, each change with what was found in it.
local M = {}

local client_of = require("bodkin.client")
local contents = require("bodkin.contents")
local files = require("bodkin.files")
local float = require("bodkin.float")
local preview = require("bodkin.preview")
local whole_lines = require("bodkin.whole_lines")

local views = {} -- proposal -> {preview, window, tab, from, places}; a place: {first, last, index, uri}, lines from 1

local context = 3 -- lines around a change

local function add_file(lines, places, proposal, file, content, encoding)
  local buffer = files.view(file.uri)
  local count = vim.api.nvim_buf_line_count(buffer)
  table.insert(lines, "diff " .. files.words(file))
  for _, hunk in ipairs(content.hunks or {}) do
    local first, old, new = whole_lines.of(buffer, hunk, encoding)
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
    for _, problem in ipairs(require("bodkin.verdict").found_in(proposal.verification, hunk.index)) do
      table.insert(lines, problem[1])
    end
    table.insert(places, { first = begin, last = #lines, index = hunk.index, uri = file.uri })
  end
  table.insert(lines, "")
end

-- callback(lines, places)
local function make(proposal, callback)
  contents.of_all(proposal, function(found, client)
    local verdict = require("bodkin.verdict").words(proposal.verification)
    local lines, places = { client_of.plain(proposal.title):match("^[^\n]*") .. "  " .. verdict, "" }, {}
    local words = proposal.ask_id and require("bodkin.log").words_of(proposal.ask_id)
    if words then
      vim.list_extend(lines, vim.split(words, "\n", { plain = true }))
      table.insert(lines, "")
    end
    for position, file in ipairs(proposal.files) do
      if found[position] then
        add_file(lines, places, proposal, file, found[position], client.offset_encoding or "utf-16")
      end
    end
    callback(lines, places)
  end)
end

--- Closes the view of a proposal, if there is one.
function M.close(proposal)
  local view = views[proposal]
  views[proposal] = nil
  if not view then
    return
  end
  if vim.api.nvim_win_is_valid(view.window) and #vim.api.nvim_list_wins() > 1 then
    pcall(vim.api.nvim_win_close, view.window, true)
  end
  preview.leave(view)
end

local function fill(view, lines)
  vim.bo[view.preview].modifiable = true
  vim.api.nvim_buf_set_lines(view.preview, 0, -1, false, lines)
  vim.bo[view.preview].modifiable = false
  vim.bo[view.preview].modified = false
end

--- Opens the view in a tab, at this file's first change.
function M.open(proposal, uri)
  M.close(proposal)
  require("bodkin.diff").close(proposal)
  make(proposal, function(lines, places)
    local ui = require("bodkin.ui")
    if not ui.is_calm() then
      return ui.when_calm(function()
        M.open(proposal, uri) -- as it is by then
      end)
    end
    M.close(proposal)
    local buffer = vim.api.nvim_create_buf(false, true)
    local from = preview.enter()
    vim.api.nvim_win_set_buf(0, buffer)
    vim.bo[buffer].bufhidden = "wipe"
    pcall(vim.api.nvim_buf_set_name, buffer, "bodkin://" .. proposal.id)
    vim.bo[buffer].syntax = "diff"
    local view = { preview = buffer, window = vim.api.nvim_get_current_win(), tab = vim.api.nvim_get_current_tabpage(), from = from,
      places = places }
    views[proposal] = view
    fill(view, lines)
    vim.wo.number, vim.wo.relativenumber, vim.wo.signcolumn, vim.wo.list = false, false, "no", false
    vim.wo.statusline = " a accept  r reject  A all  u side by side  g? keys  q close"
    float.map(buffer, preview.keys(proposal, {
      { "do", function()
        require("bodkin.review").accept("hunk")
      end, "accept the change here, as in the file" },
      { "dp", function()
        require("bodkin.review").reject("hunk")
      end, "reject the change here, as in the file" },
      { "u", function()
        local place = M.place()
        require("bodkin.diff").open(proposal, place and place.uri)
      end, "side by side" },
    }), function()
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

--- The proposal whose view is the current tab, and the view.
function M.here()
  return preview.here(views)
end

--- The change at the cursor.
function M.place()
  local _, view = M.here()
  local line = view and vim.api.nvim_win_get_cursor(view.window)[1]
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
  client_of.notify(by > 0 and "that was the last change" or "that was the first change")
end

--- After a state change: shows what is left, or closes the view.
function M.refresh(proposal)
  preview.refresh(views, proposal, function(view)
    make(proposal, function(lines, places)
      if preview.is_shown(views, proposal, view) then
        view.places = places
        fill(view, lines)
        client_of.event("BodkinDiff", { proposalId = proposal.id })
      end
    end)
  end, M.close)
end

return M
