typedef double real;

struct point {
    real x, y;
};

struct body {
    int id;
    char kind[3];
    const real mass;
    struct point at, path[4];
    struct {
        float r, g;
    };
    union {
        int i;
        float f;
    } any;
    unsigned flag : 3;
};

struct one {
    int a, b;
};
struct other {
    int c, d;
};
struct twin {
    long a;
    int b[4];
};

struct owner {
    double first;
    void *next;
    int label, spare[5];
};
struct keeper {
    long first, kept, third;
    double rest[2];
};

int main(void)
{
    struct body b = {0};
    struct one o = {0};
    struct other p = {0};
    struct twin t = {0};
    struct {
        long a;
        int b[4];
    } u = {0};
    struct owner w = {0};
    struct keeper k = {0};
    return w.label + (int)k.kept + b.id + o.a + p.c + (int)t.a + (int)u.a;
}
