-- the model is told which characters of a line are selected; of whole lines it is told the lines
local t = ...
t.write("a.py", "def area(r):\n    return 3.14 * r * r\n")
t.setup({
  { expect = { "Of it only this is selected, from character 5 of line 2 on:", "return\n" },
    reply = { text = "The keyword.", stop_reason = "end_turn" } },
  { expect = { "The user selected line 2" }, reply = { text = "The line.", stop_reason = "end_turn" } },
})
t.open("a.py")
t.keys("2G0wve:Bodkin ask What is this?<CR>")
t.equal(t.end_of_ask(1)["end"], "answer", "how it ended")
t.contains(t.log(), "“return”", "the place in the log")
t.keys("2GV:Bodkin ask And this?<CR>")
t.equal(t.end_of_ask(2)["end"], "answer", "how the second ended")
