-- where the part that is applied breaks the file by itself, that stands at the changes that are left
local t = ...
if vim.fn.executable("clangd") == 0 then
  t.skip("clangd is not installed")
end
t.write("a.cpp", "int f(int a) {\n  return a;\n}\n\nint g() {\n  return f(1);\n}\n")
vim.fn.writefile({ '{"bodkin.verify.servers": {"cpp": {"command": ["clangd"]}}}' }, vim.env.XDG_CONFIG_HOME .. "/bodkin/settings.json")
t.setup({ t.block("a.cpp", "int f(int a) {\n", "int f(int a, int b) {\n") .. t.block("a.cpp", "  return f(1);\n", "  return f(1, 2);\n") },
  { agent = { repair = "off" } })
t.open("a.cpp")
vim.cmd("%Bodkin ask Two numbers")
t.proposal()
local function below(text)
  t.wait("below a change: " .. text, function()
    for _, each in ipairs(t.drawn("a.cpp")) do
      if each.text and each.text:find(text, 1, true) then
        return true
      end
    end
  end)
end
below("✓ clangd")
vim.api.nvim_win_set_cursor(0, { 1, 0 })
vim.cmd("Bodkin accept")
below("as it is now;")
t.equal(t.text("a.cpp"), "int f(int a, int b) {\n  return a;\n}\n\nint g() {\n  return f(1);\n}\n", "the text")
vim.cmd("Bodkin accept")
t.wait("no change is left", function()
  return #t.drawn("a.cpp") == 0
end)
t.equal(t.text("a.cpp"), "int f(int a, int b) {\n  return a;\n}\n\nint g() {\n  return f(1, 2);\n}\n", "the text at the end")
