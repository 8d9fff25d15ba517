/* A socket between the ranks. */
/* WANT: ; rank \d may hear of other processes by (accept|connect|recv) \(socket.c:\d+\) */
#include "acts.h"
#include <sys/socket.h>
#include <sys/un.h>

int main(int argc, char **argv)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "socket"};
    char word = 0;
    begin(&argc, &argv);
    const int s = socket(AF_UNIX, SOCK_STREAM, 0);
    if (rank == 0 && (bind(s, (void *)&a, sizeof a) != 0 || listen(s, 1) != 0))
        return 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        const int peer = accept(s, NULL, NULL);
        if (recv(peer, &word, 1, 0) != 1)
            return 1;
        unlink("socket");
    } else if (rank == 1 && (connect(s, (void *)&a, sizeof a) != 0 || send(s, "x", 1, 0) != 1)) {
        return 1;
    }
    act(0, word == 'x');
    end();
    return 0;
}
