import { cutSpans, daysOf, type Span, secondsOf } from '@liquidity-os/engine/mandates'
import { daySeconds, hourSeconds } from '../../../units.ts'
import { readExact } from './batch-measures.ts'
import type { DaySums } from './day-sums.ts'
import type { KpiTerms, MandateTerms } from './mandate-terms.ts'

export type HourState = 'MET' | 'BREACHED' | 'GAP' | 'EXCLUDED' | 'AHEAD'

/** An hour of the uptime KPI, per side. */
export interface MandateHour {
  /** Start of the UTC day, Unix seconds. */
  readonly day: number
  /** Hour of the day, 0 to 23. */
  readonly hour: number
  readonly bid: HourState
  readonly ask: HourState
  readonly knownSeconds: number
  readonly bidSeconds: number
  readonly askSeconds: number
  /** Elapsed seconds that count: within the period and without exclusions. */
  readonly countedSeconds: number
}

interface Measured {
  readonly terms: MandateTerms
  /** Stored daily sums of these terms. */
  readonly days: readonly { readonly day: number; readonly bytes: Uint8Array }[]
  /** Unix seconds. */
  readonly asOf: number
}

/** The KPI that the hours show: the first uptime KPI of a mandate; null without one. */
export const uptimeKpiOf = ({ kpis }: MandateTerms): KpiTerms | null =>
  kpis.find(({ metric }) => metric === 'UPTIME_PIPS') ?? null

/** The last days of the elapsed period, ending with the day of `at`. */
export function lastDays({ period }: MandateTerms, at: number, days: number): Span {
  const end = Math.floor(at / daySeconds) * daySeconds + daySeconds
  const [span] = cutSpans([period], { from: end - days * daySeconds, to: end })
  return span ?? period
}

/**
 * Every hour of the days of a span. An hour is BREACHED if it misses the threshold even with its data
 * gaps at their best, and a GAP if it has less data than the KPI requires.
 *
 * @returns empty without an uptime KPI
 */
export function hourStates({ terms, days, asOf }: Measured, span: Span): MandateHour[] {
  const kpi = uptimeKpiOf(terms)
  if (kpi === null) return []
  const index = terms.kpis.indexOf(kpi)
  const sums = new Map(
    days.map(({ day, bytes }) => [day, readExact<DaySums>(bytes).kpis[index]?.hours ?? null]),
  )
  return daysOf(span).flatMap((day) =>
    Array.from({ length: 24 }, (_, hour): MandateHour => {
      const [start, end] = [day + hour * hourSeconds, day + (hour + 1) * hourSeconds]
      const [elapsed] = cutSpans([terms.period], { from: start, to: Math.min(end, asOf) })
      const hours = sums.get(day)
      const [knownSeconds, bidSeconds, askSeconds] = [
        hours?.known[hour] ?? 0,
        hours?.bid[hour] ?? 0,
        hours?.ask[hour] ?? 0,
      ]
      const countedSeconds = elapsed
        ? elapsed.to - elapsed.from - secondsOf(cutSpans(terms.exclusions, elapsed))
        : 0
      const stateOf = (quotedSeconds: number): HourState => {
        if (start >= asOf || end <= span.from || start >= span.to) return 'AHEAD'
        if (countedSeconds <= 0) return 'EXCLUDED'
        return judgeHour(kpi, { quotedSeconds, knownSeconds, countedSeconds })
      }
      return {
        day,
        hour,
        bid: stateOf(bidSeconds),
        ask: stateOf(askSeconds),
        knownSeconds,
        bidSeconds,
        askSeconds,
        countedSeconds,
      }
    }),
  )
}

function judgeHour(
  { threshold, comparator, minimumCoveragePips }: KpiTerms,
  {
    quotedSeconds,
    knownSeconds,
    countedSeconds,
  }: { quotedSeconds: number; knownSeconds: number; countedSeconds: number },
): HourState {
  const required = Number(threshold) / 1_000_000
  const best = (quotedSeconds + countedSeconds - knownSeconds) / countedSeconds
  if (comparator === 'GTE' && best < required) return 'BREACHED'
  if (knownSeconds === 0 || knownSeconds / countedSeconds < minimumCoveragePips / 1_000_000)
    return 'GAP'
  const share = quotedSeconds / knownSeconds
  return (comparator === 'GTE' ? share >= required : share <= required) ? 'MET' : 'BREACHED'
}
