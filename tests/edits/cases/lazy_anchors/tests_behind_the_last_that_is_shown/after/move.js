test('walks', () => {
  walk(1);
});

test('runs', () => {
  run(1, 'fast');
});

test('jumps', () => {
  jump(1);
});
