call(a, b);
call(a, b);
