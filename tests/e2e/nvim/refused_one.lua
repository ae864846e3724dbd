-- a file that the editor cannot change is named, and the other files of the proposal stay pending
local t = ...
t.write("a.py", "x = 1\n")
t.write("b.py", "y = 1\n")
t.write("c.py", "z = 1\n")
local swaps = t.path("swaps")
vim.fn.mkdir(swaps)
vim.opt.directory = swaps .. "//"
local other = vim.fn.jobstart({ vim.env.EDITOR_UNDER_TEST, "--headless", "-u", "NONE", "-i", "NONE", "--cmd", "set directory=" .. swaps .. "//",
  t.path("b.py"), "+normal! Ax", "+preserve" }, { env = { VIMRUNTIME = vim.env.VIMRUNTIME } })
if not vim.wait(5000, function()
  return vim.fn.glob(swaps .. "/*") ~= ""
end, 20) then
  vim.fn.jobstop(other)
  t.skip("this Neovim starts no other one here")
end
t.setup({ t.block("a.py", "x = 1\n", "x = 2\n") .. t.block("b.py", "y = 1\n", "y = 2\n") .. t.block("c.py", "z = 1\n", "z = 2\n") })
t.open("a.py")
vim.opt.updatecount = 200
vim.opt.swapfile = true
vim.cmd("1Bodkin ask Two")
local proposal = t.proposal()
local function is_drawn(name)
  return function()
    return #t.drawn(name) > 0
  end
end
t.wait("the changes", is_drawn("a.py"))
vim.cmd("Bodkin apply")
t.told("not applied: b.py is open in another program")
t.wait("the changes after that", is_drawn("a.py"))
vim.cmd("Bodkin accept")
t.state(proposal, "partly")
t.equal(t.text("a.py"), "x = 2\n", "a.py")
t.wait("the review to pass over the file that cannot be shown", function()
  return vim.fn.expand("%:t") == "c.py" and #t.drawn("c.py") > 0
end)
vim.fn.jobstop(other)
