"""The subset of Octave that is written out, read and run: a stand-in where Octave is absent.

Numbers are arrays of two or three dimensions, as there.  What would make a complex number in Octave
raises, and ``min`` and ``max`` leave NaN out as they do there.
"""

import re

import numpy as np

TOKEN = re.compile(
    r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|('[^']*')|(\.\*|\./|~=|==|<=|>=|[-+<>()=,:~&|\[\]]))"
)
SUMS, PRODUCTS = {"+": np.add, "-": np.subtract}, {".*": np.multiply, "./": np.divide}
RELATIONS = {
    "<": np.less,
    "<=": np.less_equal,
    "==": np.equal,
    "~=": np.not_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def real(function, allowed):
    def guarded(*operands):
        assert np.all(allowed(*operands)), f"{function.__name__} would be complex"
        return function(*operands)

    return guarded


BUILTIN = {
    **{
        name: getattr(np, name)
        for name in ("sin", "cos", "tan", "exp", "abs", "sign", "floor", "isnan")
    },
    "atan2": np.arctan2,
    "isinf": np.isinf,
    "fix": np.trunc,
    "sqrt": real(np.sqrt, lambda a: ~(a < 0)),
    "log": real(np.log, lambda a: ~(a < 0)),
    "asin": real(np.arcsin, lambda a: ~(np.abs(a) > 1)),
    "acos": real(np.arccos, lambda a: ~(np.abs(a) > 1)),
    "power": real(np.power, lambda a, b: ~((a < 0) & (b != np.trunc(b)))),
    "min": np.fmin,
    "max": np.fmax,
    "double": lambda a: np.array(a, dtype=float),
    "single": lambda a: np.array(a, dtype=np.float32),
}


class Octave:
    """Functions of one file; call the first as ``Octave(text)(*columns)``."""

    def __init__(self, text):
        self.functions, self.main = {}, None
        lines = [line.strip() for line in text.splitlines()]
        lines = [line for line in lines if line and not line.startswith("%")]
        while lines:
            head = re.fullmatch(r"function (?:\[(.*)\]|(\w+)) = (\w+)\((.*)\)", lines.pop(0))
            results, single, name, parameters = head.groups()
            body = []
            depth = 1
            while True:
                line = lines.pop(0)
                depth += line.startswith("if ") - (line == "end")
                if not depth:
                    break
                body.append(line)
            self.functions[name] = (
                parameters.split(", "), (results or single).split(", "), body
            )  # fmt: skip
            self.main = self.main or name

    def __call__(self, *arguments):
        """Run the first function on columns; results as lists."""
        with np.errstate(all="ignore"):
            return self.call(self.main, [np.array(a) for a in arguments])

    def call(self, name, arguments):
        """Return the results of one of the functions."""
        parameters, results, body = self.functions[name]
        env = dict(zip(parameters, arguments, strict=True))
        lines = list(body)
        while lines:
            line = lines.pop(0)
            if line.startswith("if "):
                block = lines[: (end := lines.index("end"))]
                del lines[: end + 1]
                if np.all(Expression(line[3:], env, self).value()):
                    lines = block + lines
            else:
                self.execute(line, env)
        return [env[name] for name in results]

    def execute(self, line, env):
        """Run one statement."""
        assert line.endswith(";"), line
        if line.startswith("error("):
            raise ValueError(line)
        target, _, text = line[:-1].partition(" = ")
        value = Expression(text, env, self).values()
        if target.startswith("["):
            env.update(zip(target[1:-1].split(", "), value, strict=True))
        elif "(" not in target:
            env[target] = np.atleast_2d(value[0])
        else:
            name, _, inside = target[:-1].partition("(")
            index = Expression(f"f({inside})", {**env, "f": None}, self).index()
            array = np.array(env[name])
            array[index] = np.ravel(value[0]) if np.size(value[0]) != 1 else np.ravel(value[0])[0]
            env[name] = array


class Expression:
    """A formula, evaluated while it is read."""

    def __init__(self, text, env, functions):
        self.env, self.functions, self.tokens = env, functions, []
        place = 0
        while place < len(text):
            match = TOKEN.match(text, place)
            assert match, f"cannot read {text[place:]!r}"
            self.tokens.append(match.group().strip())
            place = match.end()

    def values(self):
        found = self.value()
        return found if isinstance(found, list) else [found]

    def value(self):
        found = self.joined()
        assert not self.tokens, f"left over: {self.tokens}"
        return found

    def index(self):
        """Return the index of ``f(...)`` as NumPy takes it."""
        del self.tokens[:2]
        return self.places()

    def places(self):
        items = []
        while True:
            if self.tokens[0] == ":":
                self.tokens.pop(0)
                items.append(slice(None))
            else:
                value = np.asarray(self.joined())
                items.append(value if value.dtype == bool else int(value.item()) - 1)
            if self.tokens.pop(0) == ")":
                return items[0] if len(items) == 1 else tuple(items)

    def joined(self):
        left = self.chain(self.relation, {"&": np.logical_and})
        while self.tokens and self.tokens[0] == "|":
            self.tokens.pop(0)
            left = np.logical_or(left, self.chain(self.relation, {"&": np.logical_and}))
        return left

    def chain(self, operand, signs):
        left = operand()
        while self.tokens and self.tokens[0] in signs:
            left = signs[self.tokens.pop(0)](left, operand())
        return left

    def relation(self):
        return self.chain(lambda: self.chain(self.product, SUMS), RELATIONS)

    def product(self):
        return self.chain(self.unary, PRODUCTS)

    def unary(self):
        if self.tokens[0] == "-":
            self.tokens.pop(0)
            return np.negative(self.unary())
        if self.tokens[0] == "~":
            self.tokens.pop(0)
            return np.logical_not(self.unary())
        return self.atom()

    def atom(self):
        token = self.tokens.pop(0)
        if token == "(":
            found = self.joined()
            assert self.tokens.pop(0) == ")"
            return found
        if token[0].isdigit():
            return np.array([[float(token)]])
        if token in ("NaN", "Inf"):
            return np.array([[float(token.lower())]])
        if token[0] == "'":
            return token[1:-1]
        if not (self.tokens and self.tokens[0] == "("):
            return self.env[token]
        self.tokens.pop(0)
        if token in self.env:
            array = np.asarray(self.env[token])
            index = self.places()
            found = array[index]
            return found if isinstance(index, np.ndarray) else np.reshape(found, (1, -1))
        return self.applied(token, self.arguments())

    def arguments(self):
        found = []
        while True:
            found.append(self.joined())
            if self.tokens.pop(0) == ")":
                return found

    def applied(self, name, arguments):
        if name in self.functions.functions:
            results = self.functions.call(name, arguments)
            return results if len(results) > 1 else results[0]
        if name == "size":
            if len(arguments) == 1:
                return np.array(np.shape(arguments[0]))
            return np.array([[float(np.shape(arguments[0])[int(arguments[1].item()) - 1])]])
        if name == "zeros":
            kind = {"double": float, "single": np.float32}[arguments.pop()]
            return np.zeros([int(np.ravel(n)[0]) for n in arguments], dtype=kind)
        if name == "ones":
            return np.ones(np.ravel(arguments[0]))
        return BUILTIN[name](*arguments)
