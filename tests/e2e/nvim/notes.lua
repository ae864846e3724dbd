-- what the user must know before they take a proposal is said with it
local t = ...
t.write("Makefile", "all:\n\ttrue\n")
t.setup({
  { reply = { text = "Makefile\n<<<<<<< SEARCH\n\ttrue\n=======\n\tfalse\n>>>>>>> REPLACE\n", stop_reason = "end_turn" } },
})
t.open("Makefile")
vim.cmd("1Bodkin ask Let it fail")
t.proposal()
t.message("1 change; Makefile: runs commands when you build (:Bodkin diff)")
vim.cmd("Bodkin log")
t.wait("the note in the log", function()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"):find("runs commands when you build", 1, true)
end)

-- Where there is no room for the counts, too, the caution stays.
vim.cmd("quit")
vim.o.columns = 44
vim.fn.setreg("a", t.block("Makefile", "\ttrue\n", "\tfalse # now\n"))
vim.cmd("Bodkin reply a")
t.proposal(2)
t.contains(t.messages[#t.messages], "Makefile: runs commands", "the message at 44 columns")
