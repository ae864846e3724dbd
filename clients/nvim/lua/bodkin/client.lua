-- The server as a Neovim LSP client: starting, attaching, requests. The only file that knows how vim.lsp differs
-- between Neovim 0.7.2 and current versions.
-- More than 350 lines: those differences are in one place.
local M = {}

local config = require("bodkin.config")
local extensions = require("bodkin.extensions")
local paths = require("bodkin.paths")
local say_to_user = require("bodkin.say")
local told = require("bodkin.told")

local loop = vim.uv or vim.loop

--- What the user is told; see say.lua.
M.plain, M.notify, M.warn, M.warnings = say_to_user.plain, say_to_user.notify, say_to_user.warn, say_to_user.warnings

--- Fires a User event that other plugins (and tests) can wait for.
function M.event(name, data)
  if vim.fn.has("nvim-0.8") == 1 then
    vim.api.nvim_exec_autocmds("User", { pattern = name, modeline = false, data = data })
  else
    vim.api.nvim_exec_autocmds("User", { pattern = name, modeline = false })
  end
end

local started = {} -- [client id] = true; Neovim's own lists lack those whose server has not answered `initialize` yet

--- All bodkin clients that run or start, oldest first.
function M.all()
  local found = {}
  for _, client in ipairs(vim.lsp.get_clients and vim.lsp.get_clients() or vim.lsp.get_active_clients()) do
    found[client.id] = client.name == "bodkin" and client or nil
  end
  for id in pairs(started) do
    found[id] = vim.lsp.get_client_by_id(id)
  end
  local clients = vim.tbl_values(found)
  table.sort(clients, function(a, b)
    return a.id < b.id
  end)
  return clients
end

local stopping = {} -- ids of clients that are shutting down, which may take a while

--- The client of a buffer, or nil.
function M.of(buffer)
  for _, client in ipairs(M.all()) do
    if not stopping[client.id] and (vim.lsp.buf_is_attached(buffer, client.id) or told.has_untitled(client, buffer)) then
      return client
    end
  end
end

function M.by_id(id)
  return vim.lsp.get_client_by_id(id)
end

--- The server that made a proposal; nil after a warning if it is no longer running.
function M.of_proposal(proposal)
  local client = M.by_id(proposal.client)
  if not client then
    M.warn("the server that made this proposal is no longer running")
  end
  return client
end

-- The nearest folder above the file with a marker; else the working folder, if it contains the file and is not the
-- home folder. Nil: the file is edited alone, and nothing around it is read.
local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  local at = folder
  while true do
    for _, marker in ipairs(config.get().root_markers) do
      if loop.fs_stat(at .. "/" .. marker) then
        return at
      end
    end
    local above = vim.fn.fnamemodify(at, ":h")
    if above == at then
      break
    end
    at = above
  end
  local here = loop.cwd()
  if here and not paths.is_root(here) and not paths.are_same(here, paths.home()) and paths.below(folder, here) then
    return here
  end
end

-- The one of the other clients of a buffer, if they agree, else that of most servers: of clients with several ones Neovim
-- takes that of the first for all.
local function position_encoding(buffer)
  local found
  for _, client in ipairs(vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = buffer }) or {}) do
    if client.initialized and client.name ~= "bodkin" then
      found = (found == nil or found == client.offset_encoding) and client.offset_encoding or "utf-16"
    end
  end
  return found or "utf-16"
end

local function capabilities(buffer)
  local result = vim.lsp.protocol.make_client_capabilities()
  result.experimental = { bodkin = extensions.capabilities }
  if result.general and result.general.positionEncodings then -- older ones have utf-16 only
    result.general.positionEncodings = { position_encoding(buffer) }
  end
  return result
end

-- A code action that asks a model goes the way of every ask.
local function ask_command(command, context)
  local client = M.by_id(context.client_id) or M.of(context.bufnr or 0)
  local buffer = context.bufnr and context.bufnr ~= 0 and context.bufnr or vim.api.nvim_get_current_buf()
  require("bodkin.requests").of_action(client, buffer, command.command, (command.arguments or {})[1] or {})
end

-- A code action that shows a proposal: in the preview, and not in a document of the server's.
local function show_command(command)
  local store = require("bodkin.proposals")
  store.with(((command.arguments or {})[1] or {}).proposalId or "", function(proposal)
    require("bodkin.diff").open(proposal)
  end)
