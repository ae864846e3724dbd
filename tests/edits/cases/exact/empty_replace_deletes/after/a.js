one();
three();
