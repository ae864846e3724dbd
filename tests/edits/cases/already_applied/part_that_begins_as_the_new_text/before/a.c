call(a, b);
