-- Taking the server's edits: into files that can be loaded, with the cursors where they were.
local M = {}

local half_typed = require("bodkin.busy") -- it follows the modes from the start

local loop = vim.uv or vim.loop

-- Where a row (from 0) is after edits of its text, which are ascending and disjoint.
local function moved(row, edits)
  local shift = 0
  for _, edit in ipairs(edits) do
    local first, last = edit.range.start.line, edit.range["end"].line
    local _, added = edit.newText:gsub("\n", "")
    if last <= row then
      shift = shift + added - (last - first)
    elseif first <= row then
      row = math.min(row, first + math.max(added - 1, 0))
    end
  end
  return row + shift
end

-- Loads the files of an edit. Returns a function that puts the cursors of their windows and the marks that are lost where
-- their lines are then, which Neovim 0.7.2 does not do; or nil and why a file cannot be loaded.
local function load_files(edit)
  local files = require("bodkin.files")
  local edits, kept, marks = {}, {}, {}
  for _, change in ipairs(edit.documentChanges or {}) do
    if change.textDocument then
      edits[files.uri(change.textDocument.uri)] = change.edits
    end
  end
  for _, file in ipairs(files.of_edit(edit)) do
    local buffer, reason
    if file.kind ~= "create" and files.exists(file.uri) then
      buffer, reason = files.load(file.uri)
      if not buffer then
        return nil, reason
      end
    end
    for _, window in ipairs(buffer and vim.fn.win_findbuf(buffer) or {}) do
      local cursor = vim.api.nvim_win_get_cursor(window)
      cursor[1] = moved(cursor[1] - 1, edits[file.to or file.uri] or {}) + 1
      table.insert(kept, { window = window, buffer = buffer, cursor = cursor, to = file.to })
    end
    for _, mark in ipairs(buffer and vim.fn.getmarklist(buffer) or {}) do
      local row = moved(mark.pos[2] - 1, edits[file.to or file.uri] or {})
      table.insert(marks, { buffer = buffer, name = mark.mark:sub(2), row = row, column = mark.pos[3] - 1 })
    end
  end
  return function()
    for _, mark in ipairs(marks) do
      if mark.name:match("^%l$") and vim.api.nvim_buf_is_loaded(mark.buffer)
        and vim.api.nvim_buf_get_mark(mark.buffer, mark.name)[1] == 0 then
        pcall(vim.api.nvim_buf_set_mark, mark.buffer, mark.name, mark.row + 1, mark.column, {})
      end
    end
    for _, one in ipairs(kept) do
      local buffer = vim.api.nvim_win_is_valid(one.window) and vim.api.nvim_win_get_buf(one.window)
      if buffer and (buffer == one.buffer or (one.to and files.of_buffer(buffer) == one.to))
        and vim.api.nvim_win_get_cursor(one.window)[1] ~= one.cursor[1] then
        pcall(vim.api.nvim_win_set_cursor, one.window, one.cursor)
      end
    end
  end
end

-- Whether a buffer's text is that of its file, as far as lines tell; of one that is not there yet, none.
local function is_as_on_disk(buffer)
  local here = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  local name = vim.api.nvim_buf_get_name(buffer)
  local ok, lines = pcall(vim.fn.readfile, name)
  if not ok or #lines == 0 then
    return vim.deep_equal(here, { "" }) and (ok or vim.fn.filereadable(name) == 0)
  end
  lines[1] = lines[1]:gsub("^\239\187\191", "")
  if vim.bo[buffer].fileformat == "dos" then
    lines = vim.tbl_map(function(line)
      return (line:gsub("\r$", ""))
    end, lines)
  end
  return vim.deep_equal(lines, here)
end

