import type { contract } from '@liquidity-os/contract'

type Comparison = contract.ProposalComparison
export type Metric = Comparison['proposals'][number]['metrics'][number]
type Relation = Comparison['relations'][number]

interface Compared {
  readonly id: string
  readonly metrics: readonly Metric[]
}

/** The relation of every pair, in the order in which they are named. */
export function relationsOf(compared: readonly Compared[]): Relation[] {
  return compared.flatMap((first, index) =>
    compared.slice(index + 1).map((second) => relationOf(first, second)),
  )
}

/**
 * How one stands to another by what has a direction: DOMINATES where it is at least as good in everything and better in
 * something. What is known of one of them only leaves open who is better, so that neither dominates then; what is known of
 * neither says nothing.
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
