/* PEs: any. Parts of one array that several PEs access at once: the owner every second word, another one the words between, and bytes that share a word. */
#include "../races/cases.h"

static int words[64];
static char bytes[16];

int main(void)
{
    start();
    const int to = (me + 1) % n;
    int mine[32];
    for (int i = 0; i < 32; i++)
        mine[i] = i + 1;
    shmem_int_iput(words, mine, 2, 1, 32, to);
    for (int i = 1; i < 64; i += 2)
        words[i] = -i;
    shmem_char_p(&bytes[3], 'x', to);
    bytes[2] = 'a';
    bytes[4] = (char)(bytes[2] + 1);
    shmem_barrier_all();
    long sum = 0;
    for (int i = 0; i < 64; i++)
        sum += words[i];
    const int wrong = sum != 32 * 33 / 2 - 32 * 32 || bytes[3] != 'x';
    shmem_finalize();
    return wrong;
}
