import type { contract } from '@liquidity-os/contract'
import { dueBetween } from '../../../market/treasury/schedule.ts'

type Obligation = contract.TreasuryObligation['obligation']

/** Amounts of an obligation in atoms; null if it never ends. */
export interface ObligationFigures {
  readonly total: bigint | null
  readonly remaining: bigint | null
  /** Amount due before the moment and not settled. */
  readonly overdue: bigint
}

/** Later than any schedule that ends. */
const endOfTimes = Date.parse('9999-12-31T23:59:59Z')

/**
 * @param settled atoms that were paid
 * @param at      milliseconds since 1970
 */
export function obligationFigures(
  { amount, schedule }: Pick<Obligation, 'amount' | 'schedule'>,
  settled: bigint,
  at: number,
): ObligationFigures {
  const due = { amount: BigInt(amount), schedule }
  const isEndless =
    schedule.kind === 'RECURRING' && schedule.count === undefined && schedule.until === undefined
  const total = isEndless ? null : dueBetween(due, 0, endOfTimes)
  const dueNow = dueBetween(due, 0, at)
  return {
    total,
    remaining: total === null ? null : total - settled,
    overdue: dueNow > settled ? dueNow - settled : 0n,
  }
}
