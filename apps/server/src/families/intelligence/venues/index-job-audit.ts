import type { OperatingSystemEvent } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence'
import type { RecordState } from '../../../family-parts.ts'
import type { JobAudit, JobRow } from '../../family.ts'
import { cadenceInput } from './index-job.ts'

interface IndexRequest {
  jobId: string
  mode: string
  fromBlock: number | null
  toBlock: number | null
  reason: string
}

type IndexParameters = Omit<IndexRequest, 'jobId'>

/**
 * Verifies index jobs. Each must be scheduled or follow a venue event, and its result must match
 * its observation.
 */
export function indexJobAudit(): JobAudit {
  const requested = new Map<string, { venueId: string; request: IndexParameters }>()
  const made = new Map<string, { venueId: string; status: string }>()
  return {
    note(versions, events) {
      for (const version of versions) noteObservation(made, version)
      for (const event of events) noteRequest(requested, event)
    },
    jobFault: (job) =>
      job.kind === 'VENUE_INDEX' ? (requestFault(requested, job) ?? resultFault(made, job)) : null,
    eventJobs: () =>
      new Map(
        [...requested].map(([jobId, { venueId }]) => [
          jobId,
          { kind: 'VENUE_INDEX', subject: venueId },
        ]),
      ),
  }
}

function noteObservation(
  made: Map<string, { venueId: string; status: string }>,
  { id, resourceType, status, payload }: RecordState,
): void {
  if (resourceType !== 'VenueObservation') return
  const { venue } = payload as { venue?: { id: string } }
  if (venue) made.set(id, { venueId: venue.id, status })
}

function noteRequest(
  requestedValue: Map<string, { venueId: string; request: IndexParameters }>,
  { kind, payload, subject }: OperatingSystemEvent,
): void {
  if (kind !== 'venue.index_queued') return
  const { jobId, ...request } = payload as unknown as IndexRequest
  requestedValue.set(jobId, { venueId: subject.id, request })
}

function requestFault(
  requests: ReadonlyMap<string, { venueId: string; request: IndexParameters }>,
  { id, subjectId, input }: JobRow,
): string | null {
  const query = requests.get(id)
  if (!query) {
    return canonicalize(cadenceInput) === canonicalize(input as IndexParameters)
      ? null
      : 'no event records that it was queued'
  }
  if (query.venueId !== subjectId) {
    return `it is for ${subjectId}, but was queued for ${query.venueId}`
  }
  return canonicalize(query.request) === canonicalize(input as IndexParameters)
    ? null
    : 'its input differs from its event'
}

function resultFault(
  observations: ReadonlyMap<string, { venueId: string; status: string }>,
  { status, subjectId, result }: JobRow,
): string | null {
  const outcome = result as { observation?: { id: string } | null; status?: string }
  if (status !== 'COMPLETED' || !outcome.observation) return null
  const made = observations.get(outcome.observation.id)
  if (!made) return null
  if (made.venueId !== subjectId) {
    return `it is for ${subjectId}, but its observation is of ${made.venueId}`
  }
  return made.status === outcome.status
    ? null
    : `its status is ${outcome.status}, but its observation is ${made.status}`
}
