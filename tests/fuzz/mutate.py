"""Random damage to texts: bytes, numbers, words and spans of them."""

import re

NUMBERS = [
    *(b"0", b"-0.0", b"1", b"-1", b"1e308", b"-1e308", b"1e400", b"5e-324", b"1e-200", b"nan"),
    *(b"inf", b"-inf", b"NaN", b"1e200", b"0x10", b"1_000", b"9" * 400, b"1e", b".", b"1.5.2"),
    *(b"true", b"null", b'"x"', b"[]", b"{}", b"-", b"1e99999999999", b"00", b"1/0", b"2**9999"),
]
WORDS = {
    "json": [
        *(b'"', b"{", b"}", b"[", b"]", b":", b",", b"\\u0000", b"\\ud800", b'"name"', b'"world"'),
        *(b'"pose"', b'"joint"', b'"type"', b'"free"', b'"matrix"', b'"quat"', b'"forces"'),
        *(b'"parameters"', b'"dh"', b'"loops"', b'"shapes"', b'"limits"', b"1e999", b"Infinity"),
    ],
    "toml": [
        *(b'"', b"'''", b"[", b"]", b"[[bodies]]", b"[[forces]]", b"=", b"\n", b"{", b"}", b"#"),
        *(b"1979-05-27", b"07:32:00", b"inf", b"nan", b"0x1F", b"a.b = 1", b"name", b"joint"),
    ],
    "urdf": [
        *(b"<", b">", b"/>", b"</", b'"', b"&lt;", b"&#0;", b"&amp;", b"&x;", b"<!--", b"-->"),
        *(b"<![CDATA[", b"]]>", b"<!DOCTYPE x>", b'<!ENTITY a "b">', b"<?xml version='1.0'?>"),
        *(b"<?xml version='1.0' encoding='utf-16'?>", b"<?xml version='1.0' encoding='x'?>"),
        *(b"<link name='a'/>", b"<inertial>", b"<mass value='-1'/>", b"xmlns:a='b'", b"<mimic/>"),
        *(
            b"${x}",
            b"floating",
            b"planar",
            b"world",
            b"<limit lower='inf'/>",
            b"<axis xyz='0 0 0'/>",
        ),
        *(b'filename="../../secret"', b'filename="package://../x"', b"<mesh>", b"<geometry>"),
    ],
    "mjcf": [
        *(b"<", b">", b"/>", b"</", b'"', b"&#0;", b"<!DOCTYPE x>", b"<include file='model.xml'/>"),
        *(b"<include file='../x'/>", b"<body>", b"</body>", b"<joint/>", b"<freejoint/>"),
        *(b"<frame>", b"<geom type='mesh' mesh='m'/>", b"<default class='a'>", b"<site/>"),
        *(b"class='big'", b"childclass='main'", b"<replicate count='9'>", b"<attach/>", b"world"),
        *(b"<geom type='ellipsoid' size='1 2 3'/>", b"fromto='0 0 0 0 0 0'", b"angle='degree'"),
        *(b"coordinate='global'", b"eulerseq='XYZ'", b"file='/dev/zero'", b"<robot name='r'>"),
    ],
    "stl": [b"solid", b"facet normal 0 0 1", b"vertex 1 2 3", b"endloop", b"\x00" * 80, b"\xff"],
    "obj": [b"v 1 2 3\n", b"f 1 2 3\n", b"f -1 -2 -3\n", b"f 1/2/3 2//3 0\n", b"f 1_0 2 3", b"#"],
    "msh": [b"\xff\xff\xff\x7f", b"\x00" * 16, b"\x00\x00\x80\x7f", b"\x01\x00\x00\x00"],
    "formula": [
        *(
            b"(",
            b")",
            b"**",
            b"*",
            b"/",
            b"-",
            b"+",
            b",",
            b"<",
            b"==",
            b"select(",
            b"atan2(",
            b"x",
        ),
        *(
            b"sqrt",
            b"t",
            b"pi",
            b"__import__('os')",
            b"log(0)",
            b"1e308",
            b"x.y",
            b"\xce\xb1",
            b"1/0",
        ),
    ],
}
_BRACKETS = {
    "json": (b"[", b"]"),
    "toml": (b"[", b"]"),
    "urdf": (b"<a>", b"</a>"),
    "mjcf": (b"<body>", b"</body>"),
    **dict.fromkeys(("stl", "obj", "msh"), (b" ", b"\n")),
    "formula": (b"(", b")"),
}
_NUMBER = re.compile(rb"-?\d+\.?\d*(?:[eE][-+]?\d+)?")
_QUOTED = re.compile(rb"\"[^\"\n]*\"|'[^'\n]*'")


def mutated(data, form, random, others=()):
    """Return the bytes with one to five damages.

    Args:
        data: A text.
        form: Its format; says which words are put in.
        random: A ``random.Random``, or what hypothesis gives for one.
        others: Further texts, of which pieces are taken.
    """
    for _ in range(random.randint(1, 5)):
        damage = random.choice(_DAMAGES)
        data = damage(data, form, random, others)
    return data


def _span(data, random):
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.choice([0, 1, 1, 2, 5, 20, 100, 400]))


def _delete(data, form, random, others):
    start, stop = _span(data, random)
    return data[:start] + data[stop:]


def _repeat(data, form, random, others):
    start, stop = _span(data, random)
    return data[:start] + data[start:stop] * random.choice([2, 2, 3, 50]) + data[stop:]


def _move(data, form, random, others):
    start, stop = _span(data, random)
    rest, k = data[:start] + data[stop:], random.randint(0, len(data))
    return rest[:k] + data[start:stop] + rest[k:]


def _word(data, form, random, others):
    start, stop = _span(data, random)
    if random.random() < 0.5:
        stop = start
    return data[:start] + random.choice(WORDS[form]) + data[stop:]


def _byte(data, form, random, others):
    k = random.randint(0, len(data))
    return data[:k] + bytes([random.randint(0, 255)]) + data[k + random.randint(0, 1) :]


def _number(data, form, random, others):
    return _at_match(_NUMBER, data, random, random.choice(NUMBERS))


def _quoted(data, form, random, others):
    found = _QUOTED.findall(data)
    return _at_match(_QUOTED, data, random, random.choice(found)) if found else data


def _at_match(pattern, data, random, new):
    found = list(pattern.finditer(data))
    if not found:
        return data
    match = random.choice(found)
    return data[: match.start()] + new + data[match.end() :]


def _splice(data, form, random, others):
    other = random.choice(list(others)) if others else data
    start, stop = _span(other, random)
    k = random.randint(0, len(data))
    return data[:k] + other[start:stop] + data[k:]


def _nest(data, form, random, others):
    start, stop = _span(data, random)
    opening, closing = _BRACKETS[form]
    n = random.choice([1, 3, 50, 250, 3000])
    return data[:start] + opening * n + data[start:stop] + closing * n + data[stop:]


def _encode(data, form, random, others):
    encoding = random.choice(["utf-16", "utf-32", "utf-8-sig", "latin-1", "utf-7"])
    return data.decode("latin-1").encode(encoding)


_DAMAGES = [
    *(_delete, _repeat, _move, _word, _word, _byte, _number, _number, _number),
    *(_quoted, _quoted, _quoted, _splice, _nest, _encode),
]
