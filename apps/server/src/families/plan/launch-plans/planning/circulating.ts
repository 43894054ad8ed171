import type { contract } from '@liquidity-os/contract'
import { addMonths } from '../../../../market/treasury/months.ts'
import { dueBetween } from '../../../../market/treasury/schedule.ts'

type Input = contract.LaunchPlanInput
type Allocation = Input['allocations'][number]

const months = 60

/**
 * Tokens that may move at a time, exact: of an allocation with a schedule what was free from the beginning and what became free
 * of the rest; without one all of it, but for the treasury's, of which only what was free from the beginning.
 *
 * @param time milliseconds since 1970; nothing circulates before the launch
 */
export function circulatingAt({ allocations, launchAt }: Input, time: number): bigint {
  if (time < Date.parse(launchAt)) return 0n
  return allocations.reduce((sum, one) => sum + freeAt(one, time), 0n)
}

function freeAt(
  { tokens, initialTokens, recipientClass, vesting }: Allocation,
  time: number,
): bigint {
  const [whole, initial] = [BigInt(tokens), BigInt(initialTokens ?? '0')]
  if (!vesting) return recipientClass === 'TREASURY' || initialTokens ? initial : whole
  const rest = whole - initial
  // An occurrence is an amount of its own; of a line it is the total.
  const amount = vesting.kind === 'RECURRING' ? rest / occurrences(vesting) : rest
  const free = dueBetween({ schedule: vesting, amount }, 0, time + 1)
  return initial + (free < rest ? free : rest)
}

const occurrences = ({ count = 1 }: Extract<contract.TreasurySchedule, { kind: 'RECURRING' }>) =>
  BigInt(Math.max(1, count))

/** Month by month for five years. */
export function circulatingCurve(request: Input): { at: string; tokens: string }[] {
  const launch = Date.parse(request.launchAt)
  return Array.from({ length: months + 1 }, (_, month) => {
    const at = addMonths(launch, month)
    return { at: new Date(at).toISOString(), tokens: `${circulatingAt(request, at)}` }
  })
}
