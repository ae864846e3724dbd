-- asks about a file go on in its conversation; :Bodkin new begins another
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ { expect = { "What is x?" }, reply = { text = "One.", stop_reason = "end_turn" } },
  { expect = { "What is x?", "And why?" }, reply = { text = "Because.", stop_reason = "end_turn" } } })
t.open("a.py")
vim.cmd("1Bodkin ask What is x?")
local first = t.end_of_ask(1)
vim.cmd("1Bodkin ask And why?")
local second = t.end_of_ask(2)
t.equal({ second.message, second.sessionId }, { "Because.", first.sessionId }, "the second ask")
vim.cmd("Bodkin new")
t.message("begins a new session")
vim.cmd("1Bodkin ask What is x?")
local third = t.end_of_ask(3)
t.equal(third.message, "One.", "the third ask")
t.equal(third.sessionId ~= first.sessionId, true, "another session")
