-- an answer and a proposed line of a million characters without a space keep nobody waiting
local t = ...
t.write("a.py", "a = 1\nb = 2\n")
local long = ("x"):rep(1000000)
t.setup({ { reply = { text = "It is " .. long .. ".", stop_reason = "end_turn" }, chunk_bytes = 200000 } })
t.open("a.py")
vim.cmd("Bodkin explain it")
t.equal(t.end_of_ask()["end"], "answer", "how it ended")
vim.cmd("Bodkin! log")
vim.fn.setreg("r", t.block("a.py", "b = 2\n", "b = '" .. long .. "'\n"))
vim.cmd("edit " .. t.path("a.py"))
vim.cmd("Bodkin reply r")
t.proposal()
t.wait("the change", function()
  return #t.drawn("a.py") > 0
end)
local rows = t.drawn("a.py")
t.equal(#rows < 250, true, "a few rows of it: " .. #rows)
local found = false
for _, row in ipairs(rows) do
  found = found or (row.text or ""):find("the line goes on", 1, true) ~= nil
end
t.equal(found, true, "it is said that there is more")
local float = require("bodkin.float")
t.equal(float.wrapped("one two three", 8), { "one two ", "  three" }, "words")
t.equal(float.wrapped("a" .. ("é"):rep(9) .. " b", 6), { "aééééé", "  éééé ", "  b" }, "a long word")
t.equal(float.wrapped("x 漢字漢字漢字 y", 7), { "x ", "  漢字", "  漢字", "  漢字 ", "  y" }, "wide characters")
t.equal(#float.wrapped(long, 80, 24), 24, "no more than can be seen")
vim.cmd("Bodkin apply")
t.wait("it to be in", function()
  return vim.api.nvim_buf_get_lines(t.buffer("a.py"), 1, 2, false)[1] == "b = '" .. long .. "'"
end)
