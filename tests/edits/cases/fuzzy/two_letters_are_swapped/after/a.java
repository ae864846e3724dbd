class A {
  void f() {
    parse(header);
    take(contentLength);
    store(contentLength);
    free(header);
  }
}