end

local lost = false -- an ask, with a server that was stopped
local function client_config(command, root, first_buffer)
  local settings = config.get().settings
  local bodkin = vim.tbl_extend("force", vim.empty_dict(), settings, { workspaceTrusted = require("bodkin.trust").of(root) })
  local name = root and vim.fn.fnamemodify(root, ":t")
  return {
    name = "bodkin",
    cmd = command,
    root_dir = root,
    workspace_folders = root and { { uri = vim.uri_from_fname(root), name = name == "" and root or name } },
    capabilities = capabilities(first_buffer),
    init_options = { bodkin = bodkin },
    settings = vim.tbl_isempty(settings) and {} or { bodkin = settings },
    handlers = vim.tbl_extend("error", extensions.handlers(), { ["workspace/applyEdit"] = require("bodkin.applying").apply }),
    commands = { ["bodkin.ask"] = ask_command, ["bodkin.fix"] = ask_command,
      ["bodkin.showDiff"] = show_command },
    -- 0.7.2 debounces changes per client; newer versions flush them before any other message.
    flags = vim.fn.has("nvim-0.8") == 0 and { debounce_text_changes = 0 } or nil,
    on_init = function(client)
      told.follow(client)
      require("bodkin.kept").restore(client)
    end,
    on_attach = function(_, buffer)
      told.attached(buffer)
      require("bodkin.diagnostics").watch(buffer)
    end,
    on_exit = function(code, signal, id)
      say_to_user.without_exit_notice(id, function()
        started[id] = nil
        told.forget(id)
        require("bodkin.proposals").forget(id)
        local had_ask = require("bodkin.asks").exited(id)
        lost = lost or had_ask
        require("bodkin.status").forget(id)
        require("bodkin.log").stopped(id)
        local was_asked = code == 0 and signal == 0 -- by :LspStop, say
        if not stopping[id] and vim.v.exiting == vim.NIL and (had_ask or not was_asked) then
          local cause = signal ~= 0 and "signal " .. signal or "exit code " .. code
          M.notify(was_asked and "the server was stopped" or ("the server exited unexpectedly (%s)"):format(cause),
            vim.log.levels.WARN, true, had_ask and ":Bodkin retry" or ":Bodkin restart")
        end
      end)
    end,
  }
end

--- Why a buffer is not edited here, or nil.
function M.why_not(buffer)
  if not vim.api.nvim_buf_is_loaded(buffer) or vim.bo[buffer].buftype ~= "" then
    return "this is not a file"
  end
  local name = vim.api.nvim_buf_get_name(buffer)
  if vim.bo[buffer].filetype == "netrw" or vim.fn.isdirectory(name) == 1 then
    return "this is a folder; open one of its files"
  end
  if name == "" then
    return "this buffer has neither a name nor a language; :w NAME or :set filetype= gives it one"
  end
  if name:match("^%a[%w+.-]+://") then
    return "this is not a local file, so bodkin cannot edit it"
  end
end

-- The server of a folder (nil: of none), which is started if necessary, for a buffer. Returns the client, or nil and the
-- reason.
local function server_of(root, buffer)
  for _, client in ipairs(M.all()) do
    if client.config.root_dir == root and not stopping[client.id] then
      return client
    end
  end
  local command, missing = config.command(root)
  if not command then
    return nil, missing
  end
  local id
  if vim.fn.has("nvim-0.11") == 1 then
    id = vim.lsp.start(client_config(command, root, buffer), { attach = false })
  else
    id = vim.lsp.start_client(client_config(command, root, buffer))
  end
  local client = id and M.by_id(id)
  if not client then
    return nil, "the server could not be started; see :checkhealth bodkin"
  end
  started[id] = true
  return client
end

--- Starts the server if necessary and attaches the buffer. Returns the client, or nil and the reason.
function M.attach(buffer)
  if buffer == nil or buffer == 0 then
    buffer = vim.api.nvim_get_current_buf()
  end
  local client = M.of(buffer)
  if client then
    return client
  end
  if require("bodkin.files").is_untitled(buffer) then
    local of_folder, why_none = M.of_folder()
    if of_folder then
      told.open_untitled(of_folder, buffer)
    end
    return of_folder, why_none
  end
  told.close_untitled(buffer) -- perhaps it has a file now
  local reason = M.why_not(buffer)
  if reason then
    return nil, reason
  end
  client, reason = server_of(root_of(vim.api.nvim_buf_get_name(buffer)), buffer)
  if client then
    vim.lsp.buf_attach_client(buffer, client.id)
  end
  return client, reason
