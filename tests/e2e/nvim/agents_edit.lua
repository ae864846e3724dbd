-- an agent's edit (bodkin mcp) of an open file: one message says whose it is, of which file, and how it is taken back
local t = ...
t.write("a.py", "x = 1\n")
vim.env.XDG_RUNTIME_DIR = t.path("runtime")
vim.fn.mkdir(t.path("runtime"), "p", tonumber("700", 8))
t.setup(nil, nil, { trusted = { t.path("") }, open_diff = true })
t.open("a.py")
t.wait("the socket", function()
  return #vim.fn.glob(t.path("runtime/bodkin/*.sock"), true, true) > 0
end)
local said = ""
local agent = vim.fn.jobstart({ vim.env.BODKIN, "mcp" }, { cwd = t.path(""), on_stdout = function(_, lines)
  said = said .. table.concat(lines, "\n")
end })
local function send(id, method, params)
  vim.fn.chansend(agent, vim.fn.json_encode({ jsonrpc = "2.0", id = id, method = method, params = params }) .. "\n")
end
send(1, "initialize", { protocolVersion = "2025-11-25", capabilities = vim.empty_dict(),
  clientInfo = { name = "agent", version = "1" } })
t.wait("the greeting", function()
  return said:find('"id":1', 1, true)
end)
send(2, "tools/call", { name = "edit", arguments = { path = "a.py", old_str = "x = 1", new_str = "x = 2" } })
t.wait("the answer", function()
  return said:find('"id":2', 1, true)
end)
t.contains(said, "applied in the editor (not saved)", "what the agent is told")
t.equal(t.text("a.py"), "x = 2\n", "the buffer")
t.message("An agent's edit (bodkin mcp): a.py (:Bodkin undo)")
-- The verdict may have come by now, or comes later.
local others = vim.tbl_filter(function(message)
  return not message:find("^bodkin: Applied%. ")
end, t.messages)
t.equal(#others, 1, "the messages: " .. vim.inspect(t.messages))
t.equal(#vim.api.nvim_list_tabpages(), 1, "no preview of what is applied already")
vim.cmd("Bodkin undo")
t.message("Undone")
t.equal(t.text("a.py"), "x = 1\n", "the buffer after undo")
vim.fn.jobstop(agent)
