one();
    
two();
