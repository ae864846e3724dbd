-- two projects in one Neovim, each with its server: what runs is shown and cancelled, and the proposals are not mixed up
local t = ...
for _, project in ipairs({ "one", "two" }) do
  t.write(project .. "/.git/HEAD", "")
  t.write(project .. "/a.py", "x = 1\n")
end
t.setup({ { reply = { text = ("tick "):rep(2000) .. "end.", stop_reason = "end_turn" }, chunk_bytes = 5, delay_ms = 20 } })
local asks = {}
for _, project in ipairs({ "one", "two" }) do
  t.open(project .. "/a.py")
  vim.cmd("1Bodkin ask In " .. project)
  t.wait("its words", function()
    local _, count = t.log():gsub("\ntick tick", "")
    return count == #asks + 1
  end)
  table.insert(asks, project)
end
vim.api.nvim_set_current_buf(t.buffer("one/a.py"))
vim.cmd("Bodkin cancel")
t.equal(t.end_of_ask(1)["end"], "cancelled", "the ask of this project")
t.wait("its server to be idle", function()
  return require("bodkin.status").get(require("bodkin.client").of(0).id).state == "idle"
end)
t.equal(#t.ended, 1, "the asks that ended")
t.contains(require("bodkin").statusline(), "bodkin: ", "the status line while the other runs")
vim.cmd("enew")
vim.cmd("Bodkin cancel") -- from no project
t.equal(t.end_of_ask(2)["end"], "cancelled", "the ask of the other")

local proposals = {}
vim.fn.writefile({ vim.fn.json_encode({ name = "scenario", turns = { { reply = { text = t.block("a.py", "x = 1\n", "x = 2\n"),
  stop_reason = "end_turn" } } } }) }, vim.env.WORK .. "-replay.json")
for position, project in ipairs({ "one", "two" }) do
  vim.api.nvim_set_current_buf(t.buffer(project .. "/a.py"))
  vim.cmd("1Bodkin new Two")
  proposals[project] = t.proposal(position)
end
t.wait("the changes of both", function()
  return #t.drawn("one/a.py") > 0 and #t.drawn("two/a.py") > 0
end)
vim.api.nvim_set_current_buf(t.buffer("one/a.py"))
vim.cmd("Bodkin accept")
t.state(proposals.one, "applied")
t.equal(proposals.two.state, "ready", "the other's")
vim.api.nvim_set_current_buf(t.buffer("two/a.py"))
vim.cmd("Bodkin accept")
t.state(proposals.two, "applied")
t.equal({ t.text("one/a.py"), t.text("two/a.py") }, { "x = 2\n", "x = 2\n" }, "the files")

-- Both die at once: each says so, and nothing of what hid Neovim's own words stays.
local notify = vim.notify
for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
  if vim.api.nvim_get_proc(pid).name == "bodkin" then
    (vim.uv or vim.loop).kill(pid, 9)
  end
end
t.wait("both to be said", function()
  local _, count = table.concat(t.messages, "\n"):gsub("exited unexpectedly", "")
  return count == 2
end)
t.equal(vim.notify == notify, true, "vim.notify is as before")
t.equal(table.concat(t.messages):find("quit with exit code", 1, true), nil, "Neovim's own message")
