function spin(n) { let x = 1; while (n--) x = (x * 1664525 + 1013904223) | 0; return x }
function turn(n) { let x = 1; while (n--) { x ^= x << 13; x ^= x >>> 17 } return x }
const end = Date.now() + 1500
let sum = 0
while (Date.now() < end) sum += spin(1000000) + turn(300000)
