void check() {
  // Of the keys that were not read the size
  // is pretty much unchanged.
  long last = size(key(n));
  expect(last < first);
  done();
}
