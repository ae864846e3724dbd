one();  
two();
one(); 
