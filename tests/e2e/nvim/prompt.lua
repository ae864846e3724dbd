-- :Bodkin prompt puts the whole prompt into a register and needs no model
local t = ...
t.write("a.py", "def f(x):\n    return x\n")
t.setup()
t.open("a.py")
vim.cmd("1,2Bodkin prompt Double it")
t.message("register")
local text = vim.fn.getreg(vim.fn.has("clipboard") == 1 and "+" or '"')
t.contains(text, "Double it", "the prompt")
t.contains(text, "def f(x):\n    return x", "the prompt")

-- A register of Neovim's own is no way into a chat: that is said.
local has = vim.fn.has
vim.fn.has = function(feature)
  return feature == "clipboard" and 0 or has(feature)
end
vim.cmd("1,2Bodkin prompt Triple it")
t.wait("the register of Neovim's own", function()
  return vim.fn.getreg('"'):find("Triple it", 1, true)
end)
t.message('no clipboard: prompt in register " (:help clipboard)')

-- What the server does not have, a buffer with neither a name nor a language, is quoted.
vim.cmd("enew")
vim.api.nvim_buf_set_lines(0, 0, -1, false, { "first", "second" })
vim.cmd("2Bodkin prompt Explain it")
t.wait("the prompt", function()
  return vim.fn.getreg('"'):find("Explain it", 1, true)
end)
t.contains(vim.fn.getreg('"'), "Explain it\n\n```\n[a buffer without a name, line 2; the cursor is in line 1]\nsecond\n```", "the quotation")
