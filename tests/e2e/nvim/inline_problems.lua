-- an error that was found in the draft stands at the change that brings it
local t = ...
if vim.fn.executable("clangd") == 0 then
  t.skip("clangd is not installed")
end
t.write("a.cpp", "int one() {\n  return 1;\n}\n\nint two() {\n  return 2;\n}\n")
vim.fn.writefile({ '{"bodkin.verify.servers": {"cpp": {"command": ["clangd"]}}}' }, vim.env.XDG_CONFIG_HOME .. "/bodkin/settings.json")
t.setup({ t.block("a.cpp", "  return 1;\n", "  return 10;\n") .. t.block("a.cpp", "  return 2;\n", "  return three;\n") },
  { agent = { maxRepairs = 0 } })
t.open("a.cpp")
vim.cmd("%Bodkin ask Other numbers")
t.proposal()
local function foot_below(text)
  local found, after = nil, false
  for _, each in ipairs(t.drawn("a.cpp")) do
    if each.text then
      after = after or each.text:find(text, 1, true) ~= nil
      found = found or (after and each.groups[1] == "BodkinBad" and each.text) or nil
    end
  end
  return found
end
t.wait("the changes", function()
  return #t.drawn("a.cpp") > 0
end)
t.contains(foot_below("return three"), "undeclared identifier 'three'", "the words below the second change")
local verdicts = {}
for _, each in ipairs(t.drawn("a.cpp")) do
  table.insert(verdicts, each.text and each.text:match("^  %d/2  (✗.-)  do"))
end
t.equal(verdicts, { "✗ in another change", "✗ clangd: 1 new error" }, "the verdict at each change")
