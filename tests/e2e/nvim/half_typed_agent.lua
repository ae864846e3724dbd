-- an agent's edit (bodkin mcp) that comes while something is half typed is refused, and said to be: nothing was changed
local t = ...
vim.env.XDG_RUNTIME_DIR = t.path("runtime")
vim.fn.mkdir(t.path("runtime"), "p", tonumber("700", 8))
t.write("a.txt", "x = 1\ny = 2\nkeep\naa one\nba two\n")
local s = t.screen(nil, nil, { trusted = { t.path("") } })
s.open("a.txt")
t.wait("the socket", function()
  return #vim.fn.glob(t.path("runtime/bodkin/*.sock"), true, true) > 0
end)
local said = ""
local agent = vim.fn.jobstart({ vim.env.BODKIN, "mcp" }, { cwd = t.path(""), on_stdout = function(_, lines)
  said = said .. table.concat(lines, "\n")
end })
local calls = 0
local function send(method, params)
  calls, said = calls + 1, ""
  vim.fn.chansend(agent, vim.fn.json_encode({ jsonrpc = "2.0", id = calls, method = method, params = params }) .. "\n")
  t.wait("the answer to " .. method, function()
    return said:find(('"id":%d'):format(calls), 1, true)
  end)
  return said
end
send("initialize", { protocolVersion = "2025-11-25", capabilities = vim.empty_dict(), clientInfo = { name = "agent", version = "1" } })
local function edit(old, new)
  return send("tools/call", { name = "edit", arguments = { path = "a.txt", old_str = old, new_str = new } })
end
local function type_until(keys, mode)
  s.keys(keys)
  t.wait("the mode " .. mode, function()
    return s.mode() == mode
  end)
end

type_until("4Gd", "no")
t.contains(edit("y = 2\n", "y = 20\nyy = 3\n"), "a command is half typed; try again; nothing was changed", "what the agent is told")
s.keys("d")
s.wait("the line to be deleted", "return vim.fn.line('$') == 4")
t.equal(s.text("a.txt"), "x = 1\ny = 2\nkeep\nba two\n", "the text")

s.wait("the server to know", [[
  local told, client, buffer = require("bodkin.told"), require("bodkin.client").of(0), vim.api.nvim_get_current_buf()
  return told.is_current(client.id, buffer, told.version(client.id, buffer))
]])

-- What a command line shows is not the text: the next edit is placed in the right one.
type_until(":%s/e", "c")
t.contains(edit("y = 2\n", "y = 20\nyy = 3\n"), "a command line is being typed; try again; nothing was changed", "what the agent is told")
type_until("<Esc>", "n")
t.equal(s.text("a.txt"), "x = 1\ny = 2\nkeep\nba two\n", "the text")
t.contains(edit("ba two\n", "ba 22\n"), "applied in the editor (not saved)", "what the agent is told")
t.equal(s.text("a.txt"), "x = 1\ny = 2\nkeep\nba 22\n", "the text")
t.equal(s.said():find("not applied", 1, true), nil, "the person is told nothing of what the agent may try again")
vim.fn.jobstop(agent)
s.stop()
