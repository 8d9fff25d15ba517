volatile char flags[64];
int main(int argc, char **argv)
{
    (void)argv;
    do {
    } while (!flags[argc]);
    return 0;
}
