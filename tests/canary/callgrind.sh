# Valgrind's callgrind: refused, by its name.
need valgrind
valgrind -q --tool=callgrind --callgrind-out-file=callgrind.out true ||
    skip "valgrind cannot run here"
what=$(valgrind --version)
refused callgrind.out callgrind
