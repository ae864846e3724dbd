-- a function that is removed is drawn as that, not from the end of the one above it
local t = ...
t.write("a.c", "int one(void) {\n    return 1;\n}\n\nint two(void) {\n    return 2;\n}\n\nint three(void) {\n    return 3;\n}\n")
local whole = "int two(void) {\n    return 2;\n}\n\n"
t.setup({ t.block("a.c", whole, "") })
t.open("a.c")
vim.cmd("%Bodkin ask Remove two")
t.proposal()
local function removed()
  local rows = {}
  for _, each in ipairs(t.drawn("a.c")) do
    if each.deleted then
      table.insert(rows, each.row)
    end
  end
  table.sort(rows)
  return rows
end
t.wait("the change", function()
  return #removed() > 0
end)
t.equal(removed(), { 4, 5, 6, 7 }, "the removed rows")

-- However the server says it: as many lines, from the brace above or from the empty line.
local buffer, whole_lines = t.buffer("a.c"), require("bodkin.whole_lines")
for first = 2, 4 do
  local hunk = { range = { start = { line = first, character = 0 }, ["end"] = { line = first + 4, character = 0 } }, newText = "" }
  local row, old = whole_lines.of(buffer, hunk, "utf-8")
  t.equal({ row, old[1] }, { 4, "int two(void) {" }, "from row " .. first)
end
