function f(a) {
  open(a);
  let items = {% items %};
  close(a);
}
