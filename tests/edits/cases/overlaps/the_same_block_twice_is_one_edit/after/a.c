one();
two();
drei();
two();
four();
