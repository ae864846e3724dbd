-- The diagnostics bridge: sends all of Neovim's diagnostics for a buffer to the server, with the version of the text they
-- are shown on. Without it a server sees only its own diagnostics.
local M = {}

local client_of = require("bodkin.client")
local extensions = require("bodkin.extensions")

local sequence = 0
local last_own = {} -- buffer -> what bodkin itself showed there

-- A byte column of a line in the units of the client's encoding.
local function column(line, byte, encoding)
  byte = math.min(byte, #line)
  if encoding == "utf-8" then
    return byte
  end
  if vim.fn.has("nvim-0.11") == 1 then
    return vim.str_utfindex(line, encoding, byte, false)
  end
  local utf32, utf16 = vim.str_utfindex(line, byte)
  return encoding == "utf-32" and utf32 or utf16
end

--- A place in the units of the encoding; row and byte from 0.
function M.position(buffer, row, byte, encoding)
  local count = vim.api.nvim_buf_line_count(buffer)
  if row >= count then
    return { line = count, character = 0 }
  end
  local line = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1] or ""
  return { line = row, character = column(line, byte, encoding) }
end

--- The diagnostics of a buffer in LSP's form, without bodkin's own; rows (from 0, inclusive) limit them.
function M.list(buffer, encoding, first, last_row)
  local result = {}
  for _, item in ipairs(vim.diagnostic.get(buffer)) do
    local inside = not first or (item.lnum <= last_row and (item.end_lnum or item.lnum) >= first)
    if item.source ~= "bodkin" and inside then
      local lsp = item.user_data and item.user_data.lsp or {}
      table.insert(result, {
        range = {
          start = M.position(buffer, item.lnum, item.col, encoding),
          ["end"] = M.position(buffer, item.end_lnum or item.lnum, item.end_col or item.col, encoding),
        },
        severity = item.severity,
        message = item.message,
        source = item.source,
        code = item.code or lsp.code,
      })
    end
  end
  return result
end

--- The other language servers attached to a buffer.
function M.others(buffer)
  local clients = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = buffer })
    or vim.lsp.get_active_clients({ bufnr = buffer })
  return vim.tbl_filter(function(client)
    return client.name ~= "bodkin" and vim.lsp.buf_is_attached(buffer, client.id)
  end, clients)
end

-- bodkin's own diagnostics in the buffer: if only these changed, we caused the event.
local function own(buffer)
  local lines = {}
  for _, item in ipairs(vim.diagnostic.get(buffer)) do
    if item.source == "bodkin" then
      table.insert(lines, item.lnum .. ":" .. item.col .. ":" .. item.message)
    end
  end
  return table.concat(lines, "\n")
end

local function publish(buffer)
  local client = client_of.of(buffer)
  if not client or not client.initialized then
    return
  end
  local shown, before = own(buffer), last_own[buffer] or ""
  last_own[buffer] = shown
  if shown ~= before then
    return
  end
  sequence = sequence + 1
  local servers = vim.tbl_map(function(other)
    return other.name
  end, M.others(buffer))
  client_of.send(client, extensions.did_change_diagnostics, {
    uri = require("bodkin.files").of_buffer(buffer),
    documentVersion = vim.lsp.util.buf_versions[buffer] or 0,
    sequence = sequence,
    diagnostics = M.list(buffer, client.offset_encoding or "utf-16"),
    complete = true,
    servers = #servers > 0 and servers or nil,
  })
end

--- Asks every other language server of the buffer: those with pull diagnostics for theirs, the others for something they
--- answer only after reading the text. done(servers) runs when all have answered: for each its name and "pulled",
--- "answered" or "failed".
function M.pull(buffer, done)
  local others = M.others(buffer)
  local result, left = {}, #others
  if left == 0 then
    return done(result)
  end
  local params = { textDocument = { uri = vim.uri_from_bufnr(buffer) } }
  for _, other in ipairs(others) do
    local handler = vim.lsp.handlers["textDocument/diagnostic"]
    local pulls = handler and (other.server_capabilities or {}).diagnosticProvider
    local method = pulls and "textDocument/diagnostic" or "textDocument/documentSymbol"
    local answered = function(err, answer, context)
      if pulls and not err then
        handler(err, answer, context, {})
      end
      -- "Method not found" from a server without symbols also counts as an answer.
      local is_answer = not err or (not pulls and err.code == -32601)
      table.insert(result, { name = other.name, state = not is_answer and "failed" or pulls and "pulled" or "answered" })
      left = left - 1
      if left == 0 then
        done(result)
      end
    end
    if not client_of.call(other, "request", method, params, answered, buffer) then
      answered({ code = -32603 })
    end
  end
end

--- bodkin/diagnostics: the answer waits for the other servers.
function M.answer(params)
  local buffer = require("bodkin.files").buffer(params.uri)
  local client = client_of.of(buffer)
  local servers = extensions.wait_for(function(done)
    M.pull(buffer, done)
  end)
  return {
    documentVersion = client and require("bodkin.told").version(client.id, buffer) or 0,
    diagnostics = M.list(buffer, client and client.offset_encoding or "utf-16"),
    servers = servers or {},
  }
end

local group = vim.api.nvim_create_augroup("bodkin_diagnostics", { clear = true })

function M.watch(buffer)
  vim.api.nvim_clear_autocmds({ group = group, buffer = buffer })
  vim.api.nvim_create_autocmd("DiagnosticChanged", {
    group = group,
    buffer = buffer,
    callback = function()
      publish(buffer)
    end,
  })
  vim.api.nvim_create_autocmd({ "BufWipeout", "BufDelete" }, {
    group = group,
    buffer = buffer,
    callback = function()
      last_own[buffer] = nil
    end,
  })
  if #vim.diagnostic.get(buffer) > 0 then
    vim.schedule(function()
      if vim.api.nvim_buf_is_loaded(buffer) then
        publish(buffer)
      end
    end)
  end
end

return M
