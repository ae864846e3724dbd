start_it();
read(first);
close_it();

again();
start_it();
read(second);
close_it();
