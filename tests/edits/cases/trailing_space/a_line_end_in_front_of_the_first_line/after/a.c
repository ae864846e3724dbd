eins();
two();
