import { limits } from '../limits.ts'

/**
 * How long a venue may go unread before it counts as stale, and before that is critical; seconds.
 *
 * @param cadenceSeconds how often it is to be read
 */
export function staleSeconds(cadenceSeconds: number): { after: number; critical: number } {
  const after = Math.max(limits.alertStaleLeastSeconds, limits.alertStaleIntervals * cadenceSeconds)
  return { after, critical: limits.alertEscalation * after }
}
