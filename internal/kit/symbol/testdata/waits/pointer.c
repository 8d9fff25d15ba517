struct box { int content; _Atomic int state; };
static int take(struct box *b)
{
    while (b->state != 2)
        __builtin_ia32_pause();
    return b->content;
}
int (*volatile taker)(struct box *) = take;
int main(void)
{
    static struct box b;
    return taker(&b);
}
