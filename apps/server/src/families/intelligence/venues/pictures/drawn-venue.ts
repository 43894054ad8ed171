import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'

type Observation = Static<typeof contract.VenueObservation>

/** What of an observation is drawn. */
export interface DrawnObservation
  extends Pick<Observation, 'range' | 'continuity' | 'gaps' | 'metrics'> {
  readonly status: string
  /** Whether it left the chain, or was replaced by a later one, and so counts no more. */
  readonly isOvertaken?: boolean
  /** Prices at the cadence, as many as can be seen; `at` in Unix seconds. */
  readonly samples: readonly { readonly at: number; readonly midX18: string | null }[]
}

/** A venue with its observations in chain order. */
export interface DrawnVenue {
  readonly name: string
  readonly pair: { readonly baseDecimals: number; readonly quoteDecimals: number }
  readonly observations: readonly DrawnObservation[]
}

/**
 * How a stretch of time stands: replayed to what the chain says; not read, or without its end; contradicted; of a chain
 * that is no more.
 */
export type Coverage = 'PROVED' | 'GAP' | 'MISMATCH' | 'OVERTAKEN'

/** A stretch of the ribbon, Unix seconds. */
export interface Stretch {
  readonly coverage: Coverage
  readonly from: number
  readonly to: number
  /** Null of a time that nobody observed. */
  readonly observation: DrawnObservation | null
}

const contradictions = new Set([
  ...['UNSUPPORTED_TOKEN_BEHAVIOUR', 'EVENT_GAP', 'EVENTS_NOT_JUDGED'],
])

export const secondsOf = (timestamp: string) => Date.parse(timestamp) / 1000

/**
 * The observations and the holes between them, in their order. An observation that read one block and no event is none,
 * and one that was overtaken fills no hole.
 */
export function coverageOf({ observations }: DrawnVenue): Stretch[] {
  const stretches: Stretch[] = []
  let reached: { block: number; at: number } | null = null
  for (const observation of observations) {
    const { range, status, gaps } = observation
    if (gaps.some(({ code }) => code === 'EVENTS_NOT_READ')) continue
    const [from, to] = [secondsOf(range.from.timestamp), secondsOf(range.to.timestamp)]
    if (observation.isOvertaken) {
      stretches.push({ coverage: 'OVERTAKEN', from, to, observation })
      continue
    }
    if (reached !== null && range.from.number > reached.block + 1) {
      stretches.push({ coverage: 'GAP', from: reached.at, to: from, observation: null })
    }
    const isContradicted = gaps.some(({ code }) => contradictions.has(code))
    const coverage = isContradicted ? 'MISMATCH' : status === 'COMPLETED' ? 'PROVED' : 'GAP'
    stretches.push({ coverage, from, to, observation })
    if (reached === null || range.to.number > reached.block) {
      reached = { block: range.to.number, at: to }
    }
  }
  return stretches
}
