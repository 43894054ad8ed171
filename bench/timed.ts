/**
 * Repeats some work for a while.
 *
 * @param units how many operations one call does
 * @returns operations per second
 */
export function timed(work: () => void, seconds: number, units: number): number {
  const start = performance.now()
  let calls = 0
  let elapsed = 0
  do {
    work()
    calls += 1
    elapsed = performance.now() - start
  } while (elapsed < seconds * 1000)
  return (calls * units * 1000) / elapsed
}
