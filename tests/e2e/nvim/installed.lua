-- as a package of Neovim's own it is there without setup, with its help
local t = ...
local pack = t.path("site/pack/bodkin/opt")
vim.fn.mkdir(pack, "p")
assert((vim.uv or vim.loop).fs_symlink(vim.env.TOP .. "/clients/nvim", pack .. "/bodkin"))
vim.opt.runtimepath:remove(vim.env.TOP .. "/clients/nvim")
vim.opt.packpath = t.path("site")
vim.g.loaded_bodkin = nil
pcall(vim.api.nvim_del_user_command, "Bodkin")
vim.cmd("packadd bodkin")
t.equal(vim.fn.exists(":Bodkin"), 2, "the command")
vim.cmd("help :Bodkin-ask")
t.equal(vim.fn.expand("%:t"), "bodkin.txt", "the help, without :helptags")
-- As :helptags would make it now.
vim.fn.mkdir(t.path("copy/doc"), "p")
vim.fn.writefile(vim.fn.readfile(vim.env.TOP .. "/clients/nvim/doc/bodkin.txt"), t.path("copy/doc/bodkin.txt"))
vim.cmd("helptags " .. t.path("copy/doc"))
t.equal(t.read("copy/doc/tags"), table.concat(vim.fn.readfile(vim.env.TOP .. "/clients/nvim/doc/tags"), "\n") .. "\n",
  "doc/tags; run :helptags clients/nvim/doc")
