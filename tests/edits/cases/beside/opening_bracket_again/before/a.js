class Fleet {
  size = 1;
}
