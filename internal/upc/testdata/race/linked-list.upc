/* threads: 2; manifest: a node is linked in before its value is set */
/* race 1: n->value, of thread 0 */
#include <upc.h>

struct node { int value; int more; };

strict shared [] struct node *strict shared head;

int main(void)
{
    if (MYTHREAD == 0) {
        shared [] struct node *n = upc_alloc(sizeof *n);
#ifdef FIXED
        n->value = 4;
#endif
        head = (strict shared [] struct node *)n;
#ifndef FIXED
        n->value = 4; /* race 1 */
#endif
    } else {
        shared [] struct node *n;
        while (!(n = (shared [] struct node *)head))
            ;
        return n->value > 4; /* race 1 */
    }
    return 0;
}
