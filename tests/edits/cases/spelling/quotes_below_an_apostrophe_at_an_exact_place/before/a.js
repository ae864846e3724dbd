function f(a, b) {
  if (a) {
    say("a");
  }
}
