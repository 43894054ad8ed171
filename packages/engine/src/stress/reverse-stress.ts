/** The lowest severity that breaks a limit. */
export interface ReverseStress {
  readonly severityX6: number
  readonly reached: boolean
}

const LARGEST = 3
const STEPS = 30
const PRECISION = 1e-4

/**
 * Smallest multiple of a scenario, at most three, with a metric across its threshold, to 10⁻⁴
 * above.
 *
 * Tries multiples of a tenth upwards and bisects the first step that breaks the limit. So it finds
 * the first break, even if a higher severity meets the limit again. That happens if a lower price
 * moves a sale into another regime. A break and recovery within one tenth is not detected.
 *
 * @param breaksAt whether the limit is broken at a severity
 * @returns the severity with a broken limit, rounded up to 10⁻⁶; `reached` is false if 3 does not
 * break it
 */
export function reverseStress(breaksAt: (severity: number) => boolean): ReverseStress {
  if (breaksAt(0)) return { severityX6: 0, reached: true }
  for (let step = 1; step <= STEPS; step++) {
    let [low, high] = [((step - 1) * LARGEST) / STEPS, (step * LARGEST) / STEPS]
    if (!breaksAt(high)) continue
    while (high - low > PRECISION) {
      const middle = roundUp((low + high) / 2)
      if (breaksAt(middle)) high = middle
      else low = middle
    }
    return { severityX6: Math.round(high * 1_000_000), reached: true }
  }
  return { severityX6: LARGEST * 1_000_000, reached: false }
}

/** Rounds to six decimals, so that the reported value is a tested value. */
const roundUp = (severity: number) => Math.ceil(severity * 1_000_000) / 1_000_000
