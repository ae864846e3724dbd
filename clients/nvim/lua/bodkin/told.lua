-- What servers were told of the texts, and whether that is still what is there. Neovim's own versions cannot tell: they
-- do not change when a file gets another name or other line ends, or is loaded again.
local M = {}

local extensions = require("bodkin.extensions")
local files = require("bodkin.files")

local attached = {} -- [buffer] = true once it was
local told = {}     -- [client id][buffer] = {version, tick}: what a server was told of its text last, and when by |changedtick|
local changed = {}  -- [buffer] = when its text changed last, by |changedtick|; nil: nobody looks

-- In which encoding Neovim writes a buffer; without one: in which it reads a file that is not UTF-8.
local function encoding_of(buffer)
  if buffer then
    local own = vim.bo[buffer].fileencoding
    return own ~= "" and own or vim.o.encoding
  end
  for _, name in ipairs(vim.opt.fileencodings:get()) do
    if name ~= "ucs-bom" and name ~= "default" and not name:match("^utf") then
      return name
    end
  end
  return ""
end

--- Keeps what this client's server is told. Whatever other client opens a buffer sets Neovim's versions back.
function M.follow(client)
  local notify, mine = client.rpc.notify, {}
  told[client.id] = mine
  notify(extensions.did_change_encoding, { encoding = encoding_of() })
  client.rpc.notify = function(method, params)
    if method == "textDocument/didOpen" or method == "textDocument/didChange" then
      local buffer = files.buffer(params.textDocument.uri)
      mine[buffer] = { version = params.textDocument.version, tick = vim.api.nvim_buf_get_changedtick(buffer) }
    end
    local sent = notify(method, params)
    if method == "textDocument/didOpen" then
      notify(extensions.did_change_encoding,
        { uri = params.textDocument.uri, encoding = encoding_of(files.buffer(params.textDocument.uri)) })
    end
    return sent
  end
  local request = client.rpc.request
  client.rpc.request = function(method, ...)
    if method ~= "initialize" then
      M.send_untitled(client)
    end
    return request(method, ...)
  end
end

local function keep_changed(buffer)
  if changed[buffer] then
    return
  end
  changed[buffer] = 0
  vim.api.nvim_buf_attach(buffer, false, {
    on_lines = function(_, _, tick)
      changed[buffer] = tick
    end,
    on_reload = function()
      changed[buffer] = vim.api.nvim_buf_get_changedtick(buffer)
    end,
    on_detach = function()
      changed[buffer] = nil
    end,
  })
end

--- A client was attached to this buffer.
function M.attached(buffer)
  attached[buffer] = true
  keep_changed(buffer)
end

--- The client has ended.
function M.forget(client_id)
  told[client_id] = nil
end

-- The text of a buffer as Neovim tells it to servers.
local function text_of(buffer)
  local ending = ({ dos = "\r\n", mac = "\r" })[vim.bo[buffer].fileformat] or "\n"
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), ending) .. (vim.bo[buffer].endofline and ending or "")
end

local unsent = {} -- [buffer] = {client, is_open}: texts that are no file's, and whose server does not have them yet

--- Sends the client's server the texts of such buffers, as far as they have changed. Neovim itself has no URI for them.
function M.send_untitled(client)
  for buffer, one in pairs(unsent) do
    if one.client == client and client.initialized and vim.api.nvim_buf_is_loaded(buffer) then
      unsent[buffer] = nil
      local document = { uri = ("untitled:Buffer-%d"):format(buffer), version = vim.api.nvim_buf_get_changedtick(buffer) }
      if one.is_open then
        client.rpc.notify("textDocument/didChange", { textDocument = document, contentChanges = { { text = text_of(buffer) } } })
      else
        document.languageId, document.text = vim.bo[buffer].filetype, text_of(buffer)
        client.rpc.notify("textDocument/didOpen", { textDocument = document })
      end
    end
  end
end

local untitled = {} -- [buffer] = {client, uri}

function M.has_untitled(client, buffer)
  buffer = buffer == 0 and vim.api.nvim_get_current_buf() or buffer
  return untitled[buffer] ~= nil and untitled[buffer].client == client and files.is_untitled(buffer)
end

--- The text is none that a server has, from now on.
function M.close_untitled(buffer)
  local one, new = untitled[buffer], unsent[buffer]
  untitled[buffer], unsent[buffer] = nil, nil
  if one and (not new or new.is_open) then
    one.client.rpc.notify("textDocument/didClose", { textDocument = { uri = one.uri } })
  end
end

--- From now on the client's server has the text of a buffer that has no file.
function M.open_untitled(client, buffer)
  local one = { client = client, uri = files.of_buffer(buffer) }
  untitled[buffer], unsent[buffer] = one, { client = client, is_open = false }
  keep_changed(buffer)
  require("bodkin.client").when_ready(client, function()
    M.send_untitled(client)
  end)
  vim.api.nvim_buf_attach(buffer, false, {
    on_lines = function()
      if untitled[buffer] ~= one then
        return true
      end
      unsent[buffer] = unsent[buffer] or { client = client, is_open = true }
      vim.schedule(function()
        M.send_untitled(client)
      end)
    end,
    on_detach = vim.schedule_wrap(function()
      if untitled[buffer] == one then
        M.close_untitled(buffer)
      end
    end),
  })
