function ship(order) {
  const box = pack(order);
  weigh(box);
  label(box, order.address);
  return box;
}
