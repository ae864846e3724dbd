-- Next edits: what the user's last edit implies elsewhere in the buffer, or else what a model predicts (suggest.model). A hint says so at
-- the end of the line; a key goes to the place, and once it is there makes the change. Nothing is shown while changes of a
-- proposal are drawn in the buffer.
local M = {}

local client_of = require("bodkin.client")
local extensions = require("bodkin.extensions")
local keys = require("bodkin.keys")

local namespace = vim.api.nvim_create_namespace("bodkin_next_edit")
local pause = 200 -- ms without another change
local shown = {}  -- buffer -> {tick, edits, what, client, key}
local asked = {}  -- buffer -> the changedtick of the newest question

function M.clear(buffer)
  local own = shown[buffer]
  shown[buffer] = nil
  if own and vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
    keys.remove(buffer, own.key)
  end
end

-- The words are cut where there is no room for them, first the part of the line that stays as it is (`stays`
-- characters); what says which key, never.
local function hint(buffer, line, words, key, stays)
  words = client_of.plain(words)
  local window = vim.fn.bufwinid(buffer)
  if window ~= -1 then
    local text = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1] or ""
    local room = vim.api.nvim_win_get_width(window) - vim.fn.getwininfo(window)[1].textoff - vim.fn.strdisplaywidth(text)
    local most = math.max(room - 3 - vim.fn.strdisplaywidth(key), 8) -- a blank before it is Neovim's
    if vim.fn.strdisplaywidth(words) > most and (stays or 0) > 6 then
      words = "→ …" .. vim.fn.strcharpart(words, 2 + stays - 3)
    end
    if vim.fn.strdisplaywidth(words) > most then
      words = vim.fn.strcharpart(words, 0, most - 1) .. "…"
    end
  end
  vim.api.nvim_buf_set_extmark(buffer, namespace, line, 0, {
    virt_text = { { "  " .. words .. key, "BodkinHint" } },
    hl_mode = "combine",
  })
end

local function name_of(own)
  return (own.what == "Same change" or own.what == "Next edit") and own.what:lower() or own.what
end

-- At the place what it becomes; beside the cursor, if the place is not on the screen, where it is.
local function draw(buffer, own)
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  local edit = own.edits[1]
  local line = edit.range.start.line
  local others = (#own.edits > 1 and (", %d more"):format(#own.edits - 1) or "") .. (own.checked == false and ", not checked" or "")
  local becomes = vim.split(edit.newText, "\r?\n", { trimempty = true })
  local words = edit.message and "→ " .. edit.message or #becomes == 0 and "→ delete" or #becomes == 1 and "→ " .. vim.trim(becomes[1])
    or ("→ %s, %d lines"):format(name_of(own), #becomes)
  local key = ("  (%s%s)"):format(own.key, others)
  local stays = 0
  if #becomes == 1 and not edit.message then
    local old, new = vim.trim(vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1] or ""), vim.trim(becomes[1])
    while stays < vim.fn.strchars(new) and vim.fn.strcharpart(old, stays, 1) == vim.fn.strcharpart(new, stays, 1) do
      stays = stays + 1
    end
  end
  hint(buffer, line, words, key, stays)
  local window = vim.fn.bufwinid(buffer)
  if window ~= -1 and (line + 1 < vim.fn.line("w0", window) or line + 1 > vim.fn.line("w$", window)) then
    local cursor = vim.api.nvim_win_get_cursor(window)[1]
    hint(buffer, cursor - 1, ("→ %s at line %d"):format(name_of(own), line + 1), key)
  end
end

local function show(buffer, client, answer)
  M.clear(buffer)
  if #answer.edits == 0 or require("bodkin.inline").of(buffer) then
    return
  end
  local key = keys.make(buffer, "same")
  if not key then
    return
  end
  shown[buffer] = { tick = vim.api.nvim_buf_get_changedtick(buffer), edits = answer.edits, what = answer.what, checked = answer.checked,
    client = client.id, key = key }
  draw(buffer, shown[buffer])
end

--- A buffer has changed: what that implies is shown once nobody types.
function M.changed(buffer)
  M.clear(buffer)
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  asked[buffer] = tick
  vim.defer_fn(function()
    local function is_same()
      return asked[buffer] == tick and vim.api.nvim_buf_is_valid(buffer) and vim.api.nvim_buf_get_changedtick(buffer) == tick
    end
    local client = is_same() and client_of.of(buffer)
    if not client or vim.api.nvim_get_mode().mode:sub(1, 1) ~= "n" then
      return
    end
    local place = buffer == vim.api.nvim_get_current_buf() and vim.lsp.util.make_position_params(0, client.offset_encoding).position
    local range = place and { start = place, ["end"] = place } or nil
    client_of.request(client, extensions.next_edits, { uri = vim.uri_from_bufnr(buffer), range = range }, function(answer)
      if is_same() then
        asked[buffer] = nil
        show(buffer, client, answer)
      end
    end, buffer, function() end)
  end, pause)
end

--- Whether all that a buffer's changes imply is known; for tests.
function M.is_answered(buffer)
  return asked[buffer == 0 and vim.api.nvim_get_current_buf() or buffer] == nil
end

--- What the key does: goes to the next place, or makes its change.
function M.go()
  local buffer = vim.api.nvim_get_current_buf()
  local own = shown[buffer]
  if not own or own.tick ~= vim.api.nvim_buf_get_changedtick(buffer) then
    return M.clear(buffer)
  end
  local edit = own.edits[1]
  local cursor = vim.api.nvim_win_get_cursor(0)[1] - 1
  if cursor < edit.range.start.line or cursor >= math.max(edit.range["end"].line, edit.range.start.line + 1) then
    vim.cmd("normal! m'")
    vim.api.nvim_win_set_cursor(0, { edit.range.start.line + 1, 0 })
    vim.cmd("normal! ^zv")
    return draw(buffer, own)
  end
  local client = client_of.by_id(own.client)
  M.clear(buffer)
  if edit.message then -- what it takes is not known: the next place is shown
    own.edits = vim.list_slice(own.edits, 2)
    return show(buffer, client, own)
  end
  if client then
    vim.lsp.util.apply_text_edits({ edit }, buffer, client.offset_encoding)
  end
end

return M
