-- The preview side by side: a tab with the file on the left and the proposed text on the right, both in Vim's diff mode.
-- `do` and `dp` mean what they mean in any diff, but the buffer changes only through the server, which first checks
-- whether the text is still the one that the model saw.
-- Longer than others: the two windows are filled, drawn and closed together.
local M = {}

local client_of = require("bodkin.client")
local contents = require("bodkin.contents")
local files = require("bodkin.files")
local float = require("bodkin.float")
local found_in = require("bodkin.found")
local places = require("bodkin.places")
local preview = require("bodkin.preview")

local views = {} -- proposal -> {tab, from, index, uri, real, preview, left, hunks, changed, keys}
local marks = vim.api.nvim_create_namespace("bodkin_diff")

local function escaped(text)
  return (text:gsub("%%", "%%%%"))
end

-- As much of the end of a name, or of the beginning of other words, as has room.
local function last_of(name, room)
  local from = 1
  while vim.fn.strdisplaywidth(name:sub(from)) > room do
    from = from + #vim.fn.strcharpart(name:sub(from), 0, 1)
  end
  return name:sub(from)
end
local function first_of(words, room)
  return vim.fn.strdisplaywidth(words) > room and float.fitting(words, 1, room - 1) .. "…" or words
end

-- What is shown, on the left; the keys, on the right. Either is narrow: the name rather loses its begin than the verdict its.
local function headlines(proposal, index)
  local several = #proposal.files > 1 and ("%d of %d: "):format(index, #proposal.files) or ""
  local said = require("bodkin.verdict").in_short(proposal.verification)
  local name = files.words(proposal.files[index])
  local width, room = vim.fn.strdisplaywidth, math.floor((vim.o.columns - 1) / 2)
  if width(several .. name .. said) + 3 > room then
    said = require("bodkin.verdict").in_brief(said) -- the rest is said in the file and by `w`
    local both = room - width(several) - 3
    said = first_of(said, math.max(both - width(name), math.floor(both * 2 / 3)))
    if width(name .. said) > both then
      name = "<" .. last_of(name, both - width(said) - 1)
    end
  end
  local keys = (" a accept  A all  %sg? keys "):format(#proposal.files > 1 and "]f file  " or "")
  local left = room - width(keys)
  local title = client_of.plain(proposal.title):gsub("%s+", " ")
  title = (left >= 12 or width(title) <= left) and first_of(title, left) or "" -- a word or two of it say nothing
  return (" %s%s  %s"):format(several, escaped(name), escaped(said)), keys .. escaped(title)
end

local function unmark(view)
  found_in.clear(view)
  if vim.api.nvim_buf_is_valid(view.real) then
    vim.api.nvim_buf_clear_namespace(view.real, marks, 0, -1)
  end
end

-- Marks the lines of the file that have changed since, so that nothing is proposed for them any more.
local function mark(view, uri, changed)
  unmark(view)
  local last = vim.api.nvim_buf_line_count(view.real) - 1
  for _, hunk in ipairs(changed) do
    if hunk.uri == uri then
      vim.api.nvim_buf_set_extmark(view.real, marks, math.min(hunk.range.start.line, last), 0, {
        virt_text = { { "changed since: no longer proposed", "BodkinUnknown" } },
      })
    end
  end
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
  vim.bo[view.preview].modified = false
  view.hunks = content.hunks or {}
  view.changed = #(content.changed or {})
  mark(view, view.uri, content.changed or {})
end

local function close(view)
  if view.left_keys then
    require("bodkin.keys").end_review(view.real)
  end
  if vim.api.nvim_tabpage_is_valid(view.tab) then
    for _, window in ipairs(vim.api.nvim_tabpage_list_wins(view.tab)) do
      if #vim.api.nvim_list_tabpages() > 1 or #vim.api.nvim_list_wins() > 1 then
        pcall(vim.api.nvim_win_close, window, true) -- what was changed stays in its buffer
      else
        vim.api.nvim_win_call(window, function()
          vim.cmd("diffoff!")
        end)
      end
    end
  end
  if vim.api.nvim_buf_is_valid(view.preview) then
    vim.api.nvim_buf_delete(view.preview, { force = true })
  end
  preview.leave(view)
end

local function close_of(proposal)
  local view = views[proposal]
  if view then
    views[proposal] = nil
    close(view)
    if vim.api.nvim_buf_is_valid(view.real) then
      require("bodkin.review").draw(view.real)
    end
    return view
  end
end

M.close = close_of

local show_file

local function step(proposal, by)
  local view = views[proposal]
  local index = (view.index - 1 + by) % #proposal.files + 1
  if index ~= view.index then
    close_of(proposal)
    show_file(proposal, index)
  end
end

-- In the proposed text Vim's keys mean the reverse of what they mean in the file, where the review has them, too.
local function has_two_meanings()
  client_of.notify("do and dp are for the file, on the left; here a accepts, r rejects")
end

-- On to the next (1) or previous (-1) file in which something is pending: in the file itself, if the review came from
-- there. nowhere(): there is none.
local function go_on(proposal, view, by, nowhere)
  if view.by_review then
    return require("bodkin.review").next_file(proposal, view.uri, by, nowhere, function()
      if views[proposal] == view then
        close_of(proposal)
      end
    end)
  end
  local stays = require("bodkin.ui").stays()
  contents.of_all(proposal, function(found)
    if not stays() then
      return
    end
    for offset = 1, #proposal.files - 1 do
      local index = (view.index - 1 + by * offset) % #proposal.files + 1
      if found[index] and #(found[index].hunks or {}) > 0 and views[proposal] == view then
        close_of(proposal)
        return show_file(proposal, index)
      end
    end
    nowhere()
  end)
end

local function keys_of(proposal)
  return preview.keys(proposal, {
    { "]f", function()
      step(proposal, 1)
    end, "next file" },
    { "[f", function()
      step(proposal, -1)
    end, "previous file" },
    { "e", function()
      require("bodkin.edited").begin(proposal, views[proposal])
    end, "edit the proposed text; :write makes a proposal of it" },
    { "u", function()
      local uri = views[proposal].uri
      close_of(proposal)
      require("bodkin.unified").open(proposal, uri)
    end, "as one diff" },
  })
end

-- Opens the tab for one file of the proposal.
local function show(proposal, index, content, by_review, is_unasked)
  require("bodkin.unseen").comes_up(proposal, is_unasked)
  local uri = proposal.files[index].uri
  local real = files.view(uri)
  require("bodkin.inline").clear(real) -- it would be there twice
  local from = preview.enter()
  vim.api.nvim_win_set_buf(0, real)
  local view = { tab = vim.api.nvim_get_current_tabpage(), from = from, index = index, real = real, uri = uri,
    left = vim.api.nvim_get_current_win(), by_review = by_review }
  views[proposal] = view
  local left, right = headlines(proposal, index)
  vim.cmd("diffthis")
  vim.wo.statusline = left
  view.preview = vim.api.nvim_create_buf(false, true)
  pcall(vim.api.nvim_buf_set_name, view.preview, ("bodkin://%s/%s"):format(proposal.id, files.name(uri)))
  fill(view, content)
  -- Not `filetype`: language servers would attach to the preview.
  vim.bo[view.preview].syntax = vim.bo[real].filetype ~= "" and vim.bo[real].filetype or files.syntax(uri)
  vim.cmd("rightbelow vsplit")
  vim.api.nvim_win_set_buf(0, view.preview)
  vim.bo[view.preview].bufhidden = "wipe"
  vim.api.nvim_create_autocmd("BufWipeout", { buffer = view.preview, once = true, callback = function()
    unmark(view)
    vim.schedule(function()
      if views[proposal] == view then -- the tab was closed in another way
        close_of(proposal)
      end
    end)
  end })
  vim.cmd("diffthis")
  vim.wo.statusline = right
  float.map(view.preview, keys_of(proposal), function()
    close_of(proposal)
  end)
  for _, key in ipairs({ "do", "dp" }) do
    vim.keymap.set("n", key, has_two_meanings, { buffer = view.preview, nowait = true, silent = true })
  end
  vim.api.nvim_create_autocmd("WinClosed", { pattern = tostring(view.left), once = true, callback = function()
    vim.schedule(function()
      if views[proposal] == view and not view.is_edited then
        close_of(proposal)
      end
    end)
  end })
  require("bodkin.keys").begin_review(real)
  view.left_keys = true
  found_in.draw(view, proposal)
  vim.cmd("normal! gg")
  pcall(vim.cmd, "normal! ]c")
  local first = places.of(view, true)[1]
  if first and vim.api.nvim_win_get_cursor(0)[1] == 1 then
    local last = vim.api.nvim_buf_line_count(view.preview)
    vim.api.nvim_win_set_cursor(0, { math.max(1, math.min(first.first + 1, last)), 0 })
  end
  local words_of = require("bodkin.proposal_words")
  local is_whole = view.changed == 0
  client_of.notify(is_whole and words_of.noted(proposal) or words_of.size(proposal, content))
  client_of.event("BodkinDiff", { proposalId = proposal.id })
end

function show_file(proposal, index, by_review, is_unasked)
  contents.of(proposal, proposal.files[index].uri, function(content)
    if not content then
      return client_of.warn("the server no longer has the contents of this proposal")
    end
    local ui = require("bodkin.ui")
    if ui.is_calm() then
      close_of(proposal)
      return show(proposal, index, content, by_review, is_unasked)
    end
    ui.when_calm(function()
      show_file(proposal, index, by_review, is_unasked) -- as it is by then
    end)
  end)
end

--- Opens the preview, with this file or the first. `by_review`: as a step of the review in the files.
--- `is_unasked`: by itself, so that the next keys are not meant for it.
function M.open(proposal, uri, by_review, is_unasked)
  if #proposal.files == 0 then
    return client_of.warn("this proposal does not change any files")
  end
  close_of(proposal)
  require("bodkin.unified").close(proposal)
  for index, file in ipairs(proposal.files) do
    if file.uri == uri or file.to == uri then
      return show_file(proposal, index, by_review, is_unasked)
    end
  end
  show_file(proposal, 1, by_review, is_unasked)
end

--- The proposal whose preview is the current tab, and what is shown.
function M.here()
  return preview.here(views)
end

--- Whether a preview shows this file beside its proposed text.
function M.shows(buffer)
  for _, view in pairs(views) do
    if view.real == buffer and vim.api.nvim_tabpage_is_valid(view.tab) then
      return true
    end
  end
  return false
end

--- What a command at the cursor means: the proposal and its hunks; nil and why not. scope: "hunk", "file"
function M.meant(scope)
  local proposal, view = M.here()
  local hunks = {}
  if scope == "file" or view and proposal.files[view.index].kind ~= "edit" then
    local file = proposal.files[view.index]
    for _, hunk in ipairs(proposal.hunks) do
      if hunk.uri == file.uri or hunk.uri == file.to then
        table.insert(hunks, hunk.index)
      end
    end
  else
    hunks = places.here(view)
  end
  if #hunks == 0 then
    return nil, "no change under the cursor; ]c jumps to the next one"
  end
  return proposal, hunks
end

--- Goes to the next (1) or previous (-1) change; after the last of a file to the next file.
function M.go(by)
  local proposal, view = M.here()
  local before = vim.api.nvim_win_get_cursor(0)
  pcall(vim.cmd, "normal! " .. (by > 0 and "]c" or "[c"))
  if not vim.deep_equal(before, vim.api.nvim_win_get_cursor(0)) then
    return
  end
  go_on(proposal, view, by, function()
    client_of.notify(by > 0 and "that was the last change" or "that was the first change")
  end)
end

-- After a decision: on to the next change of this file, or again from the first.
local function to_next_here(view)
  local buffer = vim.api.nvim_get_current_buf()
  if buffer ~= view.preview and buffer ~= view.real then
    return
  end
  local found = places.of(view, buffer == view.preview)
  local row, target = vim.api.nvim_win_get_cursor(0)[1] - 1, nil
  for _, place in ipairs(found) do
    if not target and math.max(place.first, place.last) >= row then
      target = place
    end
  end
  target = target or found[1]
  if row < target.first or row > target.last then
    local last = vim.api.nvim_buf_line_count(0)
    vim.api.nvim_win_set_cursor(0, { math.max(1, math.min(target.first + 1, last)), 0 })
    vim.cmd("normal! zv")
  end
end

local function update(proposal, view)
  contents.of(proposal, proposal.files[view.index].uri, function(content)
    if not content or not preview.is_shown(views, proposal, view) then
      return
    end
    local before, pending = view.changed, #view.hunks
    fill(view, content)
    found_in.draw(view, proposal)
    if view.changed > before then
      client_of.notify(require("bodkin.proposal_words").size(proposal, content))
    end
    local left, right = headlines(proposal, view.index)
    for _, window in ipairs(vim.fn.win_findbuf(view.preview)) do
      vim.wo[window].statusline = right
    end
    if vim.api.nvim_win_is_valid(view.left) then
      vim.wo[view.left].statusline = left
    end
    vim.cmd("diffupdate")
    if pending > #view.hunks and vim.api.nvim_get_current_tabpage() == view.tab and require("bodkin.review").stays() then
      if #view.hunks == 0 then
        go_on(proposal, view, 1, function() end) -- nothing is left in this file
      elseif view.changed == before then
        to_next_here(view)
      end
    end
    client_of.event("BodkinDiff", { proposalId = proposal.id })
  end)
end

--- After a state change: shows what is left, or closes the preview.
function M.refresh(proposal)
  preview.refresh(views, proposal, function(view)
    update(proposal, view)
  end, close_of)
end

return M
