-- the user's marks stay on their lines when a change is applied
local t = ...
t.write("a.py", "a = 0\nx = 1\ny = 2\nz = 3\nlast = 9\n")
t.setup({ t.block("a.py", "x = 1\ny = 2\nz = 3\n", "x = 1\ny = 20\nmore = 1\nz = 3\n") })
t.open("a.py")
for line, name in ipairs({ "j", "k", "l", "m", "n" }) do
  vim.cmd(line .. "mark " .. name)
end
vim.cmd("2Bodkin ask x")
local proposal = t.proposal()
t.end_of_ask()
vim.cmd("Bodkin apply")
t.equal(t.outcome(proposal), "applied", "the outcome")
local lines = vim.tbl_map(function(name)
  return vim.fn.line("'" .. name)
end, { "j", "k", "m", "n" })
t.equal(lines, { 1, 2, 5, 6 }, "where the marks are")
t.equal(vim.fn.line("'l"), 3, "the mark in what was changed")
