-- A file without a project, opened by a link: it is edited alone, and what lies beside it is not read
local t = ...
local place = vim.fn.tempname()
vim.fn.mkdir(place .. "/real", "p")
vim.fn.writefile({ "port = 80", "name = 1" }, place .. "/real/server.conf")
vim.fn.writefile({ "needle" }, place .. "/real/beside.conf")
vim.loop.fs_symlink(place .. "/real", place .. "/link")
t.setup({
  {
    absent = { "needle", "beside.conf" },
    reply = { text = t.block("server.conf", "port = 80\n", "port = 81\n"), stop_reason = "end_turn" },
  },
})
vim.cmd("edit " .. place .. "/link/server.conf")
vim.cmd("1Bodkin ask Another port")
local proposal = t.proposal()
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(vim.api.nvim_buf_get_lines(0, 0, -1, false), { "port = 81", "name = 1" }, "the buffer")
t.equal(require("bodkin.client").of(0).config.root_dir, nil, "the folder")
