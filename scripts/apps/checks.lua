-- Checks of the language and its libraries: each fails loudly.
local n = 0
local function is(have, want) n = n + 1; if have ~= want then error(("check %d: %s, want %s"):format(n, tostring(have), tostring(want)), 2) end end

-- numbers
is(7 // 2, 3); is(-7 // 2, -4); is(7 % -3, -2); is(2 ^ 10, 1024.0); is(1 / 0, math.huge); is(3 | 4, 7); is(~0, -1); is(1 << 62 << 2, 0)
is(math.maxinteger + 1, math.mininteger); is(10 == 10.0, true); is(tostring(1e15), "1e+15"); is(tostring(2^53), "9.007199254741e+15")
is(math.tointeger(3.0), 3); is(string.format("%5.1f|%x|%q", 2.25, 255, 1 / 3), "  2.2|ff|0x1.5555555555555p-2"); is(tonumber("0x1p4"), 16.0); is(tonumber("z", 36), 35)
is(math.floor(-1.5), -2); is(math.type(1), "integer"); is(math.ult(1, -1), true); is(5 // 0.0, math.huge)

-- strings and patterns
is(("hello world"):find("o w"), 5); is(("key = value"):match("^(%w+)%s*=%s*(%w+)$"), "key"); is(("abc"):rep(3, "-"), "abc-abc-abc")
is(("a,b,,c"):gsub(",", ";"), "a;b;;c"); is(select(2, ("banana"):gsub("a", "o")), 3); is(("%d+"):len(), 3); is(#"\u{20AC}", 3); is(utf8.char(8364, 97), "€a"); is(utf8.len("€a"), 2)
is(("x"):byte(), 120); is(string.char(72, 105), "Hi"); is(("THIS"):lower() .. ("that"):upper(), "thisTHAT"); is(("f(a(b)c)d"):match("%b()"), "(a(b)c)"); is(("test"):reverse(), "tset")
is(string.pack("<i4", 258), "\2\1\0\0"); is(string.unpack(">I2", "\1\2"), 258); is(("one two"):gsub("%w+", { one = "1" }), "1 two")

-- tables
local t = { 5, 2, 8, 1, 9 }; table.sort(t); is(table.concat(t, " "), "1 2 5 8 9"); table.sort(t, function(a, b) return a > b end); is(t[1], 9)
table.insert(t, 1, 0); table.remove(t, 3); is(#t, 5); is(table.unpack({ 1, 2, 3 }, 2), 2); is(#table.pack(1, nil, 3), 3); is(next({}), nil)
local big = {}; for i = 1, 20000 do big[i] = i * 7919 % 20011 end; table.sort(big); for i = 2, #big do assert(big[i - 1] <= big[i]) end
local sum = 0; for k, v in pairs({ a = 1, b = 2, 10 }) do sum = sum + v end; is(sum, 13)

-- functions, closures, varargs, goto
local function counter() local c = 0; return function() c = c + 1; return c end end
local a, b = counter(), counter(); a(); is(a() * 10 + b(), 21); is(select("#", (function(...) return ... end)(1, nil, nil)), 3)
local function fib(k) if k < 2 then return k end return fib(k - 1) + fib(k - 2) end; is(fib(20), 6765)
do local i = 0; ::top:: i = i + 1; if i < 5 then goto top end; is(i, 5) end
local function tail(k) if k == 0 then return "done" end return tail(k - 1) end; is(tail(100000), "done")

-- metatables
local V = {}; V.__index = V; V.__add = function(x, y) return setmetatable({ v = x.v + y.v }, V) end; V.__eq = function(x, y) return x.v == y.v end; V.__call = function(s, k) return s.v * k end
V.__lt = function(x, y) return x.v < y.v end; V.__tostring = function(s) return "V" .. s.v end; V.__len = function() return 42 end; V.__concat = function(x, y) return "cat" end
local v, w = setmetatable({ v = 1 }, V), setmetatable({ v = 2 }, V); is((v + w).v, 3); is(v == setmetatable({ v = 1 }, V), true); is(w(10), 20); is(v < w, true); is(tostring(v), "V1"); is(#v, 42); is(v .. w, "cat")
local log = {}; do local c <close> = setmetatable({}, { __close = function() log[1] = "closed" end }) end; is(log[1], "closed")

-- coroutines and errors
local co = coroutine.wrap(function(x) for i = 1, 3 do x = coroutine.yield(x * i) end return "end" end); is(co(2), 2); is(co(5), 10); is(co(1), 3); is(co(0), "end")
is(select(2, pcall(error, { code = 7 })).code, 7); is(pcall(function() local x = nil; return x.y end), false); is(select(2, pcall(error, "msg", 0)), "msg"); is(select(2, xpcall(function() error("e", 0) end, function(m) return m .. "!" end)), "e!")
is(coroutine.isyieldable(), false); is(select(2, coroutine.resume(coroutine.create(function() error("in", 0) end))), "in")
local deep = 0; local ok = pcall(function() local function f() deep = deep + 1; return 1 + f() end return f() end); is(ok, false); assert(deep > 1000)

-- load, require, collection, files
is(load("return 1 + ...")(2), 3); is(select(2, load("x =")) ~= nil, true); local f = load(string.dump(function(x) return x * 2 end)); is(f(21), 42)
local weak = setmetatable({}, { __mode = "v" }); weak[1] = {}; collectgarbage(); is(weak[1], nil); for i = 1, 50000 do local _ = { i } end; assert(collectgarbage("count") > 0); collectgarbage("generational"); for i = 1, 50000 do local _ = { i, { i } } end
local name = os.tmpname(); local out = assert(io.open(name, "w")); out:write("one\n", 2, "\n", 3.5, "\n"); out:close(); local lines = {}; for l in io.lines(name) do lines[#lines + 1] = l end; is(table.concat(lines, "|"), "one|2|3.5"); os.remove(name)
is(os.time({ year = 2000, month = 1, day = 1, hour = 12 }) - os.time({ year = 1999, month = 12, day = 31, hour = 12 }), 86400); is(os.date("!%Y-%m-%d", 0), "1970-01-01")
print(n .. " checks")
