function total(rows) {
  let sum = 0;
  for (const row of rows) sum += row;
  log(sum);
  return sum;
}
