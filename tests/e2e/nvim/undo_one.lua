-- u after one change was taken makes it pending again; of several files it is said which are still changed
local t = ...
t.write("a.py", "a = 1\nb = 2\nc = 3\n")
t.write("b.py", "x = 1\n")
t.write("c.py", "y = 1\n")
t.setup({
  t.block("a.py", "a = 1\n", "a = 10\n") .. t.block("a.py", "c = 3\n", "c = 30\n"),
  t.block("b.py", "x = 1\n", "x = 2\n") .. t.block("c.py", "y = 1\n", "y = 2\n"),
})
t.open("a.py")
vim.cmd("1Bodkin ask Tens")
local first = t.proposal(1)
local function changes(name, count)
  t.wait(count .. " changes in " .. name, function()
    local found = 0
    for _, each in ipairs(t.drawn(name)) do
      found = found + (each.deleted and 1 or 0)
    end
    return found == count
  end)
end
t.end_of_ask(1)
changes("a.py", 2)
t.keys("gg")
t.keys("do")
changes("a.py", 1)
vim.cmd("silent undo")
changes("a.py", 2)
vim.cmd("silent redo")
changes("a.py", 1)
vim.cmd("silent undo")
changes("a.py", 2)
vim.cmd("Bodkin apply")
t.state(first, "applied")
t.equal(t.text("a.py"), "a = 10\nb = 2\nc = 30\n", "all of it")

t.open("b.py")
vim.cmd("1Bodkin ask Twos")
local second = t.proposal(2)
t.end_of_ask(2)
vim.cmd("Bodkin apply")
t.state(second, "applied")
t.messages = {}
vim.cmd("silent undo")
t.told("Undone only in b.py; c.py is still changed")
changes("b.py", 1)
vim.cmd("Bodkin undo")
t.state(second, "discarded")
t.equal({ t.text("b.py"), t.text("c.py") }, { "x = 1\n", "y = 1\n" }, "both files")
changes("b.py", 0)
