import {
  dayMilliseconds,
  hourMilliseconds,
  minuteMilliseconds,
  secondMilliseconds,
} from '../../units.ts'
import { headerDelay } from '../outbound/retry-after.ts'

/** Delay before each retry; after the last one a delivery is dead. */
export const retryDelaysMilliseconds: readonly number[] = [
  5 * secondMilliseconds,
  1 * minuteMilliseconds,
  5 * minuteMilliseconds,
  30 * minuteMilliseconds,
  2 * hourMilliseconds,
  5 * hourMilliseconds,
  10 * hourMilliseconds,
  14 * hourMilliseconds,
]

/** A pause is never shorter than scheduled and at most this share longer. */
const JITTER_SHARE = 0.2

/**
 * Delay before the next attempt; null if the delivery is dead.
 *
 * Jitter spreads the retries of deliveries that failed together, such as during an outage of one
 * receiver.
 *
 * @param attempts attempts made so far, from 1
 * @param jitter random in [0, 1)
 * @returns milliseconds, an integer
 */
export function nextAttemptDelay(attempts: number, jitter: number): number | null {
  if (!Number.isInteger(attempts) || attempts < 1)
    throw new RangeError('The first attempt is number 1.')
  if (!(jitter >= 0 && jitter < 1)) throw new RangeError('Jitter must be in [0, 1).')
  const delay = retryDelaysMilliseconds[attempts - 1]
  return delay === undefined ? null : Math.floor(delay * (1 + JITTER_SHARE * jitter))
}

/** Longest delay that a receiver can demand. */
const maxDemandedDelay = dayMilliseconds

/**
 * The longer of a scheduled delay and the header `Retry-After` of the receiver.
 *
 * @param delay milliseconds; null if the delivery is dead
 * @param now Unix time in ms
 */
export function delayForReceiver(
  delay: number | null,
  retryAfter: string | null,
  now: number,
): number | null {
  if (delay === null) return null
  const demanded = Math.ceil(headerDelay(retryAfter, now) ?? 0)
  return Math.max(delay, Math.min(demanded, maxDemandedDelay))
}
