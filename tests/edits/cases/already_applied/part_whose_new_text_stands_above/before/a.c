call(a, b);
call(a);
