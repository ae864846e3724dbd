one();
new();
two();
drei();
four();
