/** A running sum whose error does not grow with the number of terms. */
export interface CompensatedSum {
  add(term: number): void
  value(): number
}

/**
 * Neumaier's compensated sum. The order of the terms decides the last bit, so callers add in path order.
 *
 * @see Neumaier, “Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen” (1974)
 */
export function compensatedSum(): CompensatedSum {
  let sum = 0
  let lost = 0
  return {
    add(term) {
      const next = sum + term
      const isLarger = (sum < 0 ? -sum : sum) >= (term < 0 ? -term : term)
      lost += isLarger ? sum - next + term : term - next + sum
      sum = next
    },
    value: () => sum + lost,
  }
}

/** Sum of the terms in their order. */
export function sumOf(terms: Iterable<number>): number {
  const sum = compensatedSum()
  for (const term of terms) sum.add(term)
  return sum.value()
}

/** Mean of the terms; NaN of none. */
export function meanOf(terms: ArrayLike<number> & Iterable<number>): number {
  return sumOf(terms) / terms.length
}

/** Sum of the squared deviations from a center. */
export function sumOfSquares(terms: Iterable<number>, centre: number): number {
  const sum = compensatedSum()
  for (const term of terms) sum.add((term - centre) * (term - centre))
  return sum.value()
}

/** Unbiased variance; zero of fewer than two. */
export function varianceOf(terms: ArrayLike<number> & Iterable<number>): number {
  return terms.length < 2 ? 0 : sumOfSquares(terms, meanOf(terms)) / (terms.length - 1)
}
