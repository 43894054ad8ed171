import { type MetricTerms, metricValue, type Stretch } from '@liquidity-os/engine/mandates'
import { daySeconds, hourSeconds } from '../../../units.ts'

/** Seconds per hour of the day: with data, and with each side quoted as promised. */
export interface QuotedHours {
  readonly known: readonly number[]
  readonly bid: readonly number[]
  readonly ask: readonly number[]
}

/** Hourly uptime for the monthly chart. */
export function quotedHours(terms: MetricTerms, course: readonly Stretch[]): QuotedHours {
  const hours = () => Array<number>(24).fill(0)
  const [known, bid, ask] = [hours(), hours(), hours()]
  for (const { from, to, measured } of course) {
    if (measured === null) continue
    const isQuoted = (side: 'BID' | 'ASK') => metricValue({ ...terms, side }, measured, null) !== 0n
    const [isBid, isAsk] = [isQuoted('BID'), isQuoted('ASK')]
    for (let at = from; at < to; ) {
      const next = Math.min(to, (Math.floor(at / hourSeconds) + 1) * hourSeconds)
      const hour = Math.floor((at % daySeconds) / hourSeconds)
      known[hour]! += next - at
      if (isBid) bid[hour]! += next - at
      if (isAsk) ask[hour]! += next - at
      at = next
    }
  }
  return { known, bid, ask }
}
