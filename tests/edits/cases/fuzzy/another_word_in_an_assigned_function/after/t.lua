T["keeps the order"] = function()
  local list = { 1, 2 }
  local text = "first"
  verify(list)
  print(text)
end
