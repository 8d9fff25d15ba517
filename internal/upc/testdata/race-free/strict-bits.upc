/* threads: 2 */
/* A strict bit-field hands over data, and another one says that they are there no more. */
#include <upc.h>

strict shared struct { unsigned full : 3, empty : 3; } state[2 * THREADS];
shared int data;

int main(void)
{
    int sum = 0;
    for (int k = 1; k < 5; k++) {
        if (MYTHREAD == 0) {
            while (state[1].empty != k - 1)
                ;
            data = k;
            state[0].full = k;
        } else {
            while (state[0].full != k)
                ;
            sum += data;
            state[1].empty = k;
        }
    }
    return MYTHREAD && sum != 10;
}
