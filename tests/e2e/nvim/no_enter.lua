-- two messages at once need no <Enter>, also after a menu: on a real screen of 80 columns
local t = ...
local child = vim.fn.jobstart({ vim.env.EDITOR_UNDER_TEST, "--embed", "-u", "NONE", "-i", "NONE", "-n" }, { rpc = true })
t.equal(child > 0, true, "another Neovim")
local function there(code, ...)
  return vim.fn.rpcrequest(child, "nvim_exec_lua", code, { ... })
end
local function mode()
  return vim.fn.rpcrequest(child, "nvim_get_mode").mode
end
vim.fn.rpcrequest(child, "nvim_ui_attach", 80, 24, vim.empty_dict())
there("vim.opt.runtimepath:append(...)", vim.env.TOP .. "/clients/nvim")
there([[
  _G.both = function()
    local client = require("bodkin.client")
    client.notify("the first of two messages")
    client.warn("the second, which is said at once")
  end
]])

-- What is sent after it is not answered as long as <Enter> is waited for.
local function is_not_asked(what)
  vim.g.is_done = 0
  vim.fn.rpcnotify(child, "nvim_exec_lua", "vim.schedule(function() vim.rpcnotify(1, 'nvim_set_var', 'is_done', 1) end)", {})
  t.wait("the other Neovim", function()
    return vim.g.is_done == 1 or mode() == "r"
  end)
  t.equal(mode(), "n", "the mode after " .. what .. ", which is r at a question for <Enter>")
end
vim.fn.rpcnotify(child, "nvim_exec_lua", "vim.schedule(both)", {})
is_not_asked("two messages")
vim.fn.rpcnotify(child, "nvim_exec_lua", [[
  vim.schedule(function()
    require("bodkin.ui").select({ "one", "two" }, { prompt = "Which?" }, both)
  end)
]], {})
t.wait("the menu", function()
  return mode() ~= "n"
end)
vim.fn.rpcrequest(child, "nvim_input", "1\r")
t.wait("the end of the menu", function()
  return mode() == "n" or mode() == "r"
end)
is_not_asked("a menu")
vim.fn.jobstop(child)
