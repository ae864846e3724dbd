const brew = require("brew");

describe("brew", () => {
  it("rinses the pot", () => {
    expect(brew(3)).toBe(1);
  });
  it("heats water", () => {
    expect(brew(1)).toBe(1);
  });

  it("pours tea", () => {
    expect(brew(2)).toBe(1);
  });
});