-- Why an edit may not be applied here, or nil. Neovim compares only the version of the first text, and none with 0, and it
-- deletes and renames whatever was typed: what came after the server had sent the edit is seen here.
-- Decides: whether Neovim's text is still the one that an edit was made for.
local function why_not(edit, versions, client_id)
  local client_of, files = require("bodkin.client"), require("bodkin.files")
  for uri, version in pairs(versions) do
    local buffer = files.loaded(uri)
    if not buffer or not require("bodkin.told").is_current(client_id, buffer, version) then
      return files.name(uri) .. " has changed meanwhile"
    end
  end
  local known = {}
  for uri in pairs(versions) do
    known[files.uri(uri)] = true
  end
  for _, file in ipairs(files.of_edit(edit)) do
    local buffer = files.loaded(file.uri)
    if buffer and not known[file.uri] and not is_as_on_disk(buffer) then
      client_of.attach(buffer)
      return files.name(file.uri) .. " has unsaved text, which is known now; try again"
    elseif buffer and file.kind ~= "delete" and not vim.bo[buffer].modifiable then
      return files.name(file.uri) .. " is not modifiable (:setlocal modifiable)"
    end
  end
end

-- Neovim does not make the folders of what is created or moved. Returns why one cannot be made, or nil.
local function make_folders(edit)
  for _, change in ipairs(edit.documentChanges or {}) do
    local uri = change.kind == "create" and change.uri or change.kind == "rename" and change.newUri
    local reason = uri and require("bodkin.files").make_folder(uri)
    if reason then
      return reason
    end
  end
end

-- A buffer for a file that is made, with the line ends that its text will have: nil if it is there already.
local function create(change, text)
  local files = require("bodkin.files")
  local path = vim.uri_to_fname(change.uri)
  local open = files.loaded(change.uri) -- empty, as by `:edit new.py`
  if loop.fs_stat(path) or (open and not is_as_on_disk(open)) or vim.fn.writefile({}, path) ~= 0 then
    return nil
  end
  change.options = { ignoreIfExists = true }
  local buffer = files.load(change.uri)
  if buffer and text:find("\r\n", 1, true) and not text:gsub("\r\n", ""):find("\n", 1, true) then
    vim.bo[buffer].fileformat = "dos"
  end
  return buffer
end

-- Neovim would leave the text in a hidden buffer, beside an empty file, where :qall! loses it.
local function save(buffer)
  vim.api.nvim_buf_call(buffer, function()
    -- With "!": a buffer that was open already takes the empty file for another program's.
    if not pcall(vim.cmd, "silent noautocmd keepalt write!") then
      require("bodkin.client").warn(vim.fn.bufname(buffer) .. " is not saved yet (:write)")
    end
  end)
end

