one();
two();  
three();
four();
