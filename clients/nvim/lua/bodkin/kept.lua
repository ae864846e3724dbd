-- The model and the mode that the user has chosen in this Neovim, by folder: a new server does not know what was chosen
-- with the one before.
local M = {}

local client_of = require("bodkin.client")

local chosen = {}  -- [root folder] = {model: arguments of bodkin.selectModel, mode}
local waiting = {} -- [client id] = answers that are awaited

local function of(client)
  local root = client.config.root_dir or ""
  chosen[root] = chosen[root] or {}
  return chosen[root]
end

function M.model(client, arguments)
  of(client).model = arguments
end

function M.mode(client, mode)
  of(client).mode = mode
end

--- Tells a server that has just started.
function M.restore(client)
  local known = of(client)
  local function tell(command, arguments)
    waiting[client.id] = (waiting[client.id] or 0) + 1
    local function answered(message)
      waiting[client.id] = waiting[client.id] - 1
      if type(message) == "string" then
        client_of.warn(message)
      end
    end
    client_of.call(client, "request", "workspace/executeCommand", { command = command, arguments = { arguments } }, function(err)
      answered(err and err.message)
    end)
  end
  if known.model then
    tell("bodkin.selectModel", known.model)
  end
  if known.mode then
    tell("bodkin.setMode", { mode = known.mode })
  end
end

--- Whether a server knows them by now.
function M.is_told(client)
  return (waiting[client.id] or 0) == 0
end

return M
