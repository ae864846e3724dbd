int f(void)
{
  lock();
  return 1;
}
