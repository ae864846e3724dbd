one();
same();
zwei();
gleich();
drei();
same();
