import type { contract } from '@liquidity-os/contract'

type Comparison = contract.ProposalComparison
export type Metric = Comparison['proposals'][number]['metrics'][number]
type Relation = Comparison['relations'][number]

interface Compared {
  readonly id: string
  readonly metrics: readonly Metric[]
}

/** Relations of all pairs, in request order. */
export function relationsOf(compared: readonly Compared[]): Relation[] {
  return compared.flatMap((first, index) =>
    compared.slice(index + 1).map((second) => relationOf(first, second)),
  )
}

/**
 * Compares two proposals by directed metrics. DOMINATES means at least equal in all metrics and
 * better in one. A metric known for only one prevents dominance; a metric unknown for both is
 * ignored.
 */
function relationOf(first: Compared, second: Compared): Relation {
  const betterIn: string[] = []
  const worseIn: string[] = []
  const notCompared: string[] = []
  for (const { metricId, better, value } of first.metrics) {
    const other = second.metrics.find((one) => one.metricId === metricId)?.value ?? null
    if (better === 'NEITHER' || (value === null && other === null)) continue
    if (value === null || other === null) {
      notCompared.push(metricId)
      continue
    }
    const [a, b] = [BigInt(value), BigInt(other)]
    if (a === b) continue
    const isBetter = better === 'LOWER' ? a < b : a > b
    ;(isBetter ? betterIn : worseIn).push(metricId)
  }
  const isOpen = notCompared.length > 0
  const relation =
    betterIn.length === 0 && worseIn.length === 0
      ? isOpen
        ? 'TRADE_OFF'
        : 'EQUAL'
      : !isOpen && worseIn.length === 0
        ? 'DOMINATES'
        : !isOpen && betterIn.length === 0
          ? 'DOMINATED'
          : 'TRADE_OFF'
  return { first: first.id, second: second.id, relation, betterIn, worseIn, notCompared }
}
