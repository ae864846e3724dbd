one();
two();
three();
