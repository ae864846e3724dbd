def total(rows)
  sum = 0
  rows.each { |row| sum += row }
  log(sum)
  sum
end
