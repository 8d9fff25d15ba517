#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>
struct shape { virtual ~shape() {} virtual double area() const = 0; };
struct square : shape { double side = 1; double area() const override { return side * side; } };
int main(int argc, char **argv)
{
    std::vector<std::shared_ptr<shape>> all;
    std::map<std::string, int> words;
    for (int i = 0; i < argc; i++) {
        all.push_back(std::make_shared<square>());
        words[argv[i]]++;
    }
    std::sort(all.begin(), all.end(), [](auto &a, auto &b) { return a->area() < b->area(); });
    std::weak_ptr<shape> one = all[0];
    all.clear();
    printf("%zu %d\n", words.size(), one.expired());
    return 0;
}
