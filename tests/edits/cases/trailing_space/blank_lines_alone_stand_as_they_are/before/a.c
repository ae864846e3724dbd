one();
    
   
two();
