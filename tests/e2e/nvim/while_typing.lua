-- a failure while the user types is said again when they stop, in one line
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ { error = { kind = "invalid_request", message = ("Nobody is there at all. "):rep(20), status = 400 } } })
t.open("a.py")
local mode = vim.api.nvim_get_mode
vim.api.nvim_get_mode = function()
  return { mode = "i", blocking = false }
end
vim.cmd("1Bodkin ask Anything")
t.end_of_ask()
t.message("(:Bodkin retry)")
local before = #t.messages
vim.api.nvim_get_mode = mode
vim.api.nvim_exec_autocmds("InsertLeave", {})
t.wait("the message again", function()
  return #t.messages > before and t.messages[#t.messages]:find(":Bodkin retry", 1, true)
end)
for _, message in ipairs(t.messages) do
  t.equal(vim.fn.strdisplaywidth(message) <= vim.v.echospace and not message:find("\n"), true, "fits without <Enter>: " .. message)
end
t.contains(t.log(), ("Nobody is there at all. "):rep(3), "all of it, in the log")
