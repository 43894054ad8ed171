import { ApiFailure, type Client } from '@liquidity-os/client'
import type { contract, OperatingSystemJob } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import type { LaunchChain } from './launch-chain.ts'
import type { OwnMarket } from './own-market.ts'

export type VenueRecord = Static<typeof contract.VenueProfileRecord>
export type ObservationRecord = Static<typeof contract.VenueObservationRecord>
export type StudyRecord = Static<typeof contract.SimulationStudyRecord>

const providerId = 'local-chain'

/** Registers the chain, or gives the provider of an earlier start its new address. */
export async function putProvider(client: Client, launch: LaunchChain) {
  const { body } = await client.listOperatingSystemProviders()
  const known = body.data.find(({ payload }) => payload.providerId === providerId)
  const put = await client.putOperatingSystemProvider({
    ...(known ? { ifMatch: known.resourceVersion } : {}),
    body: {
      payload: {
        providerId,
        kind: 'CHAIN_RPC',
        displayName: 'Local chain with genuine bytecode',
        endpoint: launch.chain.rpcUrl,
        configuration: { chainId: launch.chain.chainId, finality: 'finalized' },
      },
      reason: known ? 'The chain was started again on another port' : 'Reads for the demo',
    },
  })
  return put.body.data
}

/** Creates and validates the venue, or finds that of an earlier start. */
export async function ensureVenue(client: Client, launch: LaunchChain): Promise<VenueRecord> {
  const { body } = await client.listVenues()
  const address = launch.recording.pool
  const known = body.data.find(
    ({ payload, status }) => payload.address === address && status !== 'REVOKED',
  )
  if (known) return known
  const created = await client.createVenues({
    body: {
      payload: {
        schemaVersion: 'venue-profile-v1',
        name: 'ENS / WETH 0.30 %, the launch of November 2021',
        kind: 'UNISWAP_V3',
        pair: {
          chainId: launch.chain.chainId,
          base: launch.base,
          quote: launch.quote,
          baseDecimals: 18,
          quoteDecimals: 18,
        },
        address,
        factory: launch.chain.contracts.uniswapV3Factory,
        feePips: 3000,
        tickSpacing: 60,
        read: {
          providerId,
          // The pool was created in the block before it got its price.
          startBlock: Number(launch.recording.fromBlock) - 1,
          finality: 'finalized',
          logChunkBlocks: 200,
          cadenceSeconds: 60,
        },
        tags: ['launch', 'demo'],
      },
      status: 'VALIDATED',
      reason: 'The launch pool of the demo',
    },
  })
  return created.body.data
}

/** Creates and validates the venue of our own swaps, or finds that of an earlier start. */
export async function ensureOwnVenue(
  client: Client,
  launch: LaunchChain,
  { address, startBlock }: OwnMarket,
): Promise<VenueRecord> {
  const { body } = await client.listVenues()
  const known = body.data.find(
    ({ payload, status }) => payload.address === address && status !== 'REVOKED',
  )
  if (known) return known
  const created = await client.createVenues({
    body: {
      payload: {
        schemaVersion: 'venue-profile-v1',
        name: 'ENS / WETH 0.30 % on Uniswap v2, our own swaps',
        kind: 'UNISWAP_V2',
        pair: {
          chainId: launch.chain.chainId,
          base: launch.base,
          quote: launch.quote,
          baseDecimals: 18,
          quoteDecimals: 18,
        },
        address,
        factory: launch.chain.contracts.uniswapV2Factory,
        feePips: 3000,
        read: {
          providerId,
          startBlock,
          finality: 'finalized',
          logChunkBlocks: 200,
          cadenceSeconds: 60,
        },
        tags: ['ours', 'demo'],
      },
      status: 'VALIDATED',
      reason: 'A market that goes on, with nothing in it that was recorded',
    },
  })
  return created.body.data
}

/** The observation of the recorded blocks and of no other: that of an earlier start, or a new one. */
export async function observeLaunch(
  client: Client,
  venue: VenueRecord,
  launch: LaunchChain,
  onProgress: (pips: number) => void,
): Promise<ObservationRecord> {
  const known = await findLaunch(client, venue, launch)
  if (known) return known
  const body = {
    payload: { mode: 'FULL' as const, toBlock: Number(launch.recording.toBlock) },
    reason: 'The recorded blocks of the launch',
  }
  const id = await client.queueVenueIndex({ params: { id: venue.id }, body }).then(
    (queued) => queued.body.data.id,
    (error: unknown) => indexUnderWay(client, venue, error),
  )
  const job = await finished(client, id, onProgress)
  if (job.status !== 'COMPLETED')
    throw new Error(`The index job ended ${job.status}: ${job.error?.message}`)
  const made = await findLaunch(client, venue, launch)
  if (!made) throw new Error('The index job left no observation of the recorded blocks.')
  return made
}

