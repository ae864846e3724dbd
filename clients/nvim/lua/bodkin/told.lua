-- What servers were told of the texts, and whether that is still what is there. Neovim's own versions cannot tell: they
-- do not change when a file gets another name or other line ends, or is loaded again.
local M = {}

local attached = {} -- [buffer] = true once it was
local told = {}     -- [client id][buffer] = {version, tick}: what a server was told of its text last, and when by |changedtick|
local changed = {}  -- [buffer] = when its text changed last, by |changedtick|; nil: nobody looks

--- Keeps what this client's server is told. Whatever other client opens a buffer sets Neovim's versions back.
function M.follow(client)
  local notify, mine = client.rpc.notify, {}
  told[client.id] = mine
  client.rpc.notify = function(method, params)
    if method == "textDocument/didOpen" or method == "textDocument/didChange" then
      local buffer = vim.uri_to_bufnr(params.textDocument.uri)
      mine[buffer] = { version = params.textDocument.version, tick = vim.api.nvim_buf_get_changedtick(buffer) }
    end
    return notify(method, params)
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
  before[event.buf] = require("bodkin.client").of(event.buf) and vim.uri_from_bufnr(event.buf)
end })
vim.api.nvim_create_autocmd("BufFilePost", { group = group, callback = function(event)
  local uri = before[event.buf]
  before[event.buf] = nil
  if uri and vim.api.nvim_buf_is_valid(event.buf) and uri ~= vim.uri_from_bufnr(event.buf) then
    reopen(event.buf, uri)
    require("bodkin.review").draw(event.buf) -- what is proposed for the other file is not for this one
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

--- Whether a buffer has the text of this version, as a client's server knows it.
function M.is_current(client_id, buffer, version)
  local last = (told[client_id] or {})[buffer]
  return last ~= nil and last.version == version and not reloaded[buffer] and (changed[buffer] or math.huge) <= last.tick
end

return M
