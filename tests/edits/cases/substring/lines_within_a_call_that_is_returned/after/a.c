return foo(
    a, b);
