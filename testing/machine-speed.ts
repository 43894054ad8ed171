/** Iterations of the reference loop, and the CPU time that they take on the reference machine: one per cycle at 2.4 GHz. */
const iterations = 200_000_000
const referenceMilliseconds = 83
const rounds = 3

/**
 * How many times more CPU time this machine needs than the reference machine, at least 1. A virtual machine on a busy
 * host can be several times slower than its processor.
 */
export function measureSlowness(): number {
  let fastest = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage()
    countLoop()
    fastest = Math.min(fastest, process.cpuUsage(before).user / 1000)
  }
  return Math.max(1, fastest / referenceMilliseconds)
}

function countLoop(): number {
  let sum = 0
  for (let index = 0; index < iterations; index += 1) sum = (sum + index) | 0
  return sum
}
