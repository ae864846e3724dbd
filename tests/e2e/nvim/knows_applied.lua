-- after an apply the next ask of the conversation has the request of before, what was answered, and the file as it is now
local t = ...
t.write("a.py", "before = 0\nx = 1\nafter = 2\n")
t.setup({
  { expect = { "before = 0\nx = 1\nafter = 2" }, reply = { text = t.block("a.py", "x = 1\n", "x = 1.0\n"), stop_reason = "end_turn" } },
  {
    expect = { "Make it a float", "before = 0\nx = 1.0\nafter = 2", "Why did you change the type?" },
    reply = { text = "Because you asked for a float.", stop_reason = "end_turn" },
  },
})
t.open("a.py")
vim.cmd("%Bodkin ask Make it a float")
local proposal = t.proposal()
t.end_of_ask(1)
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
vim.cmd("%Bodkin ask Why did you change the type?")
t.end_of_ask(2)
t.contains(t.log(), "Because you asked for a float.", "the answer")
