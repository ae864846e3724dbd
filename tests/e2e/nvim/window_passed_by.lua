-- :windo and CTRL-W w do not go into the window with the words; :Bodkin log does
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ "It is one." })
t.open("a.py")
vim.cmd("split")
vim.cmd("1Bodkin ask What is x?")
t.equal(t.end_of_ask()["end"], "answer", "how the ask ended")
local words = require("bodkin.log").buffer()
t.equal(vim.fn.bufwinid(words) > 0, true, "whether the answer is shown")
local seen = {}
_G.note = function()
  table.insert(seen, vim.api.nvim_get_current_buf() == words)
end
vim.cmd("windo lua note()")
for _ = 1, 2 do
  vim.cmd("wincmd w")
  note()
end
t.equal(seen, { false, false, false, false }, "whether these windows are that with the words")
vim.cmd("Bodkin log")
t.equal(vim.api.nvim_get_current_buf(), words, "the buffer after :Bodkin log")
