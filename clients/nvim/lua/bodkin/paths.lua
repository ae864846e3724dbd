-- Paths, as this system writes them. On Windows "\" is "/", a drive is a letter, and the case of a name does not count.
local M = {}

local loop = vim.uv or vim.loop

function M.is_windows()
  return vim.fn.has("win32") == 1
end

--- With "/" between its parts and, on Windows, an upper-case drive.
function M.slashed(path)
  if not M.is_windows() then
    return path
  end
  return (path:gsub("\\", "/"):gsub("^%l:", string.upper))
end

local function key(path)
  path = M.slashed(path)
  path = #path > 1 and not path:find("^%a:/$") and path:gsub("/+$", "") or path
  return M.is_windows() and vim.fn.tolower(path) or path
end

function M.are_same(one, other)
  return key(one) == key(other)
end

--- What follows the folder in the path, with "/"; "" for the folder itself, nil for a path outside of it.
function M.below(path, folder)
  local whole, top = key(path), key(folder)
  if whole == top then
    return ""
  end
  top = vim.endswith(top, "/") and top or top .. "/"
  return vim.startswith(whole, top) and M.slashed(path):sub(#top + 1) or nil
end

--- Whether it means the same file in every folder.
function M.is_absolute(path)
  path = M.slashed(path)
  return vim.startswith(path, M.is_windows() and "//" or "/") or (M.is_windows() and path:find("^%a:/") ~= nil)
end

--- Whether it names a folder, too, and not only a program that is looked for.
function M.has_folder(path)
  return M.slashed(path):find("/", 1, true) ~= nil
end

--- The folder that no folder is above: "/", "C:\".
function M.is_root(path)
  return key(path) == "/" or (M.is_windows() and key(path):find("^%a:/?$") ~= nil)
end

--- The folders of PATH.
function M.search_path()
  return vim.split(vim.env.PATH or "", M.is_windows() and ";" or ":", { plain = true })
end

--- The file name of bodkin's program.
function M.program_file(name)
  return M.is_windows() and not name:lower():find("%.%a+$") and name .. ".exe" or name
end

function M.home()
  return loop.os_homedir() or "/"
end

--- The buffer of a file, or -1. Names in patterns are something else on Windows, where "\" is no escape.
function M.buffer_of(path)
  if not M.is_windows() then
    return vim.fn.bufnr("^" .. vim.fn.escape(path, "\\[]*?{},$^~") .. "$")
  end
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if M.are_same(vim.api.nvim_buf_get_name(buffer), path) then
      return buffer
    end
  end
  return -1
end

--- A path in the name of a swap file, where "%" stands for what is between its parts.
function M.as_swap_name(path)
  return (path:gsub(M.is_windows() and "[/\\:]" or "/", "%%"))
end

return M
