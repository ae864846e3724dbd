int total;

// The sum of all.
int sum(int a, int b)
{
    total += a + bias;
    // and the other
    total += b;
    return a + b;
}
