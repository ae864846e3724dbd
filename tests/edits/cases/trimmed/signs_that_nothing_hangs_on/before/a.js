  run(() => {
    one();
    two();
  });
  three();
