for (let j = 0; ;) {
  step();
  check();
  done();
}
