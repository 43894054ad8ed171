import { cutSpans, type Span, secondsOf } from './held-samples.ts'
import { type KpiFigures, type Promised, verdictOf } from './verdict.ts'

/** Observed lent tokens at one moment, atoms. */
export interface LoanReading {
  /** Unix seconds. */
  readonly at: number
  /** Balance of the declared wallets at a finalized block. */
  readonly onChain: bigint
  /** Amount that custodians attest for the market maker; 0 without attestation. */
  readonly attested: bigint
  /** Above zero. */
  readonly lent: bigint
}

export interface LoanFigures extends Omit<KpiFigures, 'whileQuoting'> {
  /** The attested part at the moment of the smallest coverage, millionths of the loan. */
  readonly attestedPips: bigint | null
}

/**
 * Coverage of a loan by the market maker's holdings: the smallest value of a window.
 *
 *     ⌊ 10^6 · (on chain + attested) / lent ⌋
 *
 * The pessimistic value counts only on-chain holdings, and is 0 if the window has a data gap. The
 * optimistic value adds custodian attestations. It can exceed 1,000,000.
 *
 * @param readings in any order
 * @param mostSeconds maximum validity of a reading without a successor
 */
export function judgeLoan(
  readings: readonly LoanReading[],
  window: Span,
  excluded: readonly Span[],
  mostSeconds: number,
  promised: Promised,
): LoanFigures {
  const away = cutSpans(excluded, window)
  const seconds = window.to - window.from - secondsOf(away)
  const sorted = [...readings].sort((a, b) => a.at - b.at)
  const held = sorted.flatMap((reading, place) => {
    const next = sorted[place + 1]?.at ?? Number.POSITIVE_INFINITY
    const span = { from: reading.at, to: Math.min(next, reading.at + mostSeconds) }
    const [inside] = cutSpans([span], window)
    if (!inside) return []
    const counted = inside.to - inside.from - secondsOf(cutSpans(away, inside))
    return counted > 0 ? [{ reading, counted }] : []
  })
  const knownSeconds = held.reduce((sum, { counted }) => sum + counted, 0)
  const known = {
    coveragePips: seconds === 0 ? 0 : Math.floor((knownSeconds * 1_000_000) / seconds),
    gapSeconds: seconds - knownSeconds,
  }
  if (knownSeconds === 0) {
    const nothing = { observed: null, pessimistic: null, optimistic: null, attestedPips: null }
    const reason = seconds === 0 ? 'EXCLUDED' : 'NO_SAMPLE'
    return { ...nothing, ...known, verdict: 'INDETERMINATE', reason }
  }
  const found = held.map(({ reading }) => coverageOf(reading))
  const least = found.reduce((low, one) => (one.both < low.both ? one : low))
  const chain = found.reduce((low, one) => (one.chain < low ? one.chain : low), least.chain)
  const pessimistic = known.gapSeconds > 0 ? 0n : chain
  const figures = { pessimistic, optimistic: least.both, coveragePips: known.coveragePips }
  return {
    ...known,
    ...figures,
    observed: least.both,
    attestedPips: least.both - least.chain,
    ...verdictOf(figures, promised),
  }
}

/** Coverage at one moment, in millionths of the loan, rounded down. */
export function coverageOf({ onChain, attested, lent }: LoanReading): {
  readonly chain: bigint
  readonly both: bigint
} {
  const pips = (atoms: bigint) => (atoms * 1_000_000n) / lent
  return { chain: pips(onChain), both: pips(onChain + attested) }
}
