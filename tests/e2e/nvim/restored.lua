-- a proposal that waits over a restart keeps what was checked, if its files are as they were
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 2\n") })
t.open("a.py")
vim.cmd("1Bodkin ask Make x two")
local checked = require("bodkin.verdict").words(t.proposal(1).verification)
t.end_of_ask()
vim.cmd("Bodkin restart")
t.equal(require("bodkin.verdict").words(t.proposal(2).verification), checked, "what was checked, after a restart")
t.message("still proposed: “Make x two”")
vim.cmd("Bodkin apply")
t.state(t.proposal(2), "applied")
t.equal(t.text("a.py"), "x = 2\n", "the buffer")

-- Several are one message.
for name in ("bcd"):gmatch(".") do
  t.write(name .. ".py", "y = 1\n")
  vim.fn.setreg("r", t.block(name .. ".py", "y = 1\n", "y = 2\n"))
  vim.cmd("Bodkin reply r")
end
t.proposal(5)
t.messages = {}
vim.cmd("Bodkin restart")
t.message("3 earlier proposals are waiting (:Bodkin proposals)")
for _, message in ipairs(t.messages) do
  t.equal(message:find("still proposed", 1, true), nil, message)
end
