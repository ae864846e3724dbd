if (a > b) {
  begin();
  count++;
  done();
}
