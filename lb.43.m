unknot: ./ring.m: no such program; hint: check the path
