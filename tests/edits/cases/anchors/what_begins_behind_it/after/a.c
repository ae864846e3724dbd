static int load(struct file *f,
                int flags)
{
  open(f);
}

static int save(struct file *f,
                int flags)
{
  reopen(f);
}
