/* Prints "label address" for the place that calls it, and lets the caller stay a caller (no tail call). */
#ifdef __cplusplus
extern "C"
#endif
void site(const char *label);
#define SITE(label) do { site(label); __asm__ volatile(""); } while (0)
