-- a program that the model wants to run is run only if the person allows it
local t = ...
t.write("a.py", "x = 1\n")
local call = { id = "c1", name = "run", arguments = { command = "touch ran" } }
t.setup({
  { reply = { text = "", tool_calls = { call }, stop_reason = "tool_use" } },
  { expect = { "reject" }, reply = { text = "Then not.", stop_reason = "end_turn" } },
}, { agent = { profile = "tools", permissions = { run = "ask" } } })
local asked
vim.fn.confirm = function(question)
  asked = question
  return 3
end
vim.ui.select = function(items, options, chosen)
  asked = options.prompt
  chosen(items[3], 3)
end
t.open("a.py")
vim.cmd("1Bodkin ask Run it")
t.equal(t.end_of_ask()["end"], "answer", "how the ask ended")
t.contains(asked, "touch ran", "the question")
t.equal(t.read("ran"), nil, "the file that the program would have made")
