int total;

// The sum of all.
int sum(int a, int b)
{
    total += a;
    // and the other
    total += b;
    return total;
}
