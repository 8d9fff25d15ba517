#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#define KEPT __attribute__((noinline, used))

struct point { double x, y, z; };
struct particle { int id; point at; long steps; };
union either { int i; double d; };
enum colour { red, green };
typedef int cell_index;
typedef cell_index node;
struct link { const node from[2]; size_t weight; };
namespace deep { long global; }
int global;
static double shadow[4];
template <class T> struct field {
    std::vector<T> cells;
    T *begin;
    T *data() { return begin; }
    KEPT void send();
};
template <class T> void take(T) {}
template <class T> void field<T>::send() { take(cells.data()); take(&cells[0]); take(begin); take(cells.front()); }
void *anything;

KEPT void locals(float *by_pointer, void *any, size_t &reference, const std::vector<int> &v)
{
    int n = 1, grid[3][4];
    double sum = 0, *heap = 0, **rows = 0;
    char text[8];
    bool flag = false;
    colour c = red;
    std::complex<double> z;
    std::array<short, 4> fixed;
    std::vector<particle> list;
    std::unique_ptr<long[]> own;
    std::unique_ptr<field<float>> held;
    particle p, *pp = &p;
    either e;
    long shadow = 0;
    static long kept[5];
    node nodes[3] = {0};
    link edge = {{1, 2}, 3};
    std::vector<node> owners;
    take(n), take(grid), take(sum), take(heap), take(rows), take(text), take(flag), take(c), take(z), take(fixed.data()), take(list.data());
    take(own.get()), take(held->data()), take(p), take(pp), take(e), take(shadow), take(kept), take(by_pointer), take(any), take(reference), take(v.data());
    take(&v[0]), take(nodes), take(edge), take(owners.data());
    { int twice; take(&twice); }
    { float twice; take(&twice); }
}

int main()
{
    size_t s = 0;
    std::vector<int> v(1);
    locals(nullptr, nullptr, s, v);
    field<double> f;
    f.cells.resize(1);
    f.send();
    return (int)(global + deep::global + shadow[0]);
}
