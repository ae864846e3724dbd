-- A server whose address and model, and perhaps key, were typed is known until Neovim quits: the offer to keep all but the
-- key in the user's own settings.json, which names a variable for the key.
local M = {}

local client_of = require("bodkin.client")

local function file()
  local config = vim.env.XDG_CONFIG_HOME
  return (config and config ~= "" and config or vim.fn.expand("~/.config")) .. "/bodkin/settings.json"
end

--- The variable for the key of the server at this address: one of its own, since that of a well-known host has another's key.
function M.variable_of(endpoint)
  local host = endpoint:match("^%w+://([^/]+)") or endpoint
  local name = host:gsub("%W", "_"):upper() .. "_API_KEY"
  return name:match("^%d") and "KEY_OF_" .. name or name
end

local function lines_of(choice, has_key)
  local lines = {}
  local rows = { { "provider", choice.provider }, { "endpoint", choice.endpoint }, { "name", choice.name },
    has_key and { "apiKeyEnv", M.variable_of(choice.endpoint) } or nil }
  for _, row in ipairs(rows) do
    table.insert(lines, ('  "bodkin.model.%s": %s'):format(row[1], vim.fn.json_encode(row[2])))
  end
  return lines
end

-- A file that is there is the user's: it is opened, and the lines can be put into it.
local function write(choice, has_key)
  local path, lines = file(), lines_of(choice, has_key)
  local function told(rest)
    client_of.notify((has_key and ("put the key into %s; "):format(M.variable_of(choice.endpoint)) or "")
      .. rest:format(has_key and "the rest" or "the address and the model"))
  end
  if vim.fn.filereadable(path) == 1 then
    vim.fn.setreg('"', table.concat(lines, ",\n") .. ",\n", "l")
    vim.cmd("tabedit " .. vim.fn.fnameescape(path))
    return told("p puts %s here")
  end
  vim.fn.mkdir(vim.fn.fnamemodify(path, ":h"), "p", "0700")
  if vim.fn.writefile(vim.split("{\n" .. table.concat(lines, ",\n") .. "\n}", "\n"), path) ~= 0 then
    return client_of.warn(("%s could not be written"):format(path))
  end
  require("bodkin.log").message(path .. " was written")
  told("settings.json has %s")
end

--- choice: {provider, endpoint, name} that is asked now. go_on() when the question is answered.
function M.offer(choice, has_key, go_on)
  local keep = "Keep its address and model in settings.json" .. (has_key and "; the key stays out of it" or "")
  require("bodkin.ui").select({ "Only until you quit", keep }, { prompt = "Keep this server?" }, function(item)
    go_on()
    if item == keep then
      write(choice, has_key)
    end
  end)
end

return M
