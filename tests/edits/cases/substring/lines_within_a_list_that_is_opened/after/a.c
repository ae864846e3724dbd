x = foo(
    a, b);
