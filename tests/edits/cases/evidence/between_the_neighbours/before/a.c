one();
same();
two();
same();
three();
same();
