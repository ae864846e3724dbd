class B {
  sync() {
    store.get("a");
    store.drop("b");
    store.get("c");
    store.get("d");
    log("done");
  }
}
