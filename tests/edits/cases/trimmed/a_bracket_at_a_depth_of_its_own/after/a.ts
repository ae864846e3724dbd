  const all = {
    one: {
      two: 2,
    },
    three: 3,
  } as const;
