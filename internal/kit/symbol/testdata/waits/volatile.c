volatile int turn;
int main(int argc, char **argv)
{
    (void)argv;
    while (turn != argc)
        ;
    return 0;
}
