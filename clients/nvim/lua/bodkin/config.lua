-- The options of setup{}. `settings` is the server's own tree, `bodkin.*`, passed through as that tree.
local M = {}

local paths = require("bodkin.paths")

---@class BodkinOptions
---@field cmd? string[] the server; if it is not on PATH, this checkout's build is used
---@field autostart? boolean attach to every file that has a filetype
---@field review? boolean draw pending changes in the files themselves
---@field open_diff? boolean show each new proposal as a diff at once
---@field window? "auto"|"float"|"split"|"none" where the model's words are shown while it works
---@field keys? table<string, string|string[]|false> action -> key; see |bodkin-keys|
---@field root_markers? string[]
---@field trusted? boolean|string[]|"secure"|fun(root: string): boolean see |bodkin-trust|
---@field settings? table the server's own tree, `bodkin.*`

---@class BodkinConfig
---@field cmd string[]
---@field autostart boolean
---@field review boolean
---@field open_diff boolean
---@field window "auto"|"float"|"split"|"none"
---@field keys table<string, string|string[]|false>
---@field root_markers string[]
---@field trusted boolean|string[]|"secure"|fun(root: string): boolean|nil
---@field settings table
local defaults = {
  cmd = { "bodkin" }, -- :help bodkin-install says where else it is looked for
  autostart = true,
  review = true,
  open_diff = false,
  window = "auto", -- "split" from 100 columns on, else "float"
  -- Decides: Neovim's keys (accept, reject, …), and what else setup{} has by default.
  keys = {
    -- In files in which changes are drawn, as in Vim's own diff mode: obtain what is proposed, put mine.
    next = "]h",
    prev = "[h",
    accept = "do",
    reject = "dp",
    accept_file = "dO",
    reject_file = "dP",
    diff = "dD",
    unified = "dU",
    same = "]=", -- where the last edit is implied elsewhere; only while that is shown
  },
  root_markers = { ".git", ".hg", ".svn", "compile_commands.json", "package.json", "Cargo.toml", "go.mod", "pyproject.toml" },
  settings = {},        -- for example { model = { provider = "ollama", name = "qwen3-coder" } }
}

-- `trusted` has no default: without it the user's own settings.json decides; see |bodkin-trust|.
local function may_be_trusted(value)
  return type(value) == "boolean" or type(value) == "function" or value == "secure"
    or type(value) == "table" and #value == vim.tbl_count(value)
end

local current = vim.deepcopy(defaults)

local function refuse(message)
  error("bodkin: setup{}: " .. message, 0)
end

-- The tree that is meant where a setting has its full name: ["bodkin.model.name"] = "m", or bodkin = { model = … }.
local function as_tree(settings)
  local tree = {}
  for name, value in pairs(settings) do
    local rest = type(name) == "string" and (name == "bodkin" and "" or name:gsub("^bodkin%.", "")) or name
    local parts = type(rest) == "string" and vim.split(rest, ".", { plain = true, trimempty = true }) or { rest }
    for i = #parts, 1, -1 do
      value = { [parts[i]] = value }
    end
    if type(value) ~= "table" then
      refuse("settings.bodkin must be a table")
    end
    tree = vim.tbl_deep_extend("force", tree, value)
  end
  return tree
end

