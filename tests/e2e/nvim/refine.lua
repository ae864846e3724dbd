-- :Bodkin refine has the model make a better proposal, which takes the old one's place
local t = ...
t.write("a.py", "x = 1\n")
t.setup({
  { reply = { text = t.block("a.py", "x = 1\n", "x = 10\n"), stop_reason = "end_turn" } },
  {
    expect = { "x = 10", "Eleven is better" },
    reply = { text = t.block("a.py", "x = 10\n", "x = 11\n"), stop_reason = "end_turn" },
  },
})
t.open("a.py")
vim.cmd("1Bodkin ask Make x ten")
local first = t.proposal(1)
t.end_of_ask(1)
vim.cmd("Bodkin refine Eleven is better")
local second = t.proposal(2)
t.state(first, "discarded")
t.equal(table.concat(t.messages, "\n"):find("newer version"), nil, "a message of the old one, beside the new one's")
t.contains(t.log(), "Replaced by a newer version.", "the log")
t.equal(t.text("a.py"), "x = 1\n", "the buffer before the proposal is taken")
vim.cmd("Bodkin apply")
t.state(second, "applied")
t.equal(t.text("a.py"), "x = 11\n", "the buffer")
