/** Values of one round, by name: rates, milliseconds or other compared figures. */
export type Figures = Readonly<Record<string, number>>

/** A ratio computed within each round, so drift of the machine affects both sides. */
export interface Comparison {
  name: string
  /** Names of two figures of a round; without `to` the figure itself is judged. */
  of: string
  to?: string
  mark: { atLeast: number } | { atMost: number } | null
}

/** A benchmark that is set up: each call of `round` runs product, peers and limits once, one after the other. */
export interface Running {
  round: (index: number) => Promise<Figures>
  close: () => Promise<void>
}

export interface Benchmark {
  name: string
  title: string
  /** Display unit of each figure. */
  units: Readonly<Record<string, string>>
  comparisons: readonly Comparison[]
  open: (options: { seconds: number }) => Promise<Running>
}

/** The outcome of one comparison over all rounds. */
export interface Verdict extends Comparison {
  median: number
  lowest: number
  highest: number
  isMet: boolean | null
}

/** @param rounds at least one */
export function judge(comparison: Comparison, rounds: readonly Figures[]): Verdict {
  const { of, to, mark } = comparison
  const ratios = rounds.map((figures) => (figures[of] ?? 0) / (to ? (figures[to] ?? 0) : 1))
  const value = median(ratios)
  const isMet =
    mark === null ? null : 'atLeast' in mark ? value >= mark.atLeast : value <= mark.atMost
  return {
    ...comparison,
    median: value,
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    isMet,
  }
}

/** The median; for an even number, the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}
