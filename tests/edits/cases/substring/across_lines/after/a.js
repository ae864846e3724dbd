call(b,
     a);
