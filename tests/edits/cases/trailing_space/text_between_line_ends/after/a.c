one();
two();  
drei();
four();
