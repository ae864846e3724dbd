-- how an ask ended is said with what helps, by what the server says of it and not by its words
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ "Nothing." }, { agent = { maxCostUsd = 1 } }) -- nobody knows what a recording costs
t.open("a.py")
vim.cmd("1Bodkin ask Read it")
local ended = t.end_of_ask(1)
t.equal(ended["end"], "limit", "the end")
t.equal({ ended.reason, ended.setting }, { "setting", "bodkin.agent.maxCostUsd" }, "why")
t.message("(set agent.maxCostUsd, then :Bodkin retry)")