-- Of an edit that failed an empty file that was made for it does not stay.
local function forget(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  if #vim.fn.win_findbuf(buffer) == 0 then
    vim.api.nvim_buf_delete(buffer, { force = true })
  end
  if vim.fn.getfsize(name) == 0 then
    vim.fn.delete(name)
  end
end

-- Neovim 0.10 leaves an empty line behind what it adds below the last line of a buffer.
local function fit_ends(edit)
  if vim.fn.has("nvim-0.10") == 0 or vim.fn.has("nvim-0.11") == 1 then
    return
  end
  local function fit(uri, edits)
    local buffer = require("bodkin.files").buffer(uri)
    for _, each in ipairs(edits or {}) do
      if vim.api.nvim_buf_is_loaded(buffer) and each.range.start.line >= vim.api.nvim_buf_line_count(buffer) then
        each.newText = each.newText:gsub("\r?\n$", "")
      end
    end
  end
  for _, change in ipairs(edit.documentChanges or {}) do
    if change.textDocument then
      fit(change.textDocument.uri, change.edits)
    end
  end
  for uri, edits in pairs(edit.changes or {}) do
    fit(uri, edits)
  end
end

-- Ends what `u` takes back at once: the change belongs to what is typed neither before nor after it, in Insert mode either.
local function break_undo(edit)
  local files = require("bodkin.files")
  for _, file in ipairs(files.of_edit(edit)) do
    local buffer = files.loaded(file.to or file.uri) or files.loaded(file.uri)
    if buffer then
      vim.api.nvim_buf_call(buffer, function()
        pcall(vim.cmd, "noautocmd let &l:undolevels = &l:undolevels")
      end)
    end
  end
end

-- Before a file is renamed it is written: what formats it then would move the lines that are edited next. As pcall(run). What
-- the person's autocommands for 'eventignore' do ends nothing midway.
local function without_formatters(edit, run)
  local is_renaming = vim.tbl_contains(vim.tbl_map(function(file)
    return file.kind
  end, require("bodkin.files").of_edit(edit)), "rename")
  if not is_renaming then
    return pcall(run)
  end
  local ignored = vim.o.eventignore
  local function ignore(events)
    pcall(function()
      vim.o.eventignore = events
    end)
  end
  ignore((ignored == "" and "" or ignored .. ",") .. "BufWritePre,FileWritePre")
  local ok, answer = pcall(run)
  ignore(ignored)
  return ok, answer
end

-- Neovim's buffer for an empty file has one empty line, which an insertion before it would leave at the end of the new file:
-- the edit is extended past the end to remove it.
local function apply(err, params, context, options)
  local client_of = require("bodkin.client")
  local created, texts = {}, {}
  for _, change in ipairs(params and params.edit and params.edit.documentChanges or {}) do
    if change.kind == "create" then
      texts[change.uri] = ""
      table.insert(created, change)
    elseif change.textDocument and texts[change.textDocument.uri] then
      for _, edit in ipairs(change.edits) do
        texts[change.textDocument.uri] = texts[change.textDocument.uri] .. edit.newText
        edit.range["end"] = { line = 1, character = 0 }
      end
    end
  end
  local edit = params and params.edit or {}
  local why = why_not(edit, params and params.documentVersions or {}, context.client_id)
  local busy = not why and half_typed.why(require("bodkin.files").of_edit(edit))
  if busy then
    require("bodkin.later").put_off(edit, context.client_id, busy)
  end
  if why or busy then
    return { applied = false, failureReason = why or busy .. "; try again" }
  end
  local put_back, reason = load_files(edit)
  reason = reason or make_folders(edit)
  if reason then
    return { applied = false, failureReason = reason }
  end
  local buffers = {}
  for _, change in ipairs(created) do
    table.insert(buffers, create(change, texts[change.uri]))
  end
  fit_ends(edit)
  params.label = nil -- Neovim would print it, and the server says what was done
  -- Neovim would make a buffer with that URI as its name.
  local own, others = {}, {}
  for _, change in ipairs(edit.documentChanges or {}) do
    local is_untitled = change.textDocument and vim.startswith(change.textDocument.uri, "untitled:")
    table.insert(is_untitled and own or others, change)
  end
  local ok, answer = true, { applied = true }
  break_undo(edit)
  if #others > 0 or #own == 0 then
    edit.documentChanges = edit.documentChanges and others
    ok, answer = without_formatters(edit, function()
      return vim.lsp.handlers["workspace/applyEdit"](err, params, context, options)
    end)
  end
  if ok and (answer or {}).applied then
    for _, change in ipairs(own) do
      local client = client_of.by_id(context.client_id)
      ok, answer = pcall(vim.lsp.util.apply_text_edits, change.edits, require("bodkin.files").buffer(change.textDocument.uri),
        client.offset_encoding or "utf-16")
      answer = not ok and answer or { applied = true }
    end
  end
  break_undo(edit)
  answer = ok and answer or { applied = false, failureReason = not ok and answer or nil }
  -- Newer Neovims hold changes back, but not behind another message: the server judges by all of the text.
  client_of.send(client_of.by_id(context.client_id), "$/setTrace", { value = "off" })
  put_back()
  for _, buffer in ipairs(buffers) do
    if answer.applied then
      save(buffer)
    else
      forget(buffer)
    end
  end
  if not answer.applied and answer.failureReason then
    answer.failureReason = require("bodkin.files").reason(answer.failureReason)
  end
  return answer
end

--- The handler of workspace/applyEdit.
function M.apply(err, params, context, options)
  local files, buffers = require("bodkin.files"), {}
  for _, file in ipairs(files.of_edit(params and params.edit or {})) do
    table.insert(buffers, files.loaded(file.uri))
  end
  return require("bodkin.review").applying(function()
    return require("bodkin.told").watching(context.client_id, buffers, function()
      return apply(err, params, context, options)
    end)
  end)
end

return M
