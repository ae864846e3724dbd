-- an edit of the last line, of which Neovim makes two changes, is not taken for a formatter's: the server has both before the answer
local t = ...
t.write("a.py", "x = 1\nv0 = 0\n")
local applying, told = require("bodkin.applying"), require("bodkin.told")
local apply, was_told = applying.apply, {}
applying.apply = function(err, params, context, ...)
  local answer = apply(err, params, context, ...)
  local buffer = t.buffer("a.py")
  table.insert(was_told, told.is_current(context.client_id, buffer, told.version(context.client_id, buffer)))
  return answer
end
local turns = {}
for i = 0, 2 do
  turns[i + 1] = t.block("a.py", ("v%d = %d\n"):format(i, i), ("v%d = %d\n"):format(i + 1, i + 1))
end
t.setup(turns)
t.open("a.py")
for i = 1, 3 do
  t.messages = {}
  vim.cmd("2Bodkin ask Count")
  local proposal = t.proposal(i)
  t.end_of_ask(i)
  vim.cmd("Bodkin apply")
  t.equal(t.outcome(proposal), "applied", "the outcome")
  t.message("applied. (:Bodkin undo)")
  t.equal(t.text("a.py"), ("x = 1\nv%d = %d\n"):format(i, i), "the text")
end
t.equal(was_told, { true, true, true }, "whether the server knew the text")
