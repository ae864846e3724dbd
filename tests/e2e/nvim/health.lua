-- :checkhealth bodkin, :help bodkin, the status and completion work
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ "Nothing to do." })
t.open("a.py")
vim.cmd("checkhealth bodkin")
local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
t.contains(report, "server running in", "the health report")
if report:find("ERROR") then
  t.fail(report)
end

t.contains(report, "checked: Python", "what checks")

vim.cmd("help :Bodkin-ask")
t.equal(vim.fn.expand("%:t"), "bodkin.txt", "the help file")
t.equal(vim.fn.getcompletion("Bodkin a", "cmdline"), { "accept", "answer", "apply", "ask" }, "the completion")
vim.cmd("Bodkin nonsense")
t.message("unknown command :Bodkin nonsense")
