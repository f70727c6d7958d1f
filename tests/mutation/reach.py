"""Which jobs enter a function, and how long each takes: of a change in it only
these can tell anything, the quick ones first."""
import concurrent.futures
import os
import tempfile
import time

from mutation.changes import end_of_function, read_lines

BUILD = 'build-reach'


def build(tree):
    """By clang, which counts the functions that are entered."""
    recorder = f'{tree.path}/reach.so'
    tree.run('clang', '-std=c11', '-D_GNU_SOURCE', '-O1', '-shared', '-fPIC',
             '-o', recorder, 'tests/preload/reach.c')
    return tree.make(
        BUILD, f'CC=clang -Wno-unused-command-line-argument '
        f'-fno-sanitize-link-runtime -Wl,--no-as-needed {recorder}', 'CFLAGS=-O1 -g -fno-inline '
        '-fsanitize-coverage=func,trace-pc-guard,pc-table', 'testable')


def functions(tree):
    """Of each number: (file, last line), by which changes.py knows them."""
    ends = {}

    def known_by(place):
        path, line = place.rsplit(':', 1)
        path = os.path.relpath(path, tree.path)
        if not line.isdigit() or not os.path.exists(path):
            return None
        if path not in ends:
            ends[path] = read_lines(path)
        return path, end_of_function(ends[path], int(line) - 1)

    with tempfile.NamedTemporaryFile('r') as table:
        tree.run(f'{BUILD}/topfn', '--version', REACH_TABLE=table.name)
        lines = tree.run('llvm-symbolizer', '--output-style=GNU', '-f',
                         '--no-inlines', f'--obj={BUILD}/libtopfn.so',
                         *table.read().split()).stdout.splitlines()
    return [known_by(place.split(' ')[0]) for place in lines[1::2]]


def jobs_by_function(tree, workers):
    """{(file, last line): [(seconds, job)...]}, or None: some job fails."""
    known = functions(tree)
    reached = {}

    def look(job):
        with tempfile.NamedTemporaryFile() as f:
            start = time.monotonic()
            good = tree.passes(BUILD, [job], REACH=f.name, JOBS='1')
            return good, time.monotonic() - start, job, f.read()

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for good, seconds, job, bits in pool.map(look, tree.jobs(BUILD)):
            if not good:
                print('fails as it is:', job)
                return None
            for function, bit in zip(known, bits[1:]):
                if bit and function:
                    reached.setdefault(function, []).append((seconds, job))
    return {function: sorted(jobs) for function, jobs in reached.items()}
