one();
zwei();
