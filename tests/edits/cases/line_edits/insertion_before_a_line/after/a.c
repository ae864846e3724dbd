one();
two();
new();
three();
two();
four();
