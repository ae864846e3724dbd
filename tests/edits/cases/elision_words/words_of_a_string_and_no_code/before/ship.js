const help = `
Packs all that was ordered.
Prints what it weighs.
`;
function ship(order) {
  const box = pack(order);
  weigh(box);
  return box;
}
