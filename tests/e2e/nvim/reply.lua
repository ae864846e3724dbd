-- a chat's answer from a register gives the same bytes as `bodkin apply`; of mere code there is what to send back
local t = ...
local before = "int f(int a) {\r\n\treturn a;\r\n}\r\n\r\nint g() { return '\xc3\xbc'; }"
local answer = "Here you are:\n\n```cpp\nf.cpp\n<<<<<<< SEARCH\nint f(int a) {\n    return a;\n}\n=======\nint f(int a) {\n    return a + 1;\n}\n>>>>>>> REPLACE\n```\n"
t.write("f.cpp", before)
t.write("copy/f.cpp", before)
t.write("answer.txt", answer)
vim.fn.system(("cd %s && %s apply < %s"):format(t.path("copy"), vim.env.BODKIN, t.path("answer.txt")))
t.equal(vim.v.shell_error, 0, "the exit code of bodkin apply")
t.setup() -- no model
t.open("f.cpp")
vim.bo.fixendofline = false -- or Neovim itself would add an ending to the last line
vim.fn.setreg("a", answer)
vim.cmd("Bodkin reply a")
local proposal = t.proposal()
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
vim.cmd("silent write")
t.equal(t.read("f.cpp"), t.read("copy/f.cpp"), "the bytes of the editor and of the command line")
if t.read("f.cpp") == before then
  t.fail("neither changed anything")
end

-- What only shows code is told with the command that has what to send back.
t.messages = {}
vim.fn.setreg("a", "See:\n\n```cpp\nreturn a + 1;\n```\n")
vim.cmd("Bodkin reply a")
t.message("(:Bodkin log)")
t.wait("what to send back", function()
  return t.log():find("Write your edits in the text of your reply", 1, true)
end)
