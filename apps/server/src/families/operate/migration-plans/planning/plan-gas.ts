import { gasTable } from '@liquidity-os/engine/montecarlo'
import type { PlanPayload, PlanRequest, PlanVenue } from '../plan-types.ts'
import type { PlannedStep } from './plan-task.ts'

const v3Units: Partial<Record<PlannedStep['step']['kind'], keyof typeof gasTable.units>> = {
  REMOVE: 'DECREASE',
  COLLECT: 'COLLECT',
  MINT: 'MINT',
  SWAP: 'SWAP',
}
const v2Units: typeof v3Units = { REMOVE: 'V2_REMOVE', MINT: 'V2_ADD', SWAP: 'V2_SWAP' }

/**
 * Gas cost of the measured steps at the declared gas price, plus the data fee of every transaction;
 * null without a declared price.
 *
 *     ⌈(units·(base fee + tip) + transactions·l1)·price / 10^18⌉; a variable base fee counts at its median `meanWei`, the level of its logarithm
 */
export function gasOf(
  { costs }: Pick<PlanRequest, 'costs'>,
  steps: readonly Pick<PlannedStep, 'step'>[],
  venues: readonly PlanVenue[],
): PlanPayload['gas'] {
  if (costs === undefined) return null
  const units = steps.reduce((sum, { step }) => {
    const world = 'world' in step ? step.world : null
    const isV3 = venues.find(({ id }) => id === world)?.profile.kind === 'UNISWAP_V3'
    const action = (isV3 ? v3Units : v2Units)[step.kind]
    return sum + (action === undefined ? 0 : gasTable.units[action])
  }, 0)
  const { gas, tipWei = '0', l1DataFeeWei = '0', nativePriceX18 } = costs
  const transactions = steps.filter(({ step: { kind } }) => kind !== 'SOAK' && kind !== 'VERIFY')
  const price = BigInt('constantWei' in gas ? gas.constantWei : gas.meanWei) + BigInt(tipWei)
  const wei = BigInt(units) * price + BigInt(transactions.length) * BigInt(l1DataFeeWei)
  // Rounded up.
  const x18 = 10n ** 18n
  const quote = (wei * BigInt(nativePriceX18) + x18 - 1n) / x18
  return { units, quote: `${quote}` }
}

export function gasGapsOf({ costs }: Pick<PlanRequest, 'costs'>): {
  readonly code: string
  readonly detail: string
}[] {
  if (costs === undefined) return []
  return [
    { code: 'GAS_NOT_MEASURED', detail: 'Gas of approvals and pool creation is not measured.' },
    ...('meanWei' in costs.gas
      ? [
          {
            code: 'GAS_AT_MEDIAN',
            detail:
              'The estimate uses the median base fee. The mean is higher, and more so with higher volatility.',
          },
        ]
      : []),
  ]
}
