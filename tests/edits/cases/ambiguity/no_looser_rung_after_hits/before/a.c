  two();
  two();
x();
   two();
