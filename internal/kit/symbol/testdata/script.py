"""Calls the function that it is asked for. At its place it writes its call stack, as Python sees it, and stays there."""
import sys
import threading
import traceback
from functools import reduce


def stack():
    return " ".join(f"{f.name}:{f.lineno}" for f in reversed(traceback.extract_stack()[:-1]))


def wait(n=0):
    print(stack(), flush=True), sys.stdin.read()  # MARK wait
    return n


def several(
    a,
    b,
):
    return reduce(
        max,
        [
            a,
            wait(  # MARK call
                a
                + b
            ),
        ],
    )


class Räume:
    @property
    def größe(self):
        return several(  # MARK property
            1,
            2,
        )


def members():
    return Räume().größe  # MARK member


def numbers():
    yield 1
    for i in range(3):
        yield wait(i)


def summed():
    return sum(
        x
        for x in numbers()
        if x > 0
    )


def listed():
    return {
        i: [
            wait(i)
            for _ in range(2)
        ]
        for i in range(2)
    }


def recurse(n):
    if n > 0:
        return recurse(n - 1)
    return wait()


def deep():
    recurse(200)


def raises():
    with open(__file__):
        try:
            raise ValueError
        except ValueError:
            wait()


class Key:
    def __lt__(self, other):
        return wait()


def called_by_c():
    sorted([Key(),
            Key()],
           reverse=True)


def dynamic():
    exec(compile("def added():\n\n wait()\nadded()", "added.py", "exec"))


def far():
    # A table of lines has more than a byte for this distance.



















































































    wait()


def thread():
    t = threading.Thread(target=far)
    t.start()
    t.join()


def spin():
    n = print("there", flush=True) or 0  # MARK begin
    while True:  # MARK while
        n += 1  # MARK add


def calls():
    print("there", flush=True)  # MARK begin
    while True:  # MARK while
        reduce(lambda a, b: a + step(b), range(20))  # MARK reduce


def generates():
    print("there", flush=True)  # MARK begin
    while True:  # MARK while
        sum(inner())  # MARK sum


def inner():  # MARK inner
    for i in range(9):  # MARK for
        yield step(i)  # MARK yield


def step(n):  # MARK step
    if n > 10:  # MARK deep
        return step(n - 1)  # MARK deeper
    return n + 1  # MARK one


globals()[sys.argv[1]]()  # MARK module
