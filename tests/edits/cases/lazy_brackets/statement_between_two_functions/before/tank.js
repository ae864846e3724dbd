function fill() {
  const a = 'old';
  show(a);
}

// at each press
pump('up').on('press', fill);

function stop(m) {
  halt(m);
}

function start() {
  run();
}
