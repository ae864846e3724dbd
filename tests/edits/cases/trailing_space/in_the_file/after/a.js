one();  
zwei();
three();
