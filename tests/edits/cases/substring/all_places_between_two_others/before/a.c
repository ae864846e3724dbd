one();
use(a);
two();
three();
use(a);
