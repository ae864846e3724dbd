-- the status line says what is done, for how long, and how many proposals wait
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ { reply = { text = ("Hm. "):rep(40) .. t.block("a.py", "x = 1\n", "x = 2\n"), stop_reason = "end_turn" }, chunk_bytes = 4,
  delay_ms = 30 } })
t.open("a.py")
local line = require("bodkin").statusline
t.equal(line(), "", "when nothing is done")
vim.cmd("1Bodkin ask Make x two")
t.wait("what is done, and the seconds", function()
  return line():find("^bodkin: .+ · [1-9] s")
end)
local proposal = t.proposal()
t.end_of_ask()
t.wait("the proposal", function()
  return line() == "bodkin: 1 proposal"
end)
vim.cmd("Bodkin discard")
t.state(proposal, "discarded")
t.equal(line(), "", "in the end")
