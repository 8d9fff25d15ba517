#include <stdlib.h>
struct node { struct node *next; int key; } *first;
int main(int argc, char **argv)
{
    (void)argv;
    for (struct node *n = first; n; n = n->next)
        if (n->key == argc)
            return 1;
    return 0;
}
