void f(list_t *list) {
  // The newest come first.
  sort(list);
  show(list);
}
