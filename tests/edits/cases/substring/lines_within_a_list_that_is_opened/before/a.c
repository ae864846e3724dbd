x = foo(b);
