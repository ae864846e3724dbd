-- of the model's words only markup is hidden, no sign that is meant: not of `__init__`, `int* p` or `2 ** 3`
local t = ...
t.write("a.py", "x = 1\n")
local signs = {
  "`__init__` and __init__ and a_b_c, _private_",
  "int* p, char* q, int **r; *p = 2 * 3 * 4",
  "`int **p` and 2 ** 3 ** 4, x**2 + y**2",
  "glob src/**/*.c and lib/**/*.c",
}
t.setup({ table.concat(signs, "\n\n") .. "\n\nIt **is** one, **`x`** too.\n" })
vim.cmd("syntax on")
t.open("a.py")
vim.cmd("1Bodkin ask What is x?")
t.equal(t.end_of_ask()["end"], "answer", "how the ask ended")
vim.cmd("Bodkin log")

-- The text of a line as it is seen.
local function seen(line)
  local row = vim.fn.search("\\V" .. vim.fn.escape(line, "\\"), "w")
  local text = ""
  for column = 1, #vim.fn.getline(row) do
    local hidden = vim.fn.synconcealed(row, column)
    text = text .. (hidden[1] == 0 and vim.fn.getline(row):sub(column, column) or "")
  end
  return text
end
for _, line in ipairs(signs) do
  t.equal(seen(line), line, "what is seen of a line")
end
t.equal(seen("It **is** one, **`x`** too."), "It is one, `x` too.", "what is seen of markup")
t.equal(vim.g.markdown_syntax_conceal, nil, "the user's own setting")
