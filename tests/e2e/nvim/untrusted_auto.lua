-- in a folder that is not trusted the mode auto says that edits wait, and so does each proposal, in a line of 80 columns
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 2\n") }, nil, { trusted = false })
t.open("a.py")
vim.cmd("Bodkin mode auto")
t.message("the mode is auto, but edits wait: this folder is not trusted")
vim.cmd("Bodkin mode")
t.wait("the same when it is asked for", function()
  return #vim.tbl_filter(function(message)
    return message:find("edits wait: this folder is not trusted", 1, true)
  end, t.messages) == 2
end)
vim.cmd("1Bodkin ask Make x two")
t.proposal()
t.wait("the proposal's message", function()
  return vim.tbl_contains(t.messages, "1 change; edits wait: this folder is not trusted (:Bodkin diff)")
end)
t.equal(t.text("a.py"), "x = 1\n", "the buffer")
for _, command in ipairs({ "status", "check" }) do
  vim.cmd("Bodkin " .. command)
  t.contains(t.float():lower(), "folder is not trusted", ":Bodkin " .. command)
  t.keys("q")
end
