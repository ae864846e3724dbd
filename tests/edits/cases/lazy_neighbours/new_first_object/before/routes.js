const routes = [
  {
    path: "/tea",
    on: brew,
  },
  {
    path: "/milk",
    on: pour,
  },
];
