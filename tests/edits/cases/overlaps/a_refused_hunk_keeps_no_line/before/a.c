one();
two();
three();

four();
