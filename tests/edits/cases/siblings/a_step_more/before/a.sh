cd build
echo "step 2"
make
make install
