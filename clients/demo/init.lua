-- The demo's Neovim: this plugin, clangd, and the model of the command line. Also an example of a small
-- configuration. From the environment: BODKIN (the server), DEMO_SETTINGS (JSON, the tree of |bodkin-settings|).
local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
-- Before a plugin that is installed.
vim.opt.runtimepath:prepend(vim.env.DEMO_PLUGIN or vim.fn.fnamemodify(here, ":h") .. "/nvim")
vim.cmd("runtime plugin/bodkin.lua")
vim.opt.swapfile = false
vim.opt.number = true
vim.opt.signcolumn = "yes"
vim.opt.termguicolors = vim.env.COLORTERM == "truecolor"
vim.opt.statusline = " %f%m%=%{luaeval('require(\"bodkin\").statusline()')} "

-- clangd, without a plugin.
vim.api.nvim_create_autocmd("FileType", {
  pattern = { "c", "cpp" },
  callback = function(event)
    local config = {
      name = "clangd",
      cmd = { "clangd", "--log=error" },
      root_dir = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(event.buf), ":p:h"),
      on_exit = vim.schedule_wrap(function()
        vim.g.demo_ended = "clangd"
      end),
    }
    if vim.lsp.start then
      vim.lsp.start(config, { bufnr = event.buf })
    else
      vim.g.demo_clangd = vim.g.demo_clangd or vim.lsp.start_client(config)
      vim.lsp.buf_attach_client(event.buf, vim.g.demo_clangd)
    end
  end,
})

local bodkin = { vim.env.BODKIN or "bodkin" }
if vim.env.DEMO_CONFIG then -- a real model, of your own settings
  bodkin = { "env", "XDG_CONFIG_HOME=" .. vim.env.DEMO_CONFIG, bodkin[1] }
end
require("bodkin").setup({
  cmd = bodkin,
  settings = vim.fn.json_decode(vim.env.DEMO_SETTINGS or "{}"),
})

-- Suggestions; the plugin itself maps nothing.
vim.g.mapleader = " "
vim.keymap.set({ "n", "x" }, "<Leader>a", ":Bodkin ask<CR>", { desc = "Ask bodkin" })
vim.keymap.set({ "n", "x" }, "<Leader>f", ":Bodkin fix<CR>", { desc = "Fix the problem here" })
vim.keymap.set("n", "<Leader>d", "<Cmd>Bodkin diff<CR>", { desc = "Show the proposal" })
vim.keymap.set("n", "<Leader>y", "<Cmd>Bodkin apply<CR>", { desc = "Take the proposal" })
vim.keymap.set("n", "<Leader>n", "<Cmd>Bodkin discard<CR>", { desc = "Discard the proposal" })
