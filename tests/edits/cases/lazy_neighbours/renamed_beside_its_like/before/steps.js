const heat = () => {
  first();
  set("");
};

const pour = () => {
  second();
  set("");
};

run(heat, pour);
