-- :Bodkin next in a file whose changes were decided goes to the next file, and says it if there is none
local t = ...
t.write("a.py", "x = 1\n")
t.write("b.py", "y = 1\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 2\n") .. t.block("b.py", "y = 1\n", "y = 2\n") })
t.open("a.py")
vim.cmd("1Bodkin ask Two")
t.proposal()
local function is_at(name)
  return function()
    return vim.fn.expand("%:t") == name and #t.drawn(name) > 0
  end
end
t.wait("the changes", is_at("a.py"))
t.contains(vim.inspect(t.drawn("a.py")), "1/1, file 1 of 2", "what stands below the change")
vim.cmd("Bodkin accept")
t.wait("the next file", is_at("b.py"))
vim.cmd("buffer a.py")
vim.cmd("Bodkin next")
t.wait("the next file again", is_at("b.py"))
vim.cmd("Bodkin next")
t.message("the only change that is left")
vim.cmd("Bodkin accept")
t.wait("the end", function()
  return t.text("b.py") == "y = 2\n" and #t.drawn("b.py") == 0
end)
vim.cmd("Bodkin next")
t.message("no pending proposal")
