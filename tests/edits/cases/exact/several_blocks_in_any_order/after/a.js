eins();
two();
drei();
