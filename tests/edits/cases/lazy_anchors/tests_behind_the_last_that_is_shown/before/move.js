test('walks', () => {
  walk(1);
});

test('runs', () => {
  run(1);
});

test('jumps', () => {
  jump(1);
});
