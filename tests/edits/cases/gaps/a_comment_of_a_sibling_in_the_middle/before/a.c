void first(void) {
  open(door);
  // the front one
  start(12);
  close(door);
}
void second(void) {
  open(door);
  start(12);
  close(door);
}
