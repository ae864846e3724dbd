export const alpha = async (a) => {
  const beta = 1;
  run(beta);
};

export const beta = async (a) => {
  walk(a);
};
