import type { contract } from '@liquidity-os/contract'
import { addMonths } from '../../../../market/treasury/months.ts'
import { dueBetween } from '../../../../market/treasury/schedule.ts'

type Input = contract.LaunchPlanInput
type Allocation = Input['allocations'][number]

const months = 60

/**
 * Exact circulating supply at a time. With a vesting schedule: the initial tokens plus the vested
 * part. Without a schedule: all tokens, but for the treasury, or if initial tokens are given, only
 * the initial tokens.
 *
 * @param time milliseconds since 1970; the supply is 0 before the launch
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
  // A recurring unlock states the amount per occurrence; a linear one states the total.
  const amount = vesting.kind === 'RECURRING' ? rest / occurrences(vesting) : rest
  const free = dueBetween({ schedule: vesting, amount }, 0, time + 1)
  return initial + (free < rest ? free : rest)
}

const occurrences = ({ count = 1 }: Extract<contract.TreasurySchedule, { kind: 'RECURRING' }>) =>
  BigInt(Math.max(1, count))

/** Monthly for five years. */
export function circulatingCurve(request: Input): { at: string; tokens: string }[] {
  const launch = Date.parse(request.launchAt)
  return Array.from({ length: months + 1 }, (_, month) => {
    const at = addMonths(launch, month)
    return { at: new Date(at).toISOString(), tokens: `${circulatingAt(request, at)}` }
  })
}
