-- own prompts are run by their names, with what they say of the selection and the file
local t = ...
local function own(name, text)
  vim.fn.mkdir(vim.env.XDG_CONFIG_HOME .. "/bodkin/prompts", "p")
  vim.fn.writefile(vim.split(text, "\n"), vim.env.XDG_CONFIG_HOME .. "/bodkin/prompts/" .. name .. ".md")
end
own("review", "Review $selection of $file, please.")
t.write("a.py", "x = 1\ny = 2\n")
local function turn(reply, expect)
  return { reply = { text = reply, stop_reason = "end_turn" }, expect = expect }
end
t.setup({ turn("It is fine.", { "Review @selection of @\"a.py\", please.\n\nIn one word.", "y = 2" }) })
t.open("a.py")
vim.cmd("2Bodkin run review In one word.")
t.equal(t.end_of_ask(1)["end"], "answer", "how it ended")
t.equal(vim.tbl_contains(require("bodkin.commands").complete("re", "Bodkin run re"), "review"), true, "whether its name is completed")
vim.cmd("Bodkin run nothing")
t.message("there is no ~/.config/bodkin/prompts/nothing.md")
