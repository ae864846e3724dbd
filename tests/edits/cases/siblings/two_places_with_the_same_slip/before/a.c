open();
authorize(one);
close();
free();

open();
authorize(one);
close();
free();
