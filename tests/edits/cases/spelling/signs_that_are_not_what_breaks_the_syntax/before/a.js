function f(a) {
  open(a);
  let items = read(a);
  items.push(a);
  items.sort();
  close(a);
}
