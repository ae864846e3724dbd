f(x) 
g(y)
f(x) 
