-- without the plugin a proposal asks nothing: what is typed meanwhile is text, and nothing is applied by it
local t = ...
t.write("a.py", "x = 1\ny = 2\n")
local asked = false
for _, name in ipairs({ "confirm", "inputlist", "input" }) do
  vim.fn[name] = function()
    asked = true
    return 1
  end
end
t.plain("a.py", { t.block("a.py", "y = 2\n", "y = 20\n") }, "Apply")
t.plain_ask(2, 2, "Make y 20")
t.wait("the proposal's own diagnostic", function()
  return #vim.diagnostic.get(0) > 0
end)
vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes("ggOa1<CR>1<CR><Esc>", true, false, true), "xt", false)
t.wait("the diagnostic to move along", function()
  local one = vim.diagnostic.get(0)[1]
  return one and one.lnum == 4
end)
t.equal(t.text("a.py"), "a1\n1\n\nx = 1\ny = 2\n", "the text")
t.equal(asked, false, "a question popped up")
for _, seen in ipairs(t.seen) do
  if vim.startswith(seen, "question:") then
    t.fail("a " .. seen)
  end
end
