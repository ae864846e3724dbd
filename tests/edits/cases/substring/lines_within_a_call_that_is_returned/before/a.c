return foo(b);
