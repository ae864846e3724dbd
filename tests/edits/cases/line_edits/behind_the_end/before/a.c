one();
two();
three();
two();
four();