---@param options BodkinOptions|nil
function M.set(options)
  options = options or {}
  if type(options) ~= "table" then
    refuse("expected a table")
  end
  for key, value in pairs(options) do
    if key == "trusted" then
      if not may_be_trusted(value) then
        refuse('trusted must be true, false, a list of folders, a function or "secure"')
      end
    elseif defaults[key] == nil then
      refuse(("unknown option %q (see :help bodkin-setup)"):format(tostring(key)))
    elseif type(value) ~= type(defaults[key]) then
      refuse(("%s must be a %s"):format(key, type(defaults[key])))
    end
  end
  for action, key in pairs(options.keys or {}) do
    if not require("bodkin.keys").is_action(action) then
      refuse(("unknown action %q in keys (see :help bodkin-keys)"):format(tostring(action)))
    elseif key ~= false and type(key) ~= "string" and not (type(key) == "table" and #key == vim.tbl_count(key)) then
      refuse(("keys.%s must be a key, a list of keys or false"):format(action))
    end
  end
  if options.window and not ({ auto = true, float = true, split = true, none = true })[options.window] then
    refuse('window must be "auto", "float", "split" or "none"')
  end
  current = vim.tbl_extend("force", vim.deepcopy(defaults), options)
  current.settings = as_tree(current.settings)
  current.keys = vim.tbl_extend("force", defaults.keys, options.keys or {})
  if #current.cmd == 0 then
    refuse("cmd must name a program")
  end
end

---@return BodkinConfig
function M.get()
  return current
end

-- Where the program is if it is not on PATH: beside this plugin in the .deb or the tarball (TOP/share/nvim/site/…), the
-- build of the checkout that it is in (clients/nvim/lua/bodkin/config.lua -> the top), the .deb's place, and VS Code's
-- extensions, the newest first.
local function places()
  local here, file = paths.slashed(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p")), paths.program_file("bodkin")
  local found = {
    (here:match("^(.*)/share/nvim/site/") or "/usr") .. "/bin/" .. file,
    vim.fn.fnamemodify(here, ":h:h:h:h:h") .. "/build/release/bin/" .. file,
    "/usr/bin/bodkin",
    "/usr/local/bin/bodkin",
  }
  for _, editor in ipairs({ ".vscode", ".vscode-server", ".vscode-oss", ".local/share/code-server" }) do
    local programs = vim.fn.glob(paths.home() .. "/" .. editor .. "/extensions/bodkin.bodkin-*/server/" .. file, true, true)
    table.sort(programs, function(a, b)
      return vim.fn.getftime(a) > vim.fn.getftime(b)
    end)
    vim.list_extend(found, programs)
  end
  return found
end

-- Whether a program lies in the folder that is opened: a stranger may have written it. Not if that holds the user's home.
local function lies_in(program, folder)
  local loop = vim.uv or vim.loop
  local real, root = loop.fs_realpath(program), folder and loop.fs_realpath(folder)
  local home = loop.fs_realpath(paths.home())
  if not real or not root or (home and paths.below(home, root)) then
    return false
  end
  return paths.below(real, root) ~= nil or paths.below(program, folder) ~= nil
end

-- The first of that name in the absolute folders of PATH, or nil: another one means whatever folder is the working one.
local function on_path(name, folder)
  for _, place in ipairs(paths.search_path()) do
    local program = paths.slashed(place):gsub("/+$", "") .. "/" .. paths.program_file(name)
    if paths.is_absolute(place) and vim.fn.executable(program) == 1 and not lies_in(program, folder) then
      return program
    end
  end
end

--- The server's command line, or nil and the reason.
---@param folder string|nil that is opened: no program of its is found on PATH
---@return string[]|nil, string|nil
function M.command(folder)
  local command = vim.deepcopy(current.cmd)
  if paths.has_folder(command[1]) then
    if vim.fn.executable(command[1]) == 1 then
      return command
    end
  else
    local program = on_path(command[1], folder or (vim.uv or vim.loop).cwd())
    if program then
      command[1] = program
      return command
    end
  end
  if command[1] ~= "bodkin" then
    return nil, ("the program %q was not found: set cmd in require('bodkin').setup{}"):format(command[1])
  end
  for _, place in ipairs(places()) do
    if vim.fn.executable(place) == 1 then
      command[1] = place
      return command
    end
  end
  local get_it = paths.is_windows() and "put its zip's bin\\ on PATH" or "install its .deb, put the tarball's bin/ on PATH"
  return nil, ("the program bodkin was not found: %s, or set cmd in require('bodkin').setup{} (:help bodkin-install)"):format(get_it)
end

return M
