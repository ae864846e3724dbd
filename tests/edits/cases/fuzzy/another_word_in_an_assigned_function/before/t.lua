T["keeps the order"] = function()
  local list = { 1, 2 }
  local text = "first"
  check(list)
  print(text)
end
