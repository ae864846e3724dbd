one();
two();
three();
more();
two();
four();
