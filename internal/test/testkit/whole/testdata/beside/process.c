/* Another process says what to do. */
/* WANT: ; rank 0 may hear of other processes by popen \(process.c:10\) */
#include "acts.h"

int main(int argc, char **argv)
{
    char word[16] = "";
    begin(&argc, &argv);
    if (rank == 0) {
        FILE *f = popen("echo odd", "r");
        if (!fgets(word, sizeof word, f))
            return 1;
        pclose(f);
    }
    act(0, word[0] == 'o');
    end();
    return 0;
}
