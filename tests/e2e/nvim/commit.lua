-- a message for what is staged is written into the commit buffer, and nowhere else
local t = ...
t.write("a.py", "x = 1\n")
t.write(".git/COMMIT_EDITMSG", "\n# Please enter the commit message\n")
t.setup({ { reply = { text = "```\nDouble y\n\nIt was too small.\n```", stop_reason = "end_turn" },
  expect = { "Write the commit message for @staged", "In English" } } })
t.open("a.py")
vim.cmd("Bodkin commit")
t.message("this is no commit buffer")
vim.cmd("edit " .. t.path(".git/COMMIT_EDITMSG"))
vim.bo.filetype = "gitcommit"
vim.cmd("Bodkin commit In English")
t.equal(t.end_of_ask(1)["end"], "answer", "how the message ended")
t.equal(vim.api.nvim_buf_get_lines(0, 0, -1, false),
  { "Double y", "", "It was too small.", "", "# Please enter the commit message" }, "the commit buffer")
