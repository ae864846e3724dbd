-- :Bodkin! ask goes on with the conversation: the model is sent what was said before
local t = ...
t.write("a.py", "x = 1\ny = 2\n")
t.setup({
  { expect = { "Make x ten" }, reply = { text = t.block("a.py", "x = 1\n", "x = 10\n"), stop_reason = "end_turn" } },
  {
    expect = { "Make x ten", "And y, too" },
    reply = { text = t.block("a.py", "y = 2\n", "y = 20\n"), stop_reason = "end_turn" },
  },
})
t.open("a.py")
vim.cmd("Bodkin! ask And y, too")
t.message("no session to continue yet (:Bodkin ask, :Bodkin sessions)")
vim.cmd("1Bodkin ask Make x ten")
local first = t.proposal(1)
t.end_of_ask(1)
vim.cmd("Bodkin apply")
t.state(first, "applied")
vim.cmd("2Bodkin! ask And y, too")
local second = t.proposal(2)
vim.cmd("Bodkin apply")
t.state(second, "applied")
t.equal(t.text("a.py"), "x = 10\ny = 20\n", "the buffer")
