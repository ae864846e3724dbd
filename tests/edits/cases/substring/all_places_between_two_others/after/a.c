eins();
use(b);
two();
drei();
use(b);
