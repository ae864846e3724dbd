-- Files of proposals: what happens to each, in words, and loading them without Neovim's questions.
local M = {}

local paths = require("bodkin.paths")

local loop = vim.uv or vim.loop

function M.relative(path)
  return vim.fn.fnamemodify(path, ":~:.")
end

--- The same URI for the same file, however it was spelled: as Neovim itself writes it. What comes from the server goes
--- through this before it is kept or compared.
function M.uri(uri)
  return vim.startswith(uri, "file:") and vim.uri_from_fname(paths.slashed(vim.uri_to_fname(uri))) or uri
end

--- Whether a buffer has a text in some language that is no file's: it has no name, or is a scratch buffer (|buftype|
--- "nofile").
function M.is_untitled(buffer)
  if not vim.api.nvim_buf_is_loaded(buffer) or vim.bo[buffer].filetype == "" or not vim.bo[buffer].modifiable then
    return false
  end
  local kind, name = vim.bo[buffer].buftype, vim.api.nvim_buf_get_name(buffer)
  return (kind == "" and name == "") or (kind == "nofile" and not name:match("^%a[%w+.-]+://"))
end

-- The buffer of such a URI, which only this Neovim knows; nil: it is another.
local function untitled(uri)
  local buffer = tonumber(uri:match("^untitled:Buffer%-(%d+)$"))
  return buffer and vim.api.nvim_buf_is_valid(buffer) and buffer or nil
end

--- The URI of a buffer's file, or of its text.
function M.of_buffer(buffer)
  if M.is_untitled(buffer) then
    return ("untitled:Buffer-%d"):format(buffer == 0 and vim.api.nvim_get_current_buf() or buffer)
  end
  return M.uri(vim.uri_from_bufnr(buffer))
end

--- The buffer of a URI; that of a file is made if there is none.
function M.buffer(uri)
  return untitled(uri) or vim.uri_to_bufnr(uri)
end

function M.name(uri)
  if vim.startswith(uri, "untitled:") then
    return "the buffer without a file"
  end
  return M.relative(vim.uri_to_fname(uri))
end

---@class BodkinFile
---@field uri string
---@field kind "edit"|"create"|"delete"|"rename"
---@field to string|nil its new URI

--- The files of a WorkspaceEdit, in its order: {uri, kind = "edit"|"create"|"delete"|"rename", to}.
function M.of_edit(edit)
  local files, by_uri = {}, {}
  local function add(uri, kind, to)
    uri, to = M.uri(uri), to and M.uri(to)
    local known = by_uri[uri]
    if known then
      known.kind = known.kind == "edit" and kind or known.kind
      return
    end
    by_uri[uri] = { uri = uri, kind = kind, to = to }
    table.insert(files, by_uri[uri])
    if to then
      by_uri[to] = by_uri[uri] -- its text is edited under the new name
    end
  end
  for _, change in ipairs(edit.documentChanges or {}) do
    if change.kind == "rename" then
      add(change.oldUri, "rename", change.newUri)
    elseif change.kind then
      add(change.uri, change.kind)
    else
      add(change.textDocument.uri, "edit")
    end
  end
  local plain = vim.tbl_keys(edit.changes or {})
  table.sort(plain)
  for _, uri in ipairs(plain) do
    add(uri, "edit")
  end
  return files
end

--- The files of a bodkin/proposal, as its changes are numbered; its edit names new files first.
function M.of_proposal(params)
  local found, first = M.of_edit(params.edit or {}), {}
  for _, hunk in ipairs(params.hunks or {}) do
    local uri = M.uri(hunk.uri)
    first[uri] = math.min(first[uri] or math.huge, hunk.index)
  end
  local before = {}
  for number, file in ipairs(found) do
    before[file] = { math.min(first[file.uri] or math.huge, first[file.to or file.uri] or math.huge), number }
  end
  table.sort(found, function(one, other)
    local a, b = before[one], before[other]
    return a[1] < b[1] or a[1] == b[1] and a[2] < b[2]
  end)
  return found
end

--- "new file pi.py", "a.py is deleted", "a.py becomes b.py", or the name.
function M.words(file)
  local name = M.name(file.uri)
  if file.kind == "create" then
    return "new file " .. name
  elseif file.kind == "delete" then
    return name .. " is deleted"
  elseif file.kind == "rename" then
    return ("%s becomes %s"):format(name, M.name(file.to))
  end
  return name
end

-- Whether there is a swap file for it. Neovim would say so with a text that fills the screen, and neither :silent nor a
-- SwapExists autocmd helps where a buffer is loaded without a window.
local function is_in_use(path)
  for _, folder in ipairs(vim.o.swapfile and vim.opt.directory:get() or {}) do
    local name = vim.fn.fnamemodify(path, ":t")
    local base
    if vim.endswith(paths.slashed(folder), "//") then
      base = vim.fn.expand(folder:sub(1, -2)) .. paths.as_swap_name(vim.fn.resolve(path))
    elseif folder == "." then
      base = vim.fn.fnamemodify(path, ":h") .. "/." .. name
    else
      base = vim.fn.expand(folder) .. "/" .. name
    end
    for ending = ("p"):byte(), ("a"):byte(), -1 do
      local swap = base .. ".sw" .. string.char(ending)
      if not loop.fs_stat(swap) then
        break
      end
      local info = vim.fn.swapinfo(swap)
      local fname = not info.error and vim.fn.resolve(vim.fn.expand(vim.fn.fnameescape(info.fname)))
      if fname and paths.are_same(fname, vim.fn.resolve(path)) then
        return true
      end
    end
  end
  return false
