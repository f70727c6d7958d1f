"""What others find in the recordings of tests/bench/verdict.

Welch's t-test on shares, and a moderated t-test on square roots of counts, whose
variances are alike (limma: Smyth 2004; scaled by the median ratio, as DESeq
does), both with Benjamini and Hochberg's q of 5 %. `go tool pprof` and `perf diff` print
differences without saying which are real: one counts as found that is larger
than the largest of 95 in 100 pairs without a change.
"""
import collections, json, math, os, re, shutil, statistics, subprocess

Q = 0.05
SAMPLES = 10  # of a function, to be tested at all
Peer = collections.namedtuple('Peer', 'name ask deltas')


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout


def short(name):
    return name.split('(')[0].split('.')[-1].split('!')[-1].strip()


COUNTS = {}


def counts(topfn, file):
    """Exclusive samples by function."""
    if file not in COUNTS:
        rows = json.loads(run(topfn, 'top', '-n', '0', '-q', '--format',
                              'json', file))['rows']
        of = collections.Counter()
        for row in rows:
            of[short(row['label'])] += row['exclusive']
        COUNTS[file] = of
    return COUNTS[file]


# ---- tests ----

def beta(a, b, x):
    """The regularised incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) +
                     a * math.log(x) + b * math.log(1 - x))
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    h = d
    for m in range(1, 300):
        for e in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                  -(a + m) * (a + b + m) * x /
                  ((a + 2 * m) * (a + 2 * m + 1))):
            d, c = 1 / (1 + e * d), 1 + e / c
            h *= d * c
        if abs(d * c - 1) < 1e-12:
            break
    return front * h / a


def student(t, df):
    """Both tails."""
    return beta(df / 2, 0.5, df / (df + t * t))


def significant(p):
    """Of p by function: those with q <= Q."""
    order = sorted(p, key=p.get)
    last = max((i for i, name in enumerate(order)
                if p[name] <= Q * (i + 1) / len(order)), default=-1)
    return set(order[:last + 1])


def tested(sides):
    all_ = sum((c for side in sides for c in side), collections.Counter())
    return [name for name in all_ if all_[name] >= SAMPLES]


def welch(topfn, sides):
    sides = [[counts(topfn, f) for f in side] for side in sides]
    p = {}
    for name in tested(sides):
        a, b = ([c[name] / sum(c.values()) for c in side] for side in sides)
        u = statistics.variance(a) / len(a)
        v = statistics.variance(b) / len(b)
        if u + v > 0:
            df = (u + v) ** 2 / (u * u / (len(a) - 1) + v * v / (len(b) - 1))
            p[name] = student((statistics.mean(a) - statistics.mean(b)) /
                              math.sqrt(u + v), df)
    return significant(p)


def digamma(x):
    s = 0
    while x < 8:
        s -= 1 / x
        x += 1
    return s + math.log(x) - 1 / 2 / x - 1 / 12 / x**2 + 1 / 120 / x**4


def trigamma(x):
    s = 0
    while x < 8:
        s += 1 / x**2
        x += 1
    return s + 1 / x + 1 / 2 / x**2 + 1 / 6 / x**3 - 1 / 30 / x**5


def prior(variances, df):
    """Degrees of freedom and variance of the prior, by moments of logs."""
    e = [math.log(v) - digamma(df / 2) + math.log(df / 2) for v in variances]
    rest = statistics.variance(e) - trigamma(df / 2)
    if rest <= 0:
        return math.inf, math.exp(statistics.mean(e))
    low, high = 1e-3, 1e6
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if trigamma(middle) > rest else (low,
                                                                    middle)
    return 2 * low, math.exp(statistics.mean(e) + digamma(low) - math.log(low))


def moderated(topfn, sides):
    sides = [[counts(topfn, f) for f in side] for side in sides]
    names = tested(sides)
    runs = [c for side in sides for c in side]
    common = [n for n in names if all(c[n] for c in runs)]
    mean = {n: statistics.mean(math.log(c[n]) for c in runs) for n in common}

    def roots(run):
        size = math.exp(statistics.median(math.log(run[n]) - mean[n]
                                          for n in common))
        return {n: math.sqrt(run[n] / size) for n in names}
    a, b = ([roots(c) for c in side] for side in sides)
    df = len(a) + len(b) - 2
    rows = {}
    for n in names:
        x, y = [r[n] for r in a], [r[n] for r in b]
        v = (statistics.variance(x) * (len(x) - 1) +
             statistics.variance(y) * (len(y) - 1)) / df
        rows[n] = (statistics.mean(y) - statistics.mean(x), max(v, 1e-12))
    more, common_variance = prior([v for _, v in rows.values()], df)
    p = {}
    for n, (change, v) in rows.items():
        if math.isinf(more):
            v, all_df = common_variance, 1e6
        else:
            v = (more * common_variance + df * v) / (more + df)
            all_df = more + df
        p[n] = student(change / math.sqrt(v * (1 / len(a) + 1 / len(b))),
                       all_df)
    return significant(p)


# ---- tools ----

def go_pprof(topfn, sides):
    """Differences by function, of the sums of both sides, normalised."""
    paths = [[], []]
    for side, names in zip(paths, sides):
        for name in names:
            if not os.path.exists(name + '.pb'):
                run(topfn, 'export', '-q', name, '--to', 'pprof', '-o',
                    name + '.pb')
            side.append(name + '.pb')
    text = run('go', 'tool', 'pprof', '-top', '-nodecount=100000',
               '-nodefraction=0', '-sample_index=0', '-normalize',
               *('-diff_base=' + p for p in paths[0]), *paths[1])
    found = {}
    for line in text.splitlines():
        m = re.match(r'\s*(-?[\d.]+)\w*\s+\S+\s+\S+\s+\S+\s+\S+\s+(.*)', line)
        if m:
            found[short(m[2])] = abs(float(m[1]))
    return found


def perf_diff(topfn, sides):
    """Differences of shares by function."""
    files = [re.sub(r'\.\d+\.topfn$', '', side[0]) for side in sides]
    found = {}
    for line in run('perf', 'diff', '-f', *files).splitlines():
        m = re.match(r'\s*(?:[\d.]+%)?\s+([+-][\d.]+)%\s+\S+\s+\[.\] (\S+)',
                     line)
        if m:
            found[m[2]] = abs(float(m[1]))
    return found


def of(file, sizes):
    """The peers that can compare so many recordings of this kind."""
    peers = []
    if min(sizes) > 1:
        peers += [Peer("Welch's t on shares", welch, False),
                  Peer('moderated t', moderated, False)]
    if shutil.which('go'):
        peers.append(Peer('go tool pprof, 5 % error', go_pprof, True))
    if max(sizes) == 1 and '.data' in file:
        peers.append(Peer('perf diff, 5 % error', perf_diff, True))
    return peers


def bound_of(peer, topfn, null):
    largest = sorted(max(peer.ask(topfn, sides).values()) for sides in null)
    return largest[math.ceil(len(largest) * (1 - Q)) - 1]


def found(peer, topfn, sides, bound):
    answer = peer.ask(topfn, sides)
    if not peer.deltas:
        return answer
    return {name for name, delta in answer.items() if delta > bound}
