-- on Windows the program is bodkin.exe, "\" is "/", and neither a drive's case nor a name's counts
local t = ...
local has = vim.fn.has
vim.fn.has = function(feature)
  return feature == "win32" and 1 or has(feature)
end
local paths, config, files = require("bodkin.paths"), require("bodkin.config"), require("bodkin.files")

for _, case in ipairs({
  { "C:\\a\\b\\c.lua", "c:/a", "b/c.lua" },
  { "c:/a/B/c.lua", "C:\\A\\", "B/c.lua" },
  { "C:\\a", "c:\\a\\", "" },
  { "C:\\ab\\c.lua", "C:\\a", nil },
  { "D:\\a\\c.lua", "C:\\a", nil },
  { "C:\\a\\c.lua", "C:\\", "a/c.lua" },
  { "\\\\server\\share\\a\\c.lua", "//server/share/a", "c.lua" },
}) do
  t.equal(paths.below(case[1], case[2]), case[3], case[1] .. " below " .. case[2])
end
for path, is_whole in pairs({ ["C:\\a"] = true, ["c:/a"] = true, ["\\\\s\\x\\a"] = true, ["a\\b"] = false, ["c:a"] = false }) do
  t.equal(paths.is_absolute(path), is_whole, path .. " is absolute")
end
t.equal({ paths.is_root("C:\\"), paths.is_root("c:/"), paths.is_root("C:\\a") }, { true, true, false }, "the roots")
t.equal(paths.as_swap_name("C:\\a\\b.c"), "C%%a%b.c", "a swap file's name")

-- VS Code's, the server's and Neovim's ways to write a file's URI are one.
local to_name = vim.uri_to_fname
vim.uri_to_fname = function(uri) -- as on Windows
  return (vim.uri_decode(uri):gsub("^file:/+", ""):gsub("/", "\\"))
end
vim.uri_decode = vim.uri_decode or function(uri)
  return (uri:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end))
end
t.equal(files.uri("file:///c%3A/a/b.c"), files.uri("file:///C:/a/b.c"), "the URI")
vim.uri_to_fname = to_name

local buffer = vim.api.nvim_create_buf(true, false)
vim.api.nvim_buf_set_name(buffer, t.path("Src/A.c"))
t.equal(paths.buffer_of(t.path("src/a.C"):gsub("/", "\\")), buffer, "the buffer of a file, named otherwise")
t.equal(paths.buffer_of(t.path("src/b.c")), -1, "the buffer of another file")

-- The program, in the folders of PATH; none that lies in the folder that is opened, however that is written.
local programs = {}
local function program(path)
  vim.fn.mkdir(vim.fn.fnamemodify(path, ":h"), "p")
  assert((vim.uv or vim.loop).fs_copyfile("/bin/true", path))
  table.insert(programs, path)
end
vim.fn.executable = function(name)
  return vim.tbl_contains(programs, name) and 1 or 0
end
local absolute = paths.is_absolute
paths.is_absolute = function(path) -- this machine has no drives
  return absolute(path) or vim.startswith(path, "/")
end
vim.env.HOME = t.path("home")
config.set({})
vim.env.PATH = ""
local command, missing = config.command(t.path("opened"))
t.equal(command, nil, "the program, before there is one")
t.contains(missing, "zip", "what is said then")
program(t.path("home/.vscode/extensions/bodkin.bodkin-1.0.0-win32-x64/server/bodkin.exe"))
t.equal(config.command(t.path("opened"))[1], programs[1], "the program of VS Code's extension")
program(t.path("opened/bin/bodkin.exe"))
program(t.path("tools/bodkin.exe"))
vim.env.PATH = ".;" .. t.path("opened/bin") .. ";" .. t.path("tools") .. "/"
t.equal(config.command(t.path("opened"))[1], programs[3], "the program on PATH")
