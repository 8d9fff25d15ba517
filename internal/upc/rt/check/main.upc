/*
 * The main of a checked program, around the one that the user wrote.
 */
#include "inner.h"

extern int upck_user_main();

int main(int argc, char **argv, char **envp)
{
    upck_start();
    int status = upck_user_main(argc, argv, envp);
    upck_end();
    return upck_status(status);
}
