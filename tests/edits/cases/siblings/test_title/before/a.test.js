it("adds three values", () => {
  const box = make();
  box.run();
  check(box);
});
