"""What can be changed in the product: an operator, a constant, a condition, a
call that is left out."""
import os
import re

SWAPS = {
    '<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==',
    '&&': '||', '||': '&&', '+': '-', '-': '+', '*': '+', '/': '*', '%': '/',
    '<<': '>>', '>>': '<<', '&': '|', '|': '&', '+=': '-=', '-=': '+=',
    '++': '--', '--': '++', 'true': 'false', 'false': 'true',
    'break': 'continue',
}
# Binary operators stand between blanks in this tree; unary ones do not.
OPERATOR = re.compile(r'(?<= )(<<|>>|[<>=!]=|&&|\|\||[-+]=|[-+*/%<>&|])(?= )'
                      r'|\b(true|false|break)\b|(\+\+|--)')
NUMBER = re.compile(r'(?<![\w.])(0x[0-9a-fA-F]+|0|[1-9]\d*)(?![\w.])')
CONDITION = re.compile(r'\b(?:if|while) \((?=.*\)(?: \{)?$)')
CALL = re.compile(r'^\s+[a-z]\w+\(.*\);$')
QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/')


def in_functions(lines):
    """Numbers of the lines between a brace in column one and its end."""
    inside = comment = False
    for number, line in enumerate(lines):
        if line.startswith('{'):
            inside = True
        elif line.startswith('}'):
            inside = False
        start = line.lstrip().startswith('/*')
        comment = comment or start
        if inside and not comment and not line.startswith('#'):
            yield number
        if '*/' in line:
            comment = False


def end_of_function(lines, number):
    """The line that ends the function of a line, by which it is known."""
    while number < len(lines) and not lines[number].startswith('}'):
        number += 1
    return number


def changes_of(line):
    """Every (line, what was done) that one change makes of a line."""
    # Of the same length, so that places stay.
    bare = QUOTED.sub(lambda m: '"' * len(m.group()), line)

    def put(match, text):
        return line[:match.start()] + text + line[match.end():]

    for m in OPERATOR.finditer(bare):
        yield put(m, SWAPS[m.group()]), f'{m.group()} to {SWAPS[m.group()]}'
    for m in NUMBER.finditer(bare):
        more = str(int(m.group(), 0) + 1)
        yield put(m, more), f'{m.group()} to {more}'
    for m in CONDITION.finditer(bare):
        end = bare.rindex(')')
        yield (line[:m.end()] + '!(' + line[m.end():end] + ')' + line[end:],
               'condition negated')
    if CALL.match(bare):
        yield re.match(r'\s*', line).group() + ';', 'call left out'


def read_lines(path):
    with open(path) as f:
        return f.read().split('\n')


def places(folders):
    """Every change that can be drawn: (file, line number, line, what)."""
    for folder in folders:
        for root, _, files in sorted(os.walk(folder)):
            for name in sorted(files):
                path = os.path.join(root, name)
                if not name.endswith('.c') or path == 'cli/main.c':
                    continue
                lines = read_lines(path)
                for number in in_functions(lines):
                    for text, what in changes_of(lines[number]):
                        yield path, number, text, what
