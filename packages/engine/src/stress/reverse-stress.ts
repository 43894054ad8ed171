/** The severity at which a limit breaks. */
export interface ReverseStress {
  readonly severityX6: number
  readonly reached: boolean
}

const LARGEST = 3
const STEPS = 30
const PRECISION = 1e-4

/**
 * Smallest multiple of a scenario, at most three, at which a metric crosses its threshold, to 10⁻⁴ above.
 *
 * Multiples of a tenth are tried upwards and the first step in which the limit breaks is halved, so that a limit which holds again
 * beyond (a sale that a lower price moves into another regime) is found where it breaks first. What breaks and holds again within
 * one tenth is not seen.
 *
 * @param breaksAt whether the limit is broken at a severity
 * @returns the severity rounded up to 10⁻⁶, at which the limit is broken; `reached` false where 3 does not break it
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

/** To six places, so that what is told is what was tried. */
const roundUp = (severity: number) => Math.ceil(severity * 1_000_000) / 1_000_000
