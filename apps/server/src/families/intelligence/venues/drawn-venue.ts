import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import type { StoredMid } from '../../../market/mid-price.ts'

type Observation = Static<typeof contract.VenueObservation>

export interface DrawnObservation
  extends Pick<Observation, 'range' | 'continuity' | 'gaps' | 'metrics'> {
  readonly status: string
  /** True if it left the chain or a later observation replaced it. */
  readonly isOvertaken?: boolean
  /** Price samples, limited to the resolution of the chart; `at` in Unix seconds. */
  readonly samples: readonly ({ readonly at: number } & StoredMid)[]
}

/** A venue with its observations in chain order. */
export interface DrawnVenue {
  readonly name: string
  readonly pair: { readonly baseDecimals: number; readonly quoteDecimals: number }
  readonly observations: readonly DrawnObservation[]
}

/**
 * State of a time span: replay matches the chain; not read or without end state; contradicted by
 * the chain; removed by a reorg.
 */
export type Coverage = 'PROVED' | 'GAP' | 'MISMATCH' | 'OVERTAKEN'

/** A span of the ribbon, in Unix seconds. */
export interface Stretch {
  readonly coverage: Coverage
  readonly from: number
  readonly to: number
  /** Null for unobserved time. */
  readonly observation: DrawnObservation | null
}

const contradictions = new Set([
  ...['UNSUPPORTED_TOKEN_BEHAVIOUR', 'EVENT_GAP', 'EVENTS_NOT_JUDGED', 'TOKEN_NOT_EXACT'],
])

export const secondsOf = (timestamp: string) => Date.parse(timestamp) / 1000

/**
 * Observations and the gaps between them, in order. State-only observations do not count, and
 * reorged observations fill no gap.
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
