const a = [
  {
    id: 1,
    n: "x",
  },
];

const b = [
  {
    id: 1,
  },
];
