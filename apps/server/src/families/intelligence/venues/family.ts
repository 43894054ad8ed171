import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { indexJobWitness } from './index-job-witness.ts'
import { observations, venues } from './records.ts'

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
  pictures: () => import('./pictures.ts'),
  witness: indexJobWitness,
  checklist: [
    {
      place: 20,
      code: 'CREATE_VENUE',
      type: 'VenueProfile',
      title: 'Describe the first venue of the token',
      why: 'A venue is the verified identity of a market.',
      operationId: 'createVenues',
    },
    {
      place: 30,
      code: 'INDEX_VENUE',
      type: 'VenueObservation',
      title: 'Index the venue',
      why: 'An observation proves that the recorded events lead from one state to the next.',
      operationId: 'queueVenueIndex',
    },
  ],
}
