call(a);
call(a, b);
