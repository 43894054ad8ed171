const pollMilliseconds = 20

/**
 * Waits for a condition, and fails when it has not come in time: a test never sleeps for a guess.
 *
 * @param what  completes "waited in vain for …"
 * @param probe asked again until it gives something; what it throws counts as not yet
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  deadlineMilliseconds = 180_000,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + deadlineMilliseconds
  for (;;) {
    let cause: unknown
    try {
      const found = await probe()
      if (found) return found
    } catch (error) {
      cause = error
    }
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}.`, { cause })
    await new Promise((done) => setTimeout(done, pollMilliseconds))
  }
}
