-- lines that occur twice are refused, told to the model, and nothing is guessed
local t = ...
local before = "def f():\n    return 1\n\n\ndef g():\n    return 1\n"
t.write("a.py", before)
t.setup({
  t.block("a.py", "    return 1\n", "    return 2\n"),
  { expect = { "2", "6" }, reply = { text = t.block("a.py", "def g():\n    return 1\n", "def g():\n    return 2\n"), stop_reason = "end_turn" } },
})
t.open("a.py")
vim.cmd("%Bodkin ask g returns two")
local proposal = t.proposal()
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("a.py"), "def f():\n    return 1\n\n\ndef g():\n    return 2\n", "the buffer")
