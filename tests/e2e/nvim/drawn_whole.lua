-- after a decision the screen shows what is there: no row of before is left among the others
local t = ...
vim.o.columns, vim.o.lines = 80, 24
t.write("shapes.py", "import sys\n\n\ndef area(r):\n    return 3 * r * r\n\n\ndef circumference(r):\n    return 6 * r\n\n\n"
  .. "def report(radii):\n    for r in radii:\n        print(r, area(r))\n\n\nif __name__ == \"__main__\":\n    report(sys.argv)\n")
t.setup({ t.block("shapes.py", "    return 3 * r * r\n", "    return math.pi * r * r\n")
  .. t.block("shapes.py", "import sys\n", "import math\nimport sys\n") .. t.block("shapes.py", "    return 6 * r\n", "    return math.tau * r\n") })
t.open("shapes.py")

local function screen()
  local rows = {}
  for row = 1, vim.o.lines - 2 do
    local text = ""
    for column = 1, vim.o.columns do
      text = text .. vim.fn.screenstring(row, column)
    end
    table.insert(rows, (text:gsub("%s+$", "")))
  end
  return rows
end
local function changes_left(count)
  t.wait(count .. " changes on the screen", function()
    vim.cmd("redraw") -- as it is while a person waits
    local _, hunks = require("bodkin.inline").of(t.buffer("shapes.py"))
    return #(hunks or {}) == count
  end)
  vim.cmd("redraw")
end
local function is_whole(count)
  changes_left(count)
  local shown = screen()
  vim.cmd("redraw!")
  t.equal(shown, screen(), "the screen, beside all of it drawn anew")
end
vim.cmd("Bodkin ask Use math")
t.proposal()
require("bodkin.window").close()
changes_left(3)
t.keys("gg]hdp")
changes_left(2)
t.keys("do")
is_whole(1)
vim.cmd("Bodkin discard")
is_whole(0)
