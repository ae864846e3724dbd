-- The preview: a tab with the real buffer on the left and the proposed text on the right, both in Vim's diff mode. Hunks
-- are applied one by one from the right side; the buffer changes only through the server, which first checks whether
-- the text is still the one that the model saw.
local M = {}

local client_of = require("bodkin.client")
local extensions = require("bodkin.extensions")

local loop = vim.uv or vim.loop
local views = {} -- proposal id -> {tab, index, real, preview, hunks}

-- The title, the verification, and the keys.
local function headline(proposal, index)
  local files = #proposal.uris
  local several = files > 1 and (", file %d of %d"):format(index, files) or ""
  local text = (" %s%s, %s"):format(proposal.id, several, require("bodkin.proposals").verified(proposal.verification))
  -- The keys are never truncated.
  return (" a: this  A: all  x: discard  %sq: close %%="):format(files > 1 and "]f: next  " or "")
    .. "%<" .. (text:gsub("%%", "%%%%")) .. " "
end

local function relative(path)
  return vim.fn.fnamemodify(path, ":~:.")
end

local function fill(view, content)
  local text = content.text or ""
  local lines = vim.split(text:gsub("\r\n", "\n"), "\n", { plain = true })
  if lines[#lines] == "" and #lines > 1 then
    table.remove(lines)
  end
  vim.bo[view.preview].modifiable = true
  vim.api.nvim_buf_set_lines(view.preview, 0, -1, false, lines)
  vim.bo[view.preview].modifiable = false
  view.hunks = content.hunks or {}
end

local function content_of(proposal, uri, callback)
  local client = client_of.of_proposal(proposal)
  if client then
    client_of.request(client, extensions.proposal_content, { proposalId = proposal.id, uri = uri }, callback)
  end
end

-- The hunks whose changed lines are under the cursor, in either window. A hunk's `range` counts lines of the
-- real buffer.
local function hunks_here(view)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local found = {}
  if vim.api.nvim_get_current_buf() == view.real then
    for _, hunk in ipairs(view.hunks) do
      -- A hunk that only adds lines has none here: the lines above and below count.
      local first, last = hunk.range.start.line, hunk.range["end"].line - 1
      if last < first then
        first, last = first - 1, first
      end
      if row >= first and row <= last then
        table.insert(found, hunk.index)
      end
    end
    return found
  end
  -- In the proposed text: earlier hunks have shifted it.
  local shift = 0
  for _, hunk in ipairs(view.hunks) do
    local first, last = hunk.range.start.line, hunk.range["end"].line
    local _, added = hunk.newText:gsub("\n", "")
    local begin = first + shift
    local finish = begin + math.max(added + (hunk.newText:sub(-1) ~= "\n" and hunk.newText ~= "" and 1 or 0), 1)
    if row >= begin and row < finish then
      table.insert(found, hunk.index)
    end
    shift = shift + added - (last - first)
  end
  return found
end

local function close(view)
  local tab = view.tab
  if vim.api.nvim_tabpage_is_valid(tab) then
    if #vim.api.nvim_list_tabpages() > 1 then
      vim.cmd(vim.api.nvim_tabpage_get_number(tab) .. "tabclose")
    else
      vim.cmd("diffoff!")
    end
  end
  if vim.api.nvim_buf_is_valid(view.preview) then
    vim.api.nvim_buf_delete(view.preview, { force = true })
  end
end

local function close_of(proposal)
  local view = views[proposal.id]
  if view then
    views[proposal.id] = nil
    close(view)
  end
end

local show_file

local function map(view, key, action, description)
  vim.keymap.set("n", key, action, { buffer = view.preview, nowait = true, desc = description })
end

local function step(proposal, by)
  local view = views[proposal.id]
  local index = (view.index - 1 + by) % #proposal.uris + 1
  if index ~= view.index then
    close_of(proposal)
    show_file(proposal, index)
  end
end

-- Opens the tab for one file of the proposal.
function show_file(proposal, index)
  local uri = proposal.uris[index]
  content_of(proposal, uri, function(content)
    if not content then
      return client_of.warn("the server no longer has the contents of this proposal")
    end
    local path = vim.uri_to_fname(uri)
    local real
    if loop.fs_stat(path) or vim.fn.bufloaded(path) == 1 then
      real = vim.uri_to_bufnr(uri)
      vim.fn.bufload(real)
    else
      -- A new file: loading a buffer with its name would announce it to all servers.
      real = vim.api.nvim_create_buf(false, true)
    end
    vim.cmd("tab split")
    vim.api.nvim_win_set_buf(0, real)
    local view = { tab = vim.api.nvim_get_current_tabpage(), index = index, real = real }
    views[proposal.id] = view
    vim.cmd("diffthis")
    view.preview = vim.api.nvim_create_buf(false, true)
    pcall(vim.api.nvim_buf_set_name, view.preview, ("%s [proposal %s]"):format(relative(path), proposal.id))
    fill(view, content)
    -- Not `filetype`: language servers would attach to the preview.
    vim.bo[view.preview].syntax = vim.bo[real].filetype
    vim.cmd("rightbelow vsplit")
    vim.api.nvim_win_set_buf(0, view.preview)
    vim.bo[view.preview].bufhidden = "wipe"
    vim.cmd("diffthis")
    vim.wo.statusline = headline(proposal, index)
    map(view, "a", M.apply_here, "Apply the change under the cursor")
    map(view, "A", function()
      require("bodkin.proposals").apply(proposal)
    end, "Apply the whole proposal")
    map(view, "x", function()
      require("bodkin.proposals").discard(proposal)
    end, "Discard the proposal")
    map(view, "q", function()
      close_of(proposal)
    end, "Close the preview")
    map(view, "]f", function()
      step(proposal, 1)
    end, "Next file")
    map(view, "[f", function()
      step(proposal, -1)
    end, "Previous file")
    vim.cmd("normal! gg")
    pcall(vim.cmd, "normal! ]c")
    local first = view.hunks[1]
    if first and vim.api.nvim_win_get_cursor(0)[1] == 1 then
      local last = vim.api.nvim_buf_line_count(view.preview)
      vim.api.nvim_win_set_cursor(0, { math.max(1, math.min(first.range.start.line + 1, last)), 0 })
    end
    local proposals = require("bodkin.proposals")
    client_of.notify(proposals.noted(proposal) or proposals.size(proposal))
    client_of.event("BodkinDiff", { proposalId = proposal.id })
  end)
end

function M.open(proposal)
  if #proposal.uris == 0 then
    return client_of.warn("this proposal does not change any files")
  end
  close_of(proposal)
  show_file(proposal, 1)
end

-- The proposal whose preview is the current tab.
local function here()
  local tab = vim.api.nvim_get_current_tabpage()
  for id, view in pairs(views) do
    if view.tab == tab then
      return require("bodkin.proposals").by_id(id), view
    end
  end
end

M.here = here

--- Applies the change under the cursor, in either window of a preview.
function M.apply_here()
  local proposal, view = here()
  if not proposal then
    return client_of.warn("open the preview first (:Bodkin diff), then apply the change under the cursor")
  end
  local hunks = hunks_here(view)
  if #hunks == 0 then
    return client_of.warn("no change under the cursor; ]c jumps to the next one")
  end
  require("bodkin.proposals").apply_hunks(proposal, hunks)
end

--- After a state change: shows what is left, or closes the preview.
function M.refresh(proposal)
  local view = views[proposal.id]
  if not view then
    return
  end
  if not vim.api.nvim_tabpage_is_valid(view.tab) or not vim.api.nvim_buf_is_valid(view.preview) then
    views[proposal.id] = nil
    return
  end
  if proposal.state == "applying" then
    return
  end
  if not require("bodkin.proposals").is_open(proposal) then
    return close_of(proposal)
  end
  content_of(proposal, proposal.uris[view.index], function(content)
    if content and views[proposal.id] == view and vim.api.nvim_buf_is_valid(view.preview) then
      fill(view, content)
      vim.cmd("diffupdate")
      for _, window in ipairs(vim.fn.win_findbuf(view.preview)) do
        vim.wo[window].statusline = headline(proposal, view.index)
      end
      client_of.event("BodkinDiff", { proposalId = proposal.id })
    end
  end)
end

return M
