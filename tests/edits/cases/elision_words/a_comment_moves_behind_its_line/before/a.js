function f() {
  call();
  // The rest.
  done();
}
