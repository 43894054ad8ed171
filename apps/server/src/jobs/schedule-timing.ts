import { H } from '@liquidity-os/evidence'
import { limits } from '../limits.ts'
import { hourSeconds } from '../units.ts'

export type ScheduleState = 'ON_TIME' | 'LATE' | 'OVERDUE' | 'BLOCKED' | 'OFF'

/** Known runs of a subject; times in milliseconds since 1970. */
export interface KnownRuns {
  readonly everySeconds: number
  /** Start of the current state; used if no run ever succeeded. */
  readonly since: number
  readonly isActive: boolean
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
  /** End of the first of these failures. */
  readonly failingSince: number | null
}

export interface Timing {
  readonly state: ScheduleState
  /** Since the last success. */
  readonly lagSeconds: number
  /** Due time of the next run, or null. */
  readonly nextAt: number | null
  readonly isUnderWay: boolean
}

/** Offset of a subject within its interval, so that subjects do not all run at once. */
export function offsetOf(parts: readonly string[], everySeconds: number): number {
  return Number.parseInt(H('schedule', [...parts]).slice(2, 10), 16) % Math.max(1, everySeconds)
}

/**
 * Schedule state of a subject. A run is due at the first slot after the last run was queued,
 * however many slots were missed. After a failure it is due `every·2^failures` after its end, at
 * most one hour.
 */
export function timingOf(known: KnownRuns, now: number): Timing {
  const { everySeconds, since, last, succeededAt, failures } = known
  const lagSeconds = Math.max(0, Math.floor((now - (succeededAt ?? since)) / 1000))
  const isUnderWay = last !== null && (last.status === 'QUEUED' || last.status === 'RUNNING')
  if (!known.isActive || everySeconds === 0) {
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
