echo start
n=2
make all
