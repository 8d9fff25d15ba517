/*
 * Values of single-valued arguments, in a form that can be compared between threads and told.
 */
#include <string.h>

#include "inner.h"

struct upck_value upck_int(int arg, long long value)
{
	struct upck_value v = {.arg = arg, .kind = UPCK_INT, .bits = {(unsigned long long)value}};
	return v;
}

struct upck_value upck_unsigned(int arg, unsigned long long value)
{
	struct upck_value v = {.arg = arg, .kind = UPCK_UNSIGNED, .bits = {value}};
	return v;
}

struct upck_value upck_shared(int arg, shared const void *value)
{
	shared void *p = (shared void *)value;
	struct upck_value v = {.arg = arg, .kind = UPCK_SHARED, .bits = {upc_threadof(p), upc_phaseof(p), upc_addrfield(p)}};
	return v;
}

/* The hash, and the first characters for the words. */
struct upck_value upck_text(int arg, const char *value)
{
	struct upck_value v = {.arg = arg, .kind = UPCK_TEXT};
	unsigned long hash = 1;
	for (const char *p = value; p && *p; p++)
		hash = upck_mix(hash, (unsigned char)*p);
	v.bits[0] = hash;
	if (value)
		strncpy((char *)&v.bits[1], value, 15);
	return v;
}

struct upck_value upck_double(int arg, double value)
{
	struct upck_value v = {.arg = arg, .kind = UPCK_DOUBLE};
	memcpy(v.bits, &value, sizeof value);
	return v;
}
