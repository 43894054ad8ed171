/** The mean of a portfolio's worst outcomes, and the contribution per part. */
export interface TailCut {
  /** CVaR: mean loss of the worst (1 − c)·n scenarios. */
  readonly cvar: number
  /** Mean loss per unit of every part over those scenarios: the gradient of CVaR. */
  readonly gradient: number[]
}

const MILLION = 1_000_000

/**
 * Conditional value at risk of a portfolio Σ x_v·loss_v and a cut for it. CVaR is convex and
 * positively homogeneous in x, so for every y it is at least gradient(x)·y. So the row `gradient·y
 * ≤ limit` excludes no portfolio within the limit. Adding such rows until the limit is met takes a
 * few rounds. A program with a row per scenario does not finish in practice.
 *
 * The scenario on the edge of the tail counts with its fraction. Equal losses are ordered by
 * scenario.
 *
 * @param losses per part, the loss per unit in each scenario; all of one length above zero
 * @param amounts x_v, not below zero
 * @param confidencePips c in pips, below 1,000,000
 * @throws RangeError for another confidence, or no scenarios
 * @see Rockafellar and Uryasev, “Optimization of conditional value-at-risk” (2000)
 * @see Künzi-Bay and Mayer, “Computational aspects of minimizing conditional value-at-risk” (2006)
 */
export function tailCut(
  losses: readonly Float64Array[],
  amounts: readonly number[],
  confidencePips: number,
): TailCut {
  const scenarios = losses[0]?.length ?? 0
  if (scenarios === 0) throw new RangeError('a tail without scenarios')
  if (!(confidencePips >= 0 && confidencePips < MILLION)) {
    throw new RangeError(`a confidence of ${confidencePips} pips; expected a value in 0..999999`)
  }
  const total = new Float64Array(scenarios)
  for (const [part, loss] of losses.entries()) {
    const amount = amounts[part] ?? 0
    if (amount === 0) continue
    // Both arrays have `scenarios` entries.
    for (let s = 0; s < scenarios; s++) total[s]! += amount * loss[s]!
  }
  const count = Math.max(((MILLION - confidencePips) * scenarios) / MILLION, 1e-9)
  const order = Array.from({ length: scenarios }, (_, index) => index)
  order.sort((a, b) => total[b]! - total[a]! || a - b)
  const whole = Math.min(Math.floor(count), scenarios)
  const rest = whole < scenarios ? count - whole : 0
  const meanOver = (values: Float64Array) => {
    let sum = 0
    for (let i = 0; i < whole; i++) sum += values[order[i]!]!
    return (sum + (rest > 0 ? rest * values[order[whole]!]! : 0)) / count
  }
  return { cvar: meanOver(total), gradient: losses.map(meanOver) }
}
