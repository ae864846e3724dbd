class Till
{
    int Open()
    {
        unlock();
        count();
    }

    int Shut()
    {
        count();
        lock();
    }
}
