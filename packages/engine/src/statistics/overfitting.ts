/** Probability that the best of many trials is worse than the median trial on data it has not seen. */
export interface Overfitting {
  readonly trials: number
  /** Number of divisions of the blocks into two halves; all are evaluated. */
  readonly splits: number
  readonly probability: number
}

const BLOCKS = 16

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation with 16 blocks.
 * For each of the 12,870 divisions of the blocks, the best trial on one half is ranked on the
 * other.
 *
 * @param performance one row per trial, equally many observations each, at least 16; ranked by
 * their mean
 * @throws RangeError for fewer than two trials, too few observations or rows of different length
 * @see Bailey, Borwein, López de Prado, Zhu, “The probability of backtest overfitting”, Journal of
 * Computational Finance 20 (2017)
 */
export function probabilityOfOverfitting(performance: readonly ArrayLike<number>[]): Overfitting {
  const trials = performance.length
  const length = performance[0]?.length ?? 0
  if (trials < 2 || length < BLOCKS || performance.some((row) => row.length !== length)) {
    throw new RangeError(
      `${trials} trials of ${length} observations; expected at least 2 of at least 16 each`,
    )
  }
  const sums = performance.map(blockSums)
  const totals = sums.map((row) => row.reduce((total, sum) => total + sum, 0))
  let worse = 0
  let splits = 0
  for (let chosen = 0; chosen < 1 << BLOCKS; chosen++) {
    if (bitCount(chosen) !== BLOCKS / 2) continue
    splits += 1
    const inside = sums.map((row) => sumOfChosen(row, chosen))
    const best = indexOfLargest(inside)
    // Both arrays have a place per trial.
    const outside = totals.map((total, trial) => total - inside[trial]!)
    const below = outside.filter((value) => value < outside[best]!).length
    const equal = outside.filter((value) => value === outside[best]!).length
    // Relative rank in (0, 1): at most one half means a logit of at most zero.
    const rank = (below + (equal + 1) / 2) / (trials + 1)
    if (rank <= 0.5) worse += 1
  }
  return { trials, splits, probability: worse / splits }
}

/** Sums over 16 consecutive blocks of equal length; drops surplus values at the front. */
function blockSums(row: ArrayLike<number>): number[] {
  const size = Math.floor(row.length / BLOCKS)
  const first = row.length - size * BLOCKS
  return Array.from({ length: BLOCKS }, (_, block) => {
    let sum = 0
    for (let i = 0; i < size; i++) sum += row[first + block * size + i]!
    return sum
  })
}

function sumOfChosen(sums: readonly number[], chosen: number): number {
  let total = 0
  for (let block = 0; block < BLOCKS; block++) if ((chosen >> block) & 1) total += sums[block]!
  return total
}

function indexOfLargest(values: readonly number[]): number {
  let best = 0
  for (let i = 1; i < values.length; i++) if (values[i]! > values[best]!) best = i
  return best
}

function bitCount(word: number): number {
  let count = 0
  for (let rest = word; rest !== 0; rest &= rest - 1) count += 1
  return count
}
