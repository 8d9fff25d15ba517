/*
 * This file is linked only into programs that call pthread_create. Before the first thread runs, accesses to shared
 * memory are to be recorded one at a time (races.c).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>

#include "rt.h"

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*start)(void *),
                   void *restrict argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    upcr_record_several();
    return create(thread, attributes, start, argument);
}