/** The venue is read at its cadence as well, which may have been first; there are no more blocks than ours to read. */
async function indexUnderWay(client: Client, venue: VenueRecord, error: unknown): Promise<string> {
  if (!(error instanceof ApiFailure && error.code === 'LIQUIDITY_VENUE_INDEX_RUNNING')) throw error
  const { body } = await client.listOperatingSystemJobs({ query: { kind: 'VENUE_INDEX' } })
  const job = body.data.find(({ subject }) => subject.id === venue.id)
  if (!job) throw error
  return job.id
}

async function findLaunch(
  client: Client,
  { id: subject, payload: { read } }: VenueRecord,
  { lastHash }: LaunchChain,
): Promise<ObservationRecord | null> {
  for (let cursor: string | undefined; ; ) {
    const query = { subject, order: 'OLDEST', ...(cursor && { cursor }) } as const
    const { body } = await client.listVenueObservations({ query })
    const found = body.data.find(
      ({ payload: { range } }) =>
        range.to.hash === lastHash && range.from.number === read.startBlock,
    )
    if (found) return found
    if (!body.meta.nextCursor) return null
    cursor = body.meta.nextCursor
  }
}

/** Waits for a job by asking; the answer tells how far it is. */
async function finished(
  client: Client,
  id: string,
  onProgress: (pips: number) => void,
): Promise<OperatingSystemJob> {
  for (;;) {
    const { body } = await client.listOperatingSystemJobs()
    const job = body.data.find((found) => found.id === id)
    if (!job) throw new Error(`The job ${id} is not listed.`)
    onProgress(job.progressPips)
    if (job.finishedAt) return job
    await new Promise((done) => setTimeout(done, 100))
  }
}

const question = 'Which range would have delivered depth in the launch'

/** Runs the study of the launch, or finds that of an earlier start: holding, the full range, and two ranges around the first price. */
export async function runStudy(
  client: Client,
  venue: VenueRecord,
  observation: ObservationRecord,
): Promise<StudyRecord> {
  const ether = (amount: bigint) => (amount * 10n ** 18n).toString()
  const { range } = observation.payload
  const known = await findStudy(client, venue, observation)
  if (known) return known
  const { body } = await client.createStudies({
    body: {
      payload: {
        schemaVersion: 'simulation-study-v1',
        name: question,
        kind: 'REPLAY',
        pair: venue.payload.pair,
        market: {
          venue: { id: venue.id, resourceVersion: observation.payload.venue.resourceVersion },
        },
        observations: [{ id: observation.id, resourceVersion: observation.resourceVersion }],
        window: { fromBlock: range.from.number, toBlock: range.to.number },
        arms: [
          { armId: 'hold', label: 'Hold', position: { kind: 'HOLD' } },
          { armId: 'full-range', label: 'Full range', position: { kind: 'FULL_RANGE' } },
          {
            armId: 'wide',
            label: '−50 % to +100 %',
            position: { kind: 'RANGE', lowerPips: 500_000, upperPips: 1_000_000 },
          },
          {
            armId: 'narrow',
            label: '−20 % to +25 %',
            position: { kind: 'RANGE', lowerPips: 200_000, upperPips: 250_000 },
          },
        ],
        capital: { base: ether(10_000n), quote: ether(100n), normalization: 'EQUAL_VALUE' },
        sampleSeconds: 60,
        tradeSizesQuote: [ether(1n), ether(10n), ether(50n)],
      },
      reason: 'The question of the demo',
    },
  })
  const { data } = body
  if ('study' in data)
    throw new Error('The study was queued, but it is small enough to be answered at once.')
  return data
}

/** The study of an earlier start: the oldest that asks this of the observation, whatever else its reader has asked since. */
async function findStudy(
  client: Client,
  { id: subject }: VenueRecord,
  observation: ObservationRecord,
): Promise<StudyRecord | null> {
  for (let cursor: string | undefined; ; ) {
    const query = {
      subject,
      status: 'COMPLETED',
      order: 'OLDEST',
      ...(cursor && { cursor }),
    } as const
    const { body } = await client.listStudies({ query })
    const found = body.data.find(
      ({ payload: { spec } }) =>
        spec.name === question && spec.observations?.some(({ id }) => id === observation.id),
    )
    if (found) return found
    if (!body.meta.nextCursor) return null
    cursor = body.meta.nextCursor
  }
}
