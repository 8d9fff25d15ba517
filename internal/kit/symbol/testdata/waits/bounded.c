volatile int full;
int main(void)
{
    int i;
    for (i = 0; i < 1000000 && !full; i++)
        ;
    return i;
}
