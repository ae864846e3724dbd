-- :checkhealth bodkin
local M = {}

local new = vim.health or {}
local old = (new.start or new.report_start) and {} or require("health")
local start = new.start or new.report_start or old.report_start
local ok = new.ok or new.report_ok or old.report_ok
local warn = new.warn or new.report_warn or old.report_warn
local bad = new.error or new.report_error or old.report_error

function M.check()
  start("bodkin")
  if vim.fn.has("nvim-0.7.2") == 1 then
    ok("Neovim is new enough (0.7.2 or later)")
  else
    bad("Neovim 0.7.2 or later is required")
  end

  local command, missing = require("bodkin.config").command()
  if command then
    local answer = vim.fn.systemlist({ command[1], "--version" })
    if vim.v.shell_error == 0 then
      ok(("%s (%s)"):format(answer[1] or "?", vim.fn.exepath(command[1])))
    else
      bad(("%s does not run: %s"):format(command[1], table.concat(answer, " ")))
    end
  else
    bad(missing)
  end

  local client_of = require("bodkin.client")
  local clients = client_of.all()
  if #clients == 0 then
    warn("no server is running; it starts with the first file that has a filetype, or with a :Bodkin command")
  end
  for _, client in ipairs(clients) do
    local model = nil
    client_of.request(client, require("bodkin.extensions").status, vim.empty_dict(), function(result)
      model = result
    end, nil, function(message)
      model = { failed = message }
    end)
    vim.wait(2000, function()
      return model ~= nil
    end, 10)
    -- Of a server that is still starting, the encoding and the methods are known only now.
    ok(("server running in %s (position encoding %s)"):format(client.config.root_dir or "no folder", client.offset_encoding or "utf-16"))
    if client.initialized and not ((client.server_capabilities or {}).experimental or {}).bodkin then
      bad("the server does not support bodkin's methods; is cmd the right program?")
    end
    if not model or model.failed then
      bad("the server does not respond" .. (model and ": " .. model.failed or ""))
    else
      ok(model.trusted and "the folder is trusted"
        or "the folder is not trusted: programs that its files could influence are not run (:help bodkin-trust)")
      if (model.model or "") == "" or (model.model == "auto" and (model.host or "") == "") then
        warn("no model: :Bodkin model chooses one; or set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or "
          .. "OPENROUTER_API_KEY, start Ollama, or "
          .. "set settings.model in setup{}. :Bodkin prompt and :Bodkin reply work without one")
      else
        ok(("model: %s; your code is sent to %s"):format(model.model, (model.host or "") ~= "" and model.host or "no other machine"))
        if (model.nextEdits or "") ~= "" then
          ok(("next edits: %s; the code around the cursor is sent there"):format(model.nextEdits))
        end
      end
    end
  end

  for _, client in ipairs(clients) do
    local text = nil
    client_of.request(client, "workspace/executeCommand", { command = "bodkin.check", arguments = { { name = "checks" } } },
      function(result)
        text = result.text or ""
      end, nil, function(message)
        text = "missing " .. message
      end)
    vim.wait(2000, function()
      return text ~= nil
    end, 10)
    -- "checks     Python: pyright.", "missing    rg, to search:" and below it, with blanks in front, the command for it. What
    -- is not installed has both: the second says more.
    for line in (text or ""):gsub("\n%s+", " "):gmatch("[^\n]+") do
      local is_fine = vim.startswith(line, "checks")
      local words = client_of.plain(vim.trim((line:gsub("^checks%s+", "edits are checked: "):gsub("^missing%s+", "missing: "))))
      if words ~= "missing: Nothing." and not (is_fine and line:find("which is not installed", 1, true)) then
        (is_fine and ok or warn)(words)
      end
    end
  end

  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local taken = vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].buftype == "" and require("bodkin.keys").taken(buffer) or {}
    for _, each in ipairs(taken) do
      warn(("%s is mapped by something else in %s; %s"):format(each[1], vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":~:."),
        each[2] and each[2] .. " is used instead (keys in setup{} chooses others)" or "keys in setup{} chooses another key"))
    end
  end

  local others = {}
  for _, client in ipairs(vim.lsp.get_clients and vim.lsp.get_clients() or vim.lsp.get_active_clients()) do
    if client.name ~= "bodkin" then
      table.insert(others, client.name)
    end
  end
  if #others > 0 then
    ok("bodkin receives the diagnostics of: " .. table.concat(others, ", "))
  else
    ok("no other language server is running: edits are checked by servers that bodkin starts itself, if there is one for the "
      .. "language")
  end
end

return M
