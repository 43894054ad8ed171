import { emptyChange } from '../../apps/server/src/store/records/change.ts'
import { TenantRecords } from '../../apps/server/src/store/records/tenant-records.ts'
import { startProduct } from '../start-product.ts'
import { terms } from './swap-stream.ts'

/** The product with a validated venue of the pool on the swap node. */
const { service, callers } = await startProduct(1)
const [caller] = callers
const { database, verified, artifacts, committer, clock } = service.services
const organizationId = caller?.organizationId ?? ''
const records = new TenantRecords({
  purpose: 'REQUEST',
  organizationId,
  actor: { kind: 'SYSTEM', id: 'bench' },
  now: clock(),
  database,
  verified,
  artifacts,
})
const { sealed, change } = records.create('VenueProfile', {
  status: 'VALIDATED',
  payload: {
    schemaVersion: 'venue-profile-v1',
    name: 'Swaps of the benchmark',
    kind: 'UNISWAP_V3',
    pair: {
      chainId: 31337,
      base: '0x0000000000000000000000000000000000000001',
      quote: '0x0000000000000000000000000000000000000002',
      baseDecimals: 18,
      quoteDecimals: 18,
    },
    address: process.argv[2],
    ...terms,
    read: {
      providerId: 'swap-node',
      startBlock: 1,
      finality: 'finalized',
      logChunkBlocks: 2000,
      cadenceSeconds: 300,
    },
    tags: [],
    validation: null,
  },
  reason: 'For the benchmark',
  event: 'venue.validated',
})
await committer.commit({ ...emptyChange(organizationId, clock()), ...change })
process.stdout.write(
  `${JSON.stringify({
    baseUrl: service.baseUrl,
    caller,
    venueId: sealed.record.id,
    pid: process.pid,
  })}\n`,
)
