import type { Job } from '../api/records.ts'
import { utcOf } from './numbers.ts'

/** Provider and end of a wait, for a job that a node does not serve; null for other jobs. */
export function jobWaitText({ waiting }: Pick<Job, 'waiting'>): string | null {
  if (!waiting) return null
  const cause = waiting.reason === 'QUOTA_EXHAUSTED' ? 'quota' : 'rate limit'
  const provider = waiting.providerId === null ? 'the node' : waiting.providerId
  return `Waits for the ${cause} of ${provider} until ${utcOf(waiting.until)}`
}
