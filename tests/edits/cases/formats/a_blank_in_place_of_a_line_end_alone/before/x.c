call(a,
b);
