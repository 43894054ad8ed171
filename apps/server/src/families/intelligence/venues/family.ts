import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import { sql } from '../../../store/database/sql.ts'
import type { Family } from '../../family.ts'
import { indexJobAudit } from './index-job-audit.ts'
import { agedPoints } from './points/aged-points.ts'
import { observations, venues } from './records.ts'
import type { VenueProfile } from './venue.ts'

export const family: Family = {
  contracts: [contract.venueFamily, contract.venueObservationFamily],
  operations: {
    listVenueObservations: observations.list(contract.listVenueObservations),
    getVenueObservations: observations.get(contract.getVenueObservations),
    listVenues: venues.list(contract.listVenues),
    createVenues: () => import('./createVenues.ts'),
    getVenues: venues.get(contract.getVenues),
    supersedeVenues: () => import('./supersedeVenues.ts'),
    queueVenueIndex: () => import('./queueVenueIndex.ts'),
  },
  kinds: [venues.kind, observations.kind],
  jobs: { VENUE_INDEX: { run: () => import('./venue-index-job.ts') } },
  schedules: [
    {
      task: 'VENUE_INDEX',
      type: 'VenueProfile',
      activeStatus: 'VALIDATED',
      inactiveStatuses: ['PAUSED'],
      everySeconds: (payload, { venueIndexSeconds }) =>
        venueIndexSeconds === 0
          ? 0
          : Math.max(venueIndexSeconds, (payload as VenueProfile).read.cadenceSeconds),
      // Runs for state only or for a limited range do not refresh up to the finalized block.
      refreshes: sql`j.input::jsonb ->> 'mode' <> 'STATE' and j.input::jsonb ->> 'toBlock' is null`,
      queue: async (records, venueId) =>
        (await import('./index-job.ts')).queueNextIndex(records, venueId),
    },
  ],
  sweeps: [
    {
      what: 'venue spans',
      everyMilliseconds: limits.evaluateVenuesMilliseconds,
      run: async (services) => (await import('./evaluate-venues.ts')).evaluateVenues(services),
    },
    {
      what: 'market points',
      everyMilliseconds: limits.fillPointsMilliseconds,
      run: async (services) => (await import('./points/fill-points.ts')).fillPoints(services),
    },
  ],
  audit: async (walk) => [
    ...(await (await import('./evaluate-venues.ts')).auditSpans(walk)),
    ...(await (await import('./points/audit-points.ts')).auditPoints(walk)),
  ],
  retention: agedPoints,
  pictures: () => import('./pictures.ts'),
  jobAudit: indexJobAudit,
  checklist: [
    {
      place: 20,
      code: 'CREATE_VENUE',
      type: 'VenueProfile',
      title: 'Add the first venue of the token',
      why: 'A venue is a pool or an order book with a verified identity.',
      operationId: 'createVenues',
    },
    {
      place: 30,
      code: 'INDEX_VENUE',
      type: 'VenueObservation',
      title: 'Index the venue',
      why: 'Replay verifies the recorded events of the venue.',
      operationId: 'queueVenueIndex',
    },
  ],
}
