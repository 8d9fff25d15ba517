#include <stdio.h>
int main(void) {
	int i;
	for (i = 0; i < 5; i++);
	while (i-- > 2);
	;;
	{ }
	if (i) ; else ;
	do ; while (0);
	printf("%d\n", i);
	return 0;
};
