-- a server that dies says so once; what it was asked can be asked again; the model and the mode that were chosen stay
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ { reply = { text = ("tick "):rep(600) .. "end.", stop_reason = "end_turn" }, chunk_bytes = 5, delay_ms = 20 } })
t.open("a.py")
vim.cmd("Bodkin mode plan")
t.message("the mode is plan")
local before = require("bodkin.client").of(0)
require("bodkin.kept").model(before, { provider = "replay", name = vim.env.WORK .. "-replay.json" })
vim.cmd("Bodkin ask Something long that was typed")
t.wait("words", function()
  return t.log():find("tick tick", 1, true)
end)
vim.fn.writefile({ vim.fn.json_encode({ name = "scenario", turns = { { expect = { "Something long that was typed" },
  reply = { text = "Done again.", stop_reason = "end_turn" } } } }) }, vim.env.WORK .. "-replay.json")
for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
  if vim.api.nvim_get_proc(pid).name == "bodkin" then
    (vim.uv or vim.loop).kill(pid, 9)
  end
end
t.message("exited unexpectedly (signal 9) (:Bodkin retry)")
t.contains(t.messages[#t.messages], "exited unexpectedly", "the last message")
t.equal(table.concat(t.messages):find("quit with exit code", 1, true), nil, "Neovim's own message")
t.contains(t.log(), "Broken off", "the log")
vim.cmd("Bodkin retry")
t.end_of_ask(1)
t.contains(t.log(), "Done again.", "the log")
local after = require("bodkin.client").of(t.buffer("a.py"))
t.equal(after.id ~= before.id, true, "another server")
t.equal(require("bodkin.status").get(after.id).mode, "plan", "the mode")
