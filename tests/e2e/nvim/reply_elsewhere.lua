-- of a chat's answer for a file that is not shown the message names the file, and the command that shows it; the log has the answer
local t = ...
vim.o.columns = 80
t.write("a.py", "x = 1\n")
t.write("b.py", "y = 1\n")
t.setup()
t.open("a.py")
local function reply(name, old, new)
  vim.fn.setreg("a", "Here it is.\n\n" .. t.block(name, old, new))
  vim.cmd("Bodkin reply a")
end
reply("b.py", "y = 1\n", "y = 2\n")
t.proposal(1)
t.message("? only the syntax was checked; 1 change in b.py (:Bodkin diff)")
t.contains(t.log(), "Reply in register a\n  │ Here it is.\n  │ \n  │ b.py\n", "the log")

-- Where another one is shown, the command has the id: without it, that one would be meant.
vim.cmd("Bodkin discard")
reply("a.py", "x = 1\n", "x = 2\n")
t.proposal(2)
t.wait("the review", function()
  return require("bodkin.review").here() ~= nil
end)
t.messages = {}
reply("b.py", "y = 1\n", "y = 3\n")
local other = t.proposal(3)
t.message(("1 change in b.py; ? only syntax (:Bodkin diff %s)"):format(other.id))
vim.cmd("Bodkin diff " .. other.id)
t.wait("the preview", function()
  return require("bodkin.diff").here() == other
end)
