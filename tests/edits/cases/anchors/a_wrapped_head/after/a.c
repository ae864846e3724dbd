static int load(struct file *f,
                int flags)
{
  reopen(f);
}

static int save(struct file *f,
                int flags)
{
  close(f);
}
