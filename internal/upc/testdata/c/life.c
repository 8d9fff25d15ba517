#include <stdio.h>
#include <string.h>
#define W 10
#define H 6
static char g[H][W + 1] = { "..........", "..#.......", "...#......", ".###......", "..........", ".........." };
int main(void) {
	for (int t = 0; t < 4; t++) {
		char n[H][W + 1];
		memcpy(n, g, sizeof g);
		for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) {
			int c = 0;
			for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) if (dx || dy) c += g[(y + dy + H) % H][(x + dx + W) % W] == '#';
			n[y][x] = "..?#....."[c] == '?' ? g[y][x] : "..?#....."[c];
		}
		memcpy(g, n, sizeof g);
	}
	for (int y = 0; y < H; y++) puts(g[y]);
	return 0;
}
