one();  
two();	
three();
