import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'

export type DrawnPlan = Static<typeof contract.MigrationPlan>
export type DrawnState = Static<typeof contract.MigrationPlanState>

/** Quote atoms in whole tokens; charts use floats, the table has the atoms. */
export const inTokens = (atoms: string | bigint, { request }: DrawnPlan): number =>
  Number(atoms) / 10 ** request.pair.quoteDecimals

export function realizedSteps(state: DrawnState) {
  return new Map(
    state.simulatedVsRealized
      .filter(({ way }) => way === 'FORWARD')
      .map((outcome) => [outcome.step, outcome]),
  )
}

/** The value of base and quote at the plan price, quote atoms, rounded down. */
export function worthOf(
  { base, quote }: { base: string; quote: string },
  { start }: DrawnPlan,
): bigint {
  return (BigInt(base) * BigInt(start.midX18)) / 10n ** 18n + BigInt(quote)
}
