function pay(till) {
  if (till.coins) {
    return 1;
  }
  till = open(till);
  if (till.notes) {
    return 2;
  }
  close(till);
}
