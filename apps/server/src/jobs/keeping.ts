import { H } from '@liquidity-os/evidence'
import { limits } from '../limits.ts'
import { hourSeconds } from '../units.ts'

export type ScheduleState = 'ON_TIME' | 'LATE' | 'OVERDUE' | 'BLOCKED' | 'OFF'

/** What is known of a subject and its runs; times are milliseconds since 1970. */
export interface KnownRuns {
  readonly everySeconds: number
  /** Since when it is as it is, which counts where it never succeeded. */
  readonly since: number
  readonly isKept: boolean
  /** See `offsetOf`. */
  readonly offsetSeconds: number
  readonly last: {
    readonly status: string
    readonly queuedAt: number
    readonly endedAt: number | null
  } | null
  readonly succeededAt: number | null
  /** Runs that failed since the last success, counted up to four. */
  readonly failures: number
  /** When the first of them ended. */
  readonly failingSince: number | null
}

export interface Timing {
  readonly state: ScheduleState
  /** Since the last success. */
  readonly lagSeconds: number
  /** When the next run is queued; null where none is. */
  readonly nextAt: number | null
  readonly isUnderWay: boolean
}

/** Where in its interval a subject runs, so that not all of them do at once. */
export function offsetOf(parts: readonly string[], everySeconds: number): number {
  return Number.parseInt(H('schedule', [...parts]).slice(2, 10), 16) % Math.max(1, everySeconds)
}

/**
 * How a subject stands. A run is due at the first slot of the subject after its last run was queued, however many slots
 * were missed; after a failure at `every·2^failures`, at most an hour, behind its end.
 */
export function timingOf(known: KnownRuns, now: number): Timing {
  const { everySeconds, since, last, succeededAt, failures } = known
  const lagSeconds = Math.max(0, Math.floor((now - (succeededAt ?? since)) / 1000))
  const isUnderWay = last !== null && (last.status === 'QUEUED' || last.status === 'RUNNING')
  if (!known.isKept || everySeconds === 0) {
    return { state: 'OFF', lagSeconds, nextAt: null, isUnderWay }
  }
  const isFailing = last?.status === 'FAILED' && failures > 0
  return {
    state: isFailing ? 'BLOCKED' : stateOf(lagSeconds, everySeconds),
    lagSeconds,
    nextAt: isUnderWay ? null : isFailing ? retryAt(known) : slotAfter(known),
    isUnderWay,
  }
}

function stateOf(lagSeconds: number, everySeconds: number): ScheduleState {
  if (lagSeconds > limits.overdueIntervals * everySeconds) return 'OVERDUE'
  return lagSeconds > limits.lateIntervals * everySeconds ? 'LATE' : 'ON_TIME'
}

function retryAt({ everySeconds, failures, last, since }: KnownRuns): number {
  const max = Math.max(everySeconds, hourSeconds)
  const wait = Math.min(everySeconds * 2 ** Math.min(failures, limits.failuresCounted), max)
  return (last?.endedAt ?? since) + wait * 1000
}

function slotAfter({ everySeconds, offsetSeconds, last, since }: KnownRuns): number {
  const [every, offset] = [everySeconds * 1000, offsetSeconds * 1000]
  const after = last?.queuedAt ?? since
  return (Math.floor((after - offset) / every) + 1) * every + offset
}
