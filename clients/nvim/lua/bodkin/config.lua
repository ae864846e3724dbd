-- The options of setup{}. `settings` is the server's own tree, `bodkin.*`, passed through unchanged.
local M = {}

---@class BodkinConfig
local defaults = {
  cmd = { "bodkin" },   -- the server; if it is not on PATH, this checkout's build is used
  autostart = true,     -- attach to every file that has a filetype
  open_diff = false,    -- show each new proposal as a diff at once
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

---@param options table|nil
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
  current = vim.tbl_extend("force", vim.deepcopy(defaults), options)
  if #current.cmd == 0 then
    refuse("cmd must name a program")
  end
end

---@return BodkinConfig
function M.get()
  return current
end

-- The checkout that contains this plugin: clients/nvim/lua/bodkin/config.lua -> the top.
local function checkout()
  local here = debug.getinfo(1, "S").source:sub(2)
  return vim.fn.fnamemodify(here, ":p:h:h:h:h:h")
end

--- The server's command line, or nil and the reason.
---@return string[]|nil, string|nil
function M.command()
  local command = vim.deepcopy(current.cmd)
  if vim.fn.executable(command[1]) == 1 then
    return command
  end
  local built = checkout() .. "/build/release/bin/bodkin"
  if command[1] == "bodkin" and vim.fn.executable(built) == 1 then
    command[1] = built
    return command
  end
  return nil, ("the program %q was not found: build and install bodkin, or set cmd in require('bodkin').setup{}"):format(command[1])
end

return M
