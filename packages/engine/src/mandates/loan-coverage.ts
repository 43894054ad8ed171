import { cutSpans, type Span, secondsOf } from './held-samples.ts'
import { type KpiFigures, type Promised, verdictOf } from './verdict.ts'

/** What was found of lent tokens at one moment, atoms. */
export interface LoanReading {
  /** Unix seconds. */
  readonly at: number
  /** Of the declared wallets at a final block. */
  readonly onChain: bigint
  /** What custodians say that they keep for the maker; 0 where nobody says anything. */
  readonly attested: bigint
  /** Above zero. */
  readonly lent: bigint
}

export interface LoanFigures extends Omit<KpiFigures, 'whileQuoting'> {
  /** The attested part at the moment of the smallest coverage, millionths of the loan. */
  readonly attestedPips: bigint | null
}

/**
 * How far what a maker holds covers what was lent to it: the smallest value of a window.
 *
 *     ⌊ 10^6 · (on chain + attested) / lent ⌋
 *
 * The pessimistic value is that of the chain alone, and 0 where a part of the window was not read; the optimistic one adds what
 * custodians attest. It may exceed 1,000,000.
 *
 * @param readings    in any order
 * @param mostSeconds through which a reading holds where no other follows
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

/** Of one moment, in millionths of the loan, rounded down. */
export function coverageOf({ onChain, attested, lent }: LoanReading): {
  readonly chain: bigint
  readonly both: bigint
} {
  const pips = (atoms: bigint) => (atoms * 1_000_000n) / lent
  return { chain: pips(onChain), both: pips(onChain + attested) }
}
