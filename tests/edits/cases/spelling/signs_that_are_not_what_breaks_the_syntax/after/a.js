function f(a) {
  show("a &amp; b", {% x %});
  let items = read(a);
  items.push(a);
  items.sort();
  close(a);
}
