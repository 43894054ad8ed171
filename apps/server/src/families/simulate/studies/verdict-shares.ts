import type { contract } from '@liquidity-os/contract'
import { daySeconds, yearSeconds } from '../../../units.ts'
import type { Range } from './verdict-figures.ts'

const million = 1_000_000n
/** Minimum window for an annualized rate. Shorter windows make it unreliable. */
const minAnnualizedSeconds = 7 * daySeconds

interface Basis {
  /** Value of the capital at the start price, quote atoms, above zero. */
  readonly value: bigint
  readonly windowSeconds: number | null
}

type PipsRange = contract.StudyVerdictArm['netVsHodlPips']

/** Shares of the capital, cut toward zero. */
export const pipsOf = ({ low, high }: Range, value: bigint): PipsRange => ({
  low: Number((low * million) / value),
  high: Number((high * million) / value),
})

/** Shares for a year of 365 days; null for a window below 7 days. */
export function aprOf(range: Range, { value, windowSeconds }: Basis): PipsRange | null {
  if (windowSeconds === null || windowSeconds < minAnnualizedSeconds) return null
  const annual = (pips: number) => Math.trunc((pips * yearSeconds) / windowSeconds)
  const { low, high } = pipsOf(range, value)
  return { low: annual(low), high: annual(high) }
}

/** Shares of the capital and annual rates of one run. */
export function runSharesOf(
  { netVsHodl, fees, il }: { readonly netVsHodl: bigint; fees: bigint; il: bigint },
  basis: Basis,
) {
  const pips = (amount: bigint) => Number((amount * million) / basis.value)
  const annual = (amount: bigint) => aprOf({ low: amount, high: amount }, basis)?.low ?? null
  return {
    netVsHodlPips: pips(netVsHodl),
    vsHodlAprPips: annual(netVsHodl),
    feesPips: pips(fees),
    feeAprPips: annual(fees),
    ilPips: pips(il),
  }
}

export function annualRatesWithheldOf(
  windowSeconds: number | null,
): contract.StudyVerdict['annualRatesWithheld'] {
  if (windowSeconds === null) return 'WINDOW_UNKNOWN'
  return windowSeconds < minAnnualizedSeconds ? 'WINDOW_BELOW_7_DAYS' : null
}
