void f() {
  lock();
  run();
}
