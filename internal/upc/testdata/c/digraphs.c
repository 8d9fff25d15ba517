%:include <stdio.h>
%:define NAME(x) %:x
int main(void) <%
	int a<:3:> = <% 1, 2, 3 %>;
	printf("%s %d %d\n", NAME(digraph), a<:1:>, a[2] %3);
	return 0;
%>
