/* NAS EP, "embarrassingly parallel": Gaussian deviates from pairs of random numbers, counted by square annuli. */
#ifndef EP_H
#define EP_H
#include "common.h"
#define EP_BATCH_LOG 16
#define EP_BATCH (1L << EP_BATCH_LOG)
#define EP_SEED 271828183ULL

struct ep_sums { double sx, sy, counts[10]; };

static int ep_log(char class) { return class == 'S' ? 24 : class == 'W' ? 25 : class == 'A' ? 28 : 30; }

static void ep_batch(long k, struct ep_sums *s)
{
	uint64_t x = (EP_SEED * random_power(RANDOM_A, 2 * EP_BATCH * (uint64_t)k)) & RANDOM_MASK;
	for (long i = 0; i < EP_BATCH; i++) {
		double u = 2 * next_random(&x, RANDOM_A) - 1;
		double v = 2 * next_random(&x, RANDOM_A) - 1;
		double t = u * u + v * v;
		if (t <= 1) {
			double f = sqrt(-2 * log(t) / t), gx = u * f, gy = v * f;
			double m = fmax(fabs(gx), fabs(gy));
			s->counts[(int)m]++;
			s->sx += gx;
			s->sy += gy;
		}
	}
}

static int ep_verify(char class, const struct ep_sums *s)
{
	double x = class == 'S' ? -3.247834652034740e3 : class == 'W' ? -2.863319731645753e3
		: class == 'A' ? -4.295875165629892e3 : 4.033815542441498e4;
	double y = class == 'S' ? -6.958407078382297e3 : class == 'W' ? -6.320053679109499e3
		: class == 'A' ? -1.580732573678431e4 : -2.660669192809235e4;
	return close_to(s->sx, x, 1e-8) && close_to(s->sy, y, 1e-8);
}
#endif
