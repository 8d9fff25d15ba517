shared int total;

/* It belongs to the loop that calls it. */
static int own(const int *p, long at)
{
    return p[at];
}

/* So does what it calls. */
int twice(const int *p, long at)
{
    return own(p, at) + own(p, at);
}

/* It names itself. */
static int named(const int *p)
{
    return p[0] + (__func__[0] == 'n');
}

/* It has a loop, which is a region in its plain form, too. */
static void clear(int *p, long n)
{
    for (long i = 0; i < n; i++)
        p[i] = 0;
}

/* Its loop is a short one. */
static void add(int *p, const int *q)
{
    for (int m = 0; m < 5; m++)
        p[m] += q[m];
}

int sum(int *p, long n)
{
    int s = own(p, 0);
    int (*choice)(const int *, long) = own;
    for (long i = 0; i < n; i++)
        s += twice(p, i) + named(p) + (choice == own);
    do
        s += own(p, --n);
    while (n > 0);
    for (long i = 5; i < n; i++)
        add(p, p + i);
    for (long i = 0; i < n; i += 5)
        clear(p + i, 5);
    total = s;
    return s;
}

/* One iteration more than a short loop may have. */
void through(int *p)
{
    for (int m = 0; m <= 16; m++)
        p[m] = 0;
}
