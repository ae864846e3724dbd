one();
two();
two();
four();
