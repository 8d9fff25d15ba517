struct base {
    double mass;
    static int count;
};
struct derived : base {
    int id;
    base parts[2];
};
int main()
{
    derived d{};
    return d.id;
}
