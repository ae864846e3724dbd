-- Whether the user trusts a folder, according to setup{trusted = …}; |bodkin-trust|.
local M = {}

local config = require("bodkin.config")

local loop = vim.uv or vim.loop

local function real(path)
  return loop.fs_realpath(vim.fn.fnamemodify(path, ":p"))
end

-- The folder itself or one below it, comparing real paths.
local function is_in(root, folder)
  local inside, top = real(root), real(folder)
  return inside ~= nil and top ~= nil and require("bodkin.paths").below(inside, top) ~= nil
end

-- Neovim's own trust list. It asks the user about a folder that is not on it.
local function is_on_neovims_list(root)
  if vim.fn.has("nvim-0.11.2") == 0 then
    require("bodkin.client").warn('trusted = "secure" needs Neovim 0.11.2 or newer, so no folder is trusted; '
      .. "see :help bodkin-trust for alternatives")
    return false
  end
  return vim.secure.read(root) == true
end

local function answer(root)
  local trusted = config.get().trusted
  if type(trusted) == "function" then
    return trusted(root) == true
  elseif type(trusted) == "table" then
    for _, folder in ipairs(trusted) do
      if is_in(root, folder) then
        return true
      end
    end
    return false
  elseif trusted == "secure" then
    return is_on_neovims_list(root)
  end
  return trusted
end

local answers = {} -- by root: every buffer asks, but the user is asked only once

--- True or false; nil: not set in setup{}, the user's own settings.json decides.
function M.of(root)
  if not root then
    return nil
  end
  answers[root] = answers[root] or { answer(root) }
  return answers[root][1]
end

--- Forgets the cached answers.
function M.forget()
  answers = {}
end

return M
