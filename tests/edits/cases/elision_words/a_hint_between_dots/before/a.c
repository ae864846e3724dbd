int total(const int *rows, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += rows[i];
  report(sum);
  return sum;
}
