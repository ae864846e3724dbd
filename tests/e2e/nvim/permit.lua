-- with permissions.edit "ask" the person is shown the edit and asked; a no ends the ask, and nothing is proposed
local t = ...
t.write("a.py", "x = 1\n")
local call = { id = "c1", name = "edit", arguments = { path = "a.py", old_str = "x = 1", new_str = "x = 2" } }
t.setup({
  { reply = { text = "", tool_calls = { call }, stop_reason = "tool_use" } },
}, { agent = { profile = "tools", permissions = { edit = "ask" } } })
local asked = ""
vim.fn.confirm = function(question)
  asked = question
  return 3
end
vim.ui.select = function(items, options, chosen)
  asked = options.prompt
  chosen(items[3], 3)
end
t.open("a.py")
vim.cmd("1Bodkin ask Make x two")
t.equal(t.end_of_ask()["end"], "cancelled", "how the ask ended")
t.contains(asked, "x = 2", "the question")
t.equal(t.proposals(), 0, "the number of proposals")
