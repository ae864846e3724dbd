-- without bodkin on PATH its program is found in VS Code's extension, the newest, or beside the plugin in an unpacked
-- tarball; without any, it is said how to get it
local t = ...
local config = require("bodkin.config")
config.set({})
local function program(version)
  local folder = t.path("home/.vscode/extensions/bodkin.bodkin-" .. version .. "-linux-x64/server")
  vim.fn.mkdir(folder, "p")
  assert((vim.uv or vim.loop).fs_copyfile("/bin/true", folder .. "/bodkin"))
  return folder .. "/bodkin"
end
local executable = vim.fn.executable
vim.fn.executable = function(name) -- nothing of this machine counts
  return vim.startswith(name, t.path("home")) and executable(name) or 0
end
vim.env.HOME = t.path("home")
vim.env.PATH = ""
local command, missing = config.command()
t.equal(command, nil, "the program, before there is one")
t.contains(missing, "install its .deb", "what is said then")
local old = program("0.9.0")
vim.fn.system({ "/usr/bin/touch", "-d", "2020-01-01", old })
local new = program("0.10.0")
t.equal(config.command()[1], new, "the program")
local opened = t.path("home/opened")
vim.fn.mkdir(opened .. "/node_modules/.bin", "p")
assert((vim.uv or vim.loop).fs_copyfile("/bin/true", opened .. "/node_modules/.bin/bodkin"))
assert((vim.uv or vim.loop).fs_copyfile("/bin/true", opened .. "/bodkin"))
vim.env.PATH = opened .. "/node_modules/.bin:.::" .. opened
t.equal(config.command(opened)[1], new, "the program, if PATH leads into the folder that is opened")
t.equal(config.command("/elsewhere")[1], opened .. "/node_modules/.bin/bodkin", "the program, in another folder")
vim.env.PATH = ""
config.set({ cmd = { "other" } })
command, missing = config.command()
t.equal(command, nil, "a program that was named")
t.contains(missing, '"other" was not found', "what is said of it")
config.set({})
local unpacked = t.path("home/bodkin-0.1.0-linux-x64")
local plugin = unpacked .. "/share/nvim/site/pack/dist/start/bodkin/lua/bodkin"
vim.fn.mkdir(plugin, "p")
vim.fn.mkdir(unpacked .. "/bin", "p")
local loop = vim.uv or vim.loop
assert(loop.fs_copyfile("/bin/true", unpacked .. "/bin/bodkin"))
assert(loop.fs_copyfile(vim.api.nvim_get_runtime_file("lua/bodkin/config.lua", false)[1], plugin .. "/config.lua"))
t.equal(dofile(plugin .. "/config.lua").command()[1], unpacked .. "/bin/bodkin", "the program of the tarball")
