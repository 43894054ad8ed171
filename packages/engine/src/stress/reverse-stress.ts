/** The severity at which a limit breaks. */
export interface ReverseStress {
  readonly severityX6: number
  readonly reached: boolean
}

const LARGEST = 3

/**
 * Smallest multiple of a scenario, at most three, at which a metric crosses its threshold, to 10⁻⁴.
 *
 * @param breaksAt whether the limit is broken at a severity; once broken it stays so
 */
export function reverseStress(breaksAt: (severity: number) => boolean): ReverseStress {
  if (breaksAt(0)) return { severityX6: 0, reached: true }
  if (!breaksAt(LARGEST)) return { severityX6: LARGEST * 1_000_000, reached: false }
  let [low, high] = [0, LARGEST]
  while (high - low > 1e-4) {
    const middle = (low + high) / 2
    if (breaksAt(middle)) high = middle
    else low = middle
  }
  return { severityX6: Math.ceil(high * 1_000_000), reached: true }
}
