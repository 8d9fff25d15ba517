/* In the place of the library's function: what is left of a call is the check. */
void upc_all_broadcast(unsigned long dst, unsigned long src, unsigned long bytes, int flags);

void upc_all_broadcast(unsigned long dst, unsigned long src, unsigned long bytes, int flags)
{
	(void)dst;
	(void)src;
	(void)bytes;
	(void)flags;
}
