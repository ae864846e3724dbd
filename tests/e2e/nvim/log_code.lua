-- code in a fence of the log is highlighted by its own parser, where tree-sitter has it, and no sign outside is hidden by that
local t = ...
if vim.fn.has("nvim-0.10") == 0 then
  t.skip("this Neovim has no parser of Markdown")
end
-- Debian's are beside the program, which may have been unpacked anywhere.
for _, folder in ipairs(vim.fn.glob(vim.fn.fnamemodify(vim.env.EDITOR_UNDER_TEST, ":h") .. "/root/usr/lib/nvim", true, true)) do
  vim.opt.runtimepath:append(folder)
end
if #vim.api.nvim_get_runtime_file("parser/markdown.so", false) == 0 then
  t.skip("this Neovim has no parser of Markdown")
end
t.write("a.py", "x = 1\n")
t.setup({ { reply = { text = "See __init__ here:\n\n```lua\nlocal x = 1\n```\n", stop_reason = "end_turn" } } })
vim.cmd("syntax on")
t.open("a.py")
vim.cmd("1Bodkin ask What is x?")
t.end_of_ask()
vim.cmd("Bodkin log")
local function captures(text)
  local row = vim.fn.search(text, "nw") - 1
  local names = {}
  vim.cmd("redraw")
  vim.treesitter.get_parser(0, "bodkin_markdown"):parse(true)
  for _, each in ipairs(vim.treesitter.get_captures_at_pos(0, row, 0)) do
    names[each.lang] = (names[each.lang] or "") .. each.capture .. " "
  end
  return names
end
t.contains(captures("^local x").lua, "keyword", "the keyword")
t.contains(captures("^```lua").bodkin_markdown, "comment", "the fence")
local row = vim.fn.search("__init__", "nw")
t.equal(vim.fn.synconcealed(row, 5)[1], 0, "whether a sign is hidden")
t.equal(vim.bo.syntax, "bodkin", "the rules of what is inline")
