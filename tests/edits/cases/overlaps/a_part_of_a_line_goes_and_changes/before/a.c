call(a, b, c);
rest(a);
