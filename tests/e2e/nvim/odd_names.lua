-- changes are drawn in files of any name, in folders of any name: a file is known by its path and not by how its URI is written
local t = ...
local names = { "größe.py", "日本.py", "app/[id]/page.py", "(group)/a.py", "+page.py", "@types/a.py", "a,b.py", "a&b=c.py", "a b.py",
  "a'b.py", "a!b$.py", "a;b.py", "a#b.py", "a%20b.py", "a~b.py", "a{b}.py" }
t.write("main.py", "m = 1\n")
local patch = "*** Begin Patch\n"
for _, name in ipairs(names) do
  t.write(name, "x = 1\n")
  patch = patch .. "*** Update File: " .. name .. "\n@@\n-x = 1\n+x = 2\n"
end
t.setup({ patch .. "*** End Patch\n" })
t.open("main.py")
vim.cmd("Bodkin ask All")
local proposal = t.proposal()
t.end_of_ask()
local marks = vim.api.nvim_create_namespace("bodkin_review")
local seen = {}
for _ = 1, #names do
  vim.cmd("Bodkin next")
  t.wait("the changes of another file than " .. vim.inspect(seen), function()
    local name = vim.api.nvim_buf_get_name(0)
    return not seen[name] and #vim.api.nvim_buf_get_extmarks(0, marks, 0, -1, {}) > 0
  end)
  seen[vim.api.nvim_buf_get_name(0)] = true
end
for _, name in ipairs(names) do
  t.equal(seen[t.path(name)], true, name)
end
vim.cmd("Bodkin accept all")
t.state(proposal, "applied")
