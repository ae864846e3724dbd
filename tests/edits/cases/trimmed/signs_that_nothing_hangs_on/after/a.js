  run(() => {
    eins();
    two();
  });
  three();
