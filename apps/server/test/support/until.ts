const firstPauseMilliseconds = 10
const pauseGrowth = 1.5
const maxPauseMilliseconds = 400

/**
 * Waits for a condition and fails at the deadline. The delays between probes grow, because each
 * probe takes CPU time from the awaited work.
 *
 * @param what completes "Waited in vain for …"
 * @param probe repeated until it returns a truthy value; an exception counts as "not yet"
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  deadlineMilliseconds = 180_000,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + deadlineMilliseconds
  let pauseMilliseconds = firstPauseMilliseconds
  for (;;) {
    let cause: unknown
    try {
      const found = await probe()
      if (found) return found
    } catch (error) {
      cause = error
    }
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}.`, { cause })
    const pause = pauseMilliseconds
    await new Promise((done) => setTimeout(done, pause))
    pauseMilliseconds = Math.min(pauseMilliseconds * pauseGrowth, maxPauseMilliseconds)
  }
}
