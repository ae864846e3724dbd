-- :checkhealth while the server is still starting says nothing false of it
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ "Nothing to do." })
vim.cmd("edit " .. t.path("a.py"))
local client = require("bodkin.client").all()[1]
t.equal(client ~= nil and not client.initialized, true, "whether the server is starting")
vim.cmd("checkhealth bodkin")
local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
t.contains(report, "server running in", "the health report")
if report:find("ERROR") then
  t.fail(report)
end
