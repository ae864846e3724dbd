-- settings may have their full names, as the manual and settings.json list them: none is passed over in silence
local t = ...
local tree = { model = { provider = "ollama", name = "m" }, verify = { servers = { ["*"] = { command = {} } } } }
for what, settings in pairs({
  tree = tree,
  ["full names"] = { ["bodkin.model.provider"] = "ollama", ["bodkin.model.name"] = "m", ["bodkin.verify.servers"] = tree.verify.servers },
  ["a whole"] = { bodkin = tree },
  ["names without their beginning"] = { ["model.provider"] = "ollama", model = { name = "m" }, verify = tree.verify },
}) do
  require("bodkin").setup({ cmd = { vim.env.BODKIN }, settings = settings })
  t.equal(require("bodkin.config").get().settings, tree, what)
end
local ok, problem = pcall(require("bodkin").setup, { settings = { bodkin = 1 } })
t.equal(ok, false, "it is refused")
t.contains(problem, "settings.bodkin must be a table", "the reason")
