-- If it is wished, clangd's error after the apply starts one repair turn, and its proposal ends clean
local t = ...
t.clangd()
local before = "#include <string>\n\nstd::string name() {\n  return \"a\";\n}\n\nint main() {\n  return 0;\n}\n"
t.write("main.cpp", before)
t.setup({
  { reply = { text = t.block("main.cpp", '  return "a";\n', "  return 42;\n"), stop_reason = "end_turn" } },
  {
    expect = { "return 42;", "viable conversion" },
    reply = { text = t.block("main.cpp", "  return 42;\n", "  return std::to_string(42);\n"), stop_reason = "end_turn" },
  },
}, { agent = { repair = "auto" } })
t.open("main.cpp")
t.equal(#t.errors("main.cpp"), 0, "the errors at the start")
vim.cmd("3,5Bodkin ask Return forty-two")
local first = t.proposal(1)
vim.cmd("Bodkin apply")
t.state(first, "applied")
t.wait("clangd's error", function()
  return #t.errors("main.cpp") == 1
end)
t.message("Applied, with 1 new problem")
for _, message in ipairs(t.messages) do
  t.equal(vim.fn.strdisplaywidth(message) <= vim.v.echospace, true, "fits without <Enter>: " .. message)
end
local second = t.proposal(2)
vim.cmd("Bodkin apply")
t.state(second, "applied")
t.wait("clangd to be content", function()
  return #t.errors("main.cpp") == 0
end)
t.equal(t.text("main.cpp"), (before:gsub('"a"', "std::to_string(42)")), "the buffer")
