-- The server's open questions, answered when the user wants to: a window that pops up by itself would take what is being
-- typed as the answer.
local M = {}

local client_of = require("bodkin.client")
local extensions = require("bodkin.extensions")

local function answer(client, action)
  local command = type(action.command) == "table" and action.command or action
  local arguments = command.arguments[1]
  local function send()
    client_of.execute(client, command.command, arguments, function(result)
      if result.state ~= "shown" then
        client_of.notify(result.state)
      elseif not vim.lsp.handlers["window/showDocument"] then
        require("bodkin.window").open() -- it came as a message
      end
    end)
  end
  if arguments.choice ~= "reject" then
    return send()
  end
  require("bodkin.ui").input({ prompt = "Why not? (empty: the ask ends; else the model is told): " }, function(reason, interrupted)
    if interrupted then
      return -- the question stays open
    end
    if reason and vim.trim(reason) ~= "" then
      arguments.reason = vim.trim(reason)
    end
    send()
  end)
end

--- Shows the open questions, and sends the user's choice.
function M.ask(client)
  local at = { line = 0, character = 0 }
  client_of.request(client, "textDocument/codeAction", {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    range = { start = at, ["end"] = at },
    context = { diagnostics = {}, only = { extensions.question_kind } },
  }, function(actions)
    if not actions or #actions == 0 then
      return client_of.notify("no open questions")
    end
    -- The whole question once, not its beginning in each choice.
    local question = (actions[1].data or {}).question
    for _, action in ipairs(actions) do
      question = (action.data or {}).question == question and question or nil -- there are several
    end
    require("bodkin.ui").select(actions, {
      prompt = "bodkin asks: " .. (question and client_of.plain(question) or ""),
      format_item = function(action)
        return question and action.data.choice or (action.title:gsub("^bodkin: ", ""))
      end,
    }, function(action)
      if action then
        answer(client, action)
      end
    end)
  end)
end

return M
