-- :Bodkin fix takes the diagnostics at the cursor to the model
local t = ...
t.clangd()
t.write("main.cpp", "int main() {\n  int count = \"three\";\n  return count;\n}\n")
t.setup({
  { expect = { "int count" }, reply = { text = t.block("main.cpp", '  int count = "three";\n', "  int count = 3;\n"), stop_reason = "end_turn" } },
})
t.open("main.cpp")
vim.cmd("3")
vim.cmd("Bodkin fix")
t.message("no diagnostics here")
t.wait("clangd's error", function()
  return #t.errors("main.cpp") == 1
end)
vim.cmd("2")
vim.cmd("Bodkin fix")
local proposal = t.proposal()
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.wait("clangd to be content", function()
  return #t.errors("main.cpp") == 0
end)