end

--- The server of the working folder's project, for what needs no file; it is started if necessary. Returns the client, or
--- nil and the reason.
function M.of_folder()
  return server_of(root_of((loop.cwd() or "") .. "/."), vim.api.nvim_get_current_buf())
end

local complained = false

--- For autostart: ignores buffers that are not files, and reports a missing program only once.
function M.attach_quietly(buffer)
  if M.why_not(buffer) then
    return
  end
  local client, reason = M.attach(buffer)
  if not client and not complained then
    complained = true
    M.warn(reason)
  end
end

--- A method of any client, also of another server's.
function M.call(client, name, ...)
  if vim.fn.has("nvim-0.11") == 1 then
    return client[name](client, ...)
  end
  return client[name](...)
end

--- callback(result) runs only on success; a failure is reported to the user, or to on_error.
function M.request(client, method, params, callback, buffer, on_error)
  local function answered(err, result)
    if err then
      local message = type(err) == "table" and err.message or tostring(err)
      -- What the server says of it besides: {setting, reason}.
      return (on_error or M.warn)(message, type(err) == "table" and type(err.data) == "table" and err.data or nil)
    end
    if callback then
      callback(result)
    end
  end
  local function send()
    M.call(client, "request", method, params, answered, buffer or vim.api.nvim_get_current_buf())
  end
  M.when_ready(client, send)
end

--- The result of a request, or nil: after so many milliseconds the user is not kept waiting.
function M.request_sync(client, method, params, milliseconds)
  local buffer = vim.api.nvim_get_current_buf()
  local answer = M.call(client, "request_sync", method, params, milliseconds, buffer)
  return answer and answer.result
end

--- Runs `send` now, or once a newly started server has answered `initialize` and knows the user's choices.
function M.when_ready(client, send)
  local function is_ready()
    return client.initialized and require("bodkin.kept").is_told(client)
  end
  if is_ready() then
    return send()
  end
  local timer, left = loop.new_timer(), 200
  timer:start(20, 50, vim.schedule_wrap(function()
    if timer:is_closing() then
      return
    end
    left = left - 1
    local ready, gone = is_ready(), client.is_stopped and client:is_stopped()
    if ready or gone or left == 0 then
      timer:close()
      if ready then
        send()
      elseif not gone then
        M.warn("the server does not respond; see :checkhealth bodkin")
      end
    end
  end))
end

function M.send(client, method, params)
  M.call(client, "notify", method, params)
end

--- One of the server's commands (workspace/executeCommand).
function M.execute(client, command, arguments, callback, buffer)
  if vim.tbl_isempty(arguments) then
    arguments = vim.empty_dict()
  end
  M.request(client, "workspace/executeCommand", { command = command, arguments = { arguments } }, callback, buffer)
end

--- Stops all servers and attaches their buffers to new ones.
function M.restart()
  require("bodkin.trust").forget()
  local buffers, old = {}, {}
  for _, client in ipairs(M.all()) do
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      if vim.lsp.buf_is_attached(buffer, client.id) then
        table.insert(buffers, buffer)
      end
    end
    stopping[client.id] = true
    lost = require("bodkin.asks").exited(client.id) or lost -- it cancels them when it is told to stop
    table.insert(old, client.id)
    M.call(client, "stop")
  end
  if #old == 0 then
    buffers = { vim.api.nvim_get_current_buf() }
  end
  local timer = loop.new_timer()
  timer:start(20, 20, vim.schedule_wrap(function()
    if timer:is_closing() then
      return
    end
    for _, id in ipairs(old) do
      if M.by_id(id) then
        return
      end
    end
    timer:close()
    for _, buffer in ipairs(buffers) do
      local client, reason = M.attach(buffer)
      if not client then
        return M.warn(reason)
      end
    end
    M.notify("the server was restarted", nil, nil, lost and ":Bodkin retry" or nil)
    lost = false
  end))
end

return M
