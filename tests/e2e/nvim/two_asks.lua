-- two asks at once have a block each: their words never mix
local t = ...
t.write("a.py", "x = 1\n")
t.write("b.py", "y = 1\n")
t.setup({ { reply = { text = ("tick "):rep(60) .. "end.", stop_reason = "end_turn" }, chunk_bytes = 5, delay_ms = 10 } })
t.open("a.py")
t.open("b.py")
vim.api.nvim_set_current_buf(t.buffer("a.py"))
vim.cmd("1Bodkin ask First?")
vim.api.nvim_set_current_buf(t.buffer("b.py"))
vim.cmd("1Bodkin ask Second?")
t.wait("both to speak", function()
  local _, count = t.log():gsub("\ntick tick", "")
  return count == 2
end)
t.equal(#t.ended, 0, "the asks that have ended")
t.end_of_ask(2)
local log = t.log()
local first, second = log:match("First%?\n(.*)## %d+:%d+ Second%?\n(.*)")
for _, block in ipairs({ first, second }) do
  t.contains(block, ("tick "):rep(60) .. "end.", "the words of one ask")
  t.contains(block, "Answered after", "its end")
end
