import type { contract } from '@liquidity-os/contract'
import { dueBetween } from '../../../market/treasury/schedule.ts'
import { dayMilliseconds } from '../../../units.ts'

/** An obligation by schedule, possibly partly settled. */
export interface Owed {
  readonly schedule: contract.TreasurySchedule
  readonly amount: bigint
  readonly settled: bigint
  readonly certainty: 'COMMITTED' | 'EXPECTED' | 'UNCERTAIN'
  /** Start of validity, milliseconds since 1970. */
  readonly since: number
}

const names = { COMMITTED: 'committed', EXPECTED: 'expected', UNCERTAIN: 'uncertain' } as const

/**
 * Amounts due within 30, 90 and 365 days of a moment, and overdue amounts, by certainty.
 *
 * @param at milliseconds since 1970
 * @param value value of an obligation's atoms
 */
export function ladderOf<O extends Owed>(
  owed: readonly O[],
  at: number,
  value: (owed: O, atoms: bigint) => bigint,
): contract.TreasuryProjection['ladder'] & object {
  const within = (days: number) => {
    const sums = { committed: 0n, expected: 0n, uncertain: 0n }
    for (const one of owed) {
      const due = dueBetween(one, one.since, at + days * dayMilliseconds) - one.settled
      if (due > 0n) sums[names[one.certainty]] += value(one, due)
    }
    return {
      committed: `${sums.committed}`,
      expected: `${sums.expected}`,
      uncertain: `${sums.uncertain}`,
    }
  }
  return { d30: within(30), d90: within(90), d365: within(365) }
}
