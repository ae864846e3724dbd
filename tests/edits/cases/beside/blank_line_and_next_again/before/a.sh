one

# Build it
make