end

--- The buffer of a file if it is loaded, else nil.
function M.loaded(uri)
  local buffer = untitled(uri) or paths.buffer_of(vim.uri_to_fname(uri))
  return buffer > 0 and vim.api.nvim_buf_is_loaded(buffer) and buffer or nil
end

--- The loaded buffer of a file, or nil and a sentence.
function M.load(uri)
  local path = vim.uri_to_fname(uri)
  local known = untitled(uri) or paths.buffer_of(path)
  if known > 0 and vim.api.nvim_buf_is_loaded(known) then
    return known
  end
  local buffer = vim.fn.bufadd(vim.fn.fnamemodify(path, ":.")) -- named as by :edit
  local has_swap = is_in_use(path)
  local ok, reason = true, nil
  if not has_swap then
    ok, reason = pcall(vim.cmd, ("silent call bufload(%d)"):format(buffer))
    has_swap = not ok and tostring(reason):find("E325", 1, true) ~= nil
  end
  if ok and not has_swap and vim.api.nvim_buf_is_loaded(buffer) then
    return buffer
  end
  if vim.api.nvim_buf_is_valid(buffer) and known <= 0 then
    pcall(vim.api.nvim_buf_delete, buffer, { force = true })
  end
  return nil, has_swap and ("%s is open in another program (it has a swap file); close it there, or recover it with :recover"):format(
    M.relative(path)) or ("%s cannot be loaded%s"):format(M.relative(path), ok and "" or ": " .. M.reason(reason))
end

--- What a Lua error says, without where in the program it happened.
function M.reason(problem)
  local words = tostring(problem):match("^[^\n]*")
  local before
  repeat
    before = words
    words = words:gsub("^Vim%b():", ""):gsub("^Vim:", ""):gsub("^[^%s:]*%.lua:%d+: ", ""):gsub("^%[string [^%]]*%]:%d+: ", "")
      :gsub("^Error executing lua: ", "")
  until words == before
  return words
end

--- Makes the folders above a file. Returns nil, or why it cannot be done, in a sentence.
function M.make_folder(uri)
  local folder = vim.fn.fnamemodify(vim.uri_to_fname(uri), ":h")
  local ok, problem = pcall(vim.fn.mkdir, folder, "p")
  if not ok and vim.fn.isdirectory(folder) == 0 then
    return ("the folder %s cannot be made: %s"):format(M.relative(folder), M.reason(problem))
  end
end

--- Whether there is such a file, or a buffer for it.
function M.exists(uri)
  if untitled(uri) then
    return true
  end
  local path = vim.uri_to_fname(uri)
  return loop.fs_stat(path) ~= nil or vim.fn.bufloaded(path) == 1
end

--- A buffer that shows a file as it is, to look at: the file's own, else a copy.
function M.view(uri)
  if M.exists(uri) then
    local buffer = M.load(uri)
    if buffer then
      return buffer
    end
  end
  local copy = vim.api.nvim_create_buf(false, true)
  vim.bo[copy].bufhidden = "wipe"
  local path = vim.uri_to_fname(uri)
  if vim.fn.filereadable(path) == 1 then
    vim.api.nvim_buf_set_lines(copy, 0, -1, false, vim.fn.readfile(path))
  end
  vim.bo[copy].modifiable = false
  return copy
end

--- Shows a file in this window, or in another if the text here cannot be left. Returns its buffer, or nil and a sentence.
function M.show(uri)
  local buffer, reason = M.load(uri)
  if not buffer then
    return nil, reason
  end
  vim.bo[buffer].buflisted = true
  local window = vim.fn.bufwinid(buffer)
  if window > 0 then
    vim.api.nvim_set_current_win(window)
    return buffer
  end
  local here = vim.api.nvim_get_current_buf()
  local leaves = vim.o.hidden or vim.bo[here].bufhidden == "hide" or not vim.bo[here].modified
  local is_fixed = vim.fn.exists("+winfixbuf") == 1 and vim.wo.winfixbuf
  if not leaves or is_fixed or vim.bo[here].buftype ~= "" or vim.api.nvim_win_get_config(0).relative ~= "" then
    vim.cmd("topleft split")
    if is_fixed then
      vim.wo.winfixbuf = false
    end
  end
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_buf(0, buffer)
  return buffer
end

--- The syntax of a file that is not there yet; Neovim 0.7.2 does not tell it.
function M.syntax(uri)
  local ok, name = pcall(vim.filetype.match, { filename = vim.uri_to_fname(uri) })
  return ok and type(name) == "string" and name or ""
end

function M.plural(count, word)
  return ("%d %s%s"):format(count, word, count == 1 and "" or "s")
end

--- What a proposal changes: "3 changes in 2 files" or "a.py is deleted".
function M.extent(proposal)
  if #proposal.files == 1 and proposal.files[1].kind ~= "edit" then
    return M.words(proposal.files[1])
  end
  local loaded = #proposal.uris == 1 and M.loaded(proposal.uris[1])
  local is_shown = #proposal.uris > 1 or (loaded and #vim.fn.win_findbuf(loaded) > 0)
  return ("%s in %s"):format(M.plural(#proposal.hunks, "change"),
    is_shown and M.plural(#proposal.uris, "file") or M.name(proposal.uris[1]))
end

return M
