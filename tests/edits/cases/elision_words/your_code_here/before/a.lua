local function total(rows)
  local sum = 0
  for _, row in ipairs(rows) do sum = sum + row end
  report(sum)
  return sum
end