end

-- Closes and opens it for the server. `uri`: its name of before.
local function reopen(buffer, uri)
  local client_of = require("bodkin.client")
  local client = client_of.of(buffer)
  if not client or not client.initialized then
    return
  end
  client_of.send(client, "textDocument/didClose", { textDocument = { uri = uri } })
  if client_of.why_not(buffer) then
    return
  end
  client_of.send(client, "textDocument/didOpen", { textDocument = { uri = vim.uri_from_bufnr(buffer), languageId = vim.bo[buffer].filetype,
    version = vim.lsp.util.buf_versions[buffer] or 0, text = text_of(buffer) } })
end

local group = vim.api.nvim_create_augroup("bodkin_documents", { clear = true })
local before = {} -- [buffer] = its URI, while it gets another name
vim.api.nvim_create_autocmd("BufFilePre", { group = group, callback = function(event)
  before[event.buf] = not files.is_untitled(event.buf) and require("bodkin.client").of(event.buf) and vim.uri_from_bufnr(event.buf)
end })
vim.api.nvim_create_autocmd("BufFilePost", { group = group, callback = function(event)
  local uri = before[event.buf]
  before[event.buf] = nil
  if uri and vim.api.nvim_buf_is_valid(event.buf) and uri ~= vim.uri_from_bufnr(event.buf) then
    reopen(event.buf, uri)
    require("bodkin.review").draw(event.buf) -- what is proposed for the other file is not for this one
  end
end })
vim.api.nvim_create_autocmd("OptionSet", { group = group, pattern = "fileencoding", callback = function()
  local buffer = vim.api.nvim_get_current_buf()
  local client = require("bodkin.client").of(buffer)
  if client and client.initialized then
    require("bodkin.client").send(client, extensions.did_change_encoding,
      { uri = vim.uri_from_bufnr(buffer), encoding = encoding_of(buffer) })
  end
end })
vim.api.nvim_create_autocmd("OptionSet", { group = group, pattern = { "fileformat", "endofline" }, callback = function()
  local buffer = vim.api.nvim_get_current_buf()
  if require("bodkin.client").of(buffer) and vim.v.option_old ~= vim.v.option_new then
    reopen(buffer, vim.uri_from_bufnr(buffer))
  end
end })

-- Neovim gives a text that is loaded again the version 0 again: an edit for the previous one would pass for current.
local reloaded = {} -- [buffer] = true until the server has been told of it
vim.api.nvim_create_autocmd("BufReadPre", { group = group, callback = function(event)
  reloaded[event.buf] = attached[event.buf]
end })
vim.api.nvim_create_autocmd("BufReadPost", { group = group, callback = function(event)
  local buffer = event.buf
  if not reloaded[buffer] then
    return
  end
  vim.schedule(function()
    reloaded[buffer] = nil
    if vim.api.nvim_buf_is_loaded(buffer) and require("bodkin.client").of(buffer) then
      vim.lsp.util.buf_versions[buffer] = vim.api.nvim_buf_get_changedtick(buffer)
      keep_changed(buffer)
      reopen(buffer, vim.uri_from_bufnr(buffer))
    end
  end)
end })

--- Runs change(), which may change these buffers. Of a text of which Neovim did not report that, as it does not while it shows
--- what a command line would do, all is sent again once that is over. Returns what change() does.
function M.watching(client_id, buffers, change)
  local texts = {}
  for _, buffer in ipairs(buffers) do
    texts[buffer] = changed[buffer] and { when = changed[buffer], text = vim.api.nvim_buf_get_lines(buffer, 0, -1, false) }
  end
  local answer = change()
  for buffer, one in pairs(texts) do
    if vim.api.nvim_buf_is_loaded(buffer) and changed[buffer] == one.when
      and not vim.deep_equal(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), one.text) then
      require("bodkin.busy").when_calm(function()
        if vim.api.nvim_buf_is_loaded(buffer) and vim.lsp.buf_is_attached(buffer, client_id) then
          vim.lsp.buf_detach_client(buffer, client_id)
          vim.lsp.buf_attach_client(buffer, client_id)
        end
      end)
    end
  end
  return answer
end

--- The version of a buffer's text that a client's server was told last, or nil.
function M.version(client_id, buffer)
  return ((told[client_id] or {})[buffer] or {}).version
end

--- Whether a buffer has the text of this version, as a client's server knows it.
function M.is_current(client_id, buffer, version)
  local last = (told[client_id] or {})[buffer]
  return last ~= nil and last.version == version and not reloaded[buffer] and (changed[buffer] or math.huge) <= last.tick
end

return M
