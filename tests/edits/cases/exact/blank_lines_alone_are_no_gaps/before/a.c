one();

two();
