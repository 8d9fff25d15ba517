/*
 * Sizes as the environment gives them: a number of bytes, or one with K, M, G or T behind it. Knows nothing else.
 */
#include <errno.h>
#include <stdlib.h>

#include "rt.h"

unsigned long upcr_parse_size(const char *text)
{
    char *end;
    errno = 0;
    double number = strtod(text, &end);
    if (errno || end == text || !(number > 0))
        return 0;
    switch (*end) {
    case 'T':
    case 't':
        number *= 1024; /* fall through */
    case 'G':
    case 'g':
        number *= 1024; /* fall through */
    case 'M':
    case 'm':
        number *= 1024; /* fall through */
    case 'K':
    case 'k':
        number *= 1024;
        end++;
    }
    if (*end == 'B' || *end == 'b')
        end++;
    if (*end || number > 0x1p60)
        return 0;
    return (unsigned long)number;
}
