static int
open_file(void)
{
  lock();
  return 1;
}
