# Other functions
a = 2
