call(a,
     b);
