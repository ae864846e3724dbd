-- <Tab> completes an @ and a / in a request, in the prompt and on the command line
local t = ...
t.write("shapes.py", "x = 1\n")
t.write("größe/other file.py", "y = 1\n")
t.setup({ { expect = { "Say more about @shapes.py" }, reply = { text = "No.", stop_reason = "end_turn" } } })
t.open("shapes.py")
local function complete(text)
  return vim.fn.getcompletion("Bodkin ask " .. text, "cmdline")
end
t.wait("the list of files", function()
  return vim.tbl_contains(complete("Look at @sha"), "@shapes.py")
end)
t.equal(complete("/expl"), { "/explain " }, "a command")
t.equal(complete("no /expl"), {}, "no command")
local all
t.wait("the other file", function()
  all = require("bodkin.complete").texts("größer als @größe/o")
  return #all > 0
end)
t.equal(#all, 1, "the completions behind other letters: " .. vim.inspect(all))
t.contains(all[1], "größer als @", "the text before it")
t.contains(all[1], "other file.py", "the file")
-- As typed into the prompt.
vim.cmd("1Bodkin ask")
t.float()
vim.cmd("stopinsert")
t.keys("iSay more about @sha<Tab><CR>")
t.equal(t.end_of_ask(1)["end"], "answer", "how the ask ended")
