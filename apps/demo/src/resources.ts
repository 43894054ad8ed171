import { ApiFailure, type Client, each } from '@liquidity-os/client'
import type { contract, OperatingSystemJob } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import type { Address } from 'viem'
import { quoteSymbol, symbol, type TokenDay } from './issuer/token-day.ts'
import type { LaunchChain } from './launch-chain.ts'
import type { OwnMarket } from './own-market.ts'

export type VenueRecord = Static<typeof contract.VenueProfileRecord>
export type ObservationRecord = Static<typeof contract.VenueObservationRecord>
export type StudyRecord = Static<typeof contract.SimulationStudyRecord>

const providerId = 'local-chain'

/** The first record that matches, on any page of a list. */
export async function firstOf<Item>(
  records: AsyncIterable<Item>,
  matches: (record: Item) => boolean,
): Promise<Item | undefined> {
  for await (const record of records) if (matches(record)) return record
  return undefined
}

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
        displayName: 'Local chain with original bytecode',
        endpoint: launch.chain.rpcUrl,
        configuration: { chainId: launch.chain.chainId, finality: 'finalized' },
      },
      reason: known ? 'The chain restarted on another port' : 'Reads for the demo',
    },
  })
  return put.body.data
}

interface Market {
  readonly name: string
  readonly kind: 'UNISWAP_V2' | 'UNISWAP_V3'
  readonly address: Address
  readonly base: Address
  readonly quote: Address
  readonly startBlock: number
  readonly tags: string[]
  readonly reason: string
}

/** Creates and validates a venue that trades at 0.30 %, or finds that of an earlier start. */
export async function ensureMarket(
  client: Client,
  { chain }: LaunchChain,
  { name, kind, address, base, quote, startBlock, tags, reason }: Market,
): Promise<VenueRecord> {
  const known = await firstOf(
    each(client.listVenues, { query: { order: 'OLDEST' } }),
    ({ payload, status }) => payload.address === address && status !== 'REVOKED',
  )
  if (known) return known
  const { uniswapV2Factory, uniswapV3Factory } = chain.contracts
  const created = await client.createVenues({
    body: {
      payload: {
        schemaVersion: 'venue-profile-v1',
        name,
        kind,
        address,
        tags,
        pair: { chainId: chain.chainId, base, quote, baseDecimals: 18, quoteDecimals: 18 },
        factory: kind === 'UNISWAP_V3' ? uniswapV3Factory : uniswapV2Factory,
        feePips: 3000,
        ...(kind === 'UNISWAP_V3' ? { tickSpacing: 60 } : {}),
        read: {
          providerId,
          startBlock,
          finality: 'finalized',
          logChunkBlocks: 200,
          cadenceSeconds: 60,
        },
      },
      status: 'VALIDATED',
      reason,
    },
  })
  return created.body.data
}

/** Declares the base tokens of the demo's venues as own tokens, unless a user has decided. */
export async function declareOwnTokens(client: Client, ...venues: VenueRecord[]): Promise<void> {
  const { body } = await client.listTreasuryAssets({ query: { limit: 100 } })
  for (const { payload } of venues) {
    const assetKey = `eip155:${payload.pair.chainId}/erc20:${payload.pair.base.toLowerCase()}`
    const isOpen = body.data.some(
      (row) => row.assetKey === assetKey && row.standing === 'UNDECLARED' && row.pending === null,
    )
    if (!isOpen) continue
    await client.createTreasuryAssets({
      body: { assetKey, class: 'OWN_TOKEN', reason: 'A token of the demo' },
    })
  }
}

/** The venue of the launch. */
export const ensureVenue = (client: Client, launch: LaunchChain): Promise<VenueRecord> =>
  ensureMarket(client, launch, {
    name: 'ENS / WETH 0.30 %, the launch of November 2021',
    kind: 'UNISWAP_V3',
    address: launch.recording.pool,
    base: launch.base,
    quote: launch.quote,
    // The pool was created in the block before it got its price.
    startBlock: Number(launch.recording.fromBlock) - 1,
    tags: ['launch', 'demo'],
    reason: 'The launch pool of the demo',
  })

export const ensureOwnVenue = (
  client: Client,
  launch: LaunchChain,
  { address, startBlock }: OwnMarket,
): Promise<VenueRecord> =>
  ensureMarket(client, launch, {
    name: 'ENS / WETH 0.30 % on Uniswap v2, live demo swaps',
    kind: 'UNISWAP_V2',
    address,
    base: launch.base,
    quote: launch.quote,
    startBlock,
    tags: ['ours', 'demo'],
    reason: 'Live demo market, separate from the recording',
  })

/** The venue of the token that the organization issued. */
export const ensureTokenVenue = (
  client: Client,
  launch: LaunchChain,
  { pool, token, quote, startBlock }: TokenDay,
): Promise<VenueRecord> =>
  ensureMarket(client, launch, {
    name: `${symbol} / ${quoteSymbol} 0.30 %, one day of demo swaps`,
    kind: 'UNISWAP_V3',
    address: pool,
    base: token,
    quote,
    startBlock,
    tags: ['ours', 'demo'],
    reason: 'Market of the demo token',
  })

/** The observation of the recorded blocks and of no other: that of an earlier start, or a new one. */
export async function observeLaunch(
  client: Client,
  venue: VenueRecord,
  launch: LaunchChain,
  onProgress: (pips: number) => void,
): Promise<ObservationRecord> {
  const known = await findLaunch(client, venue, launch)
  if (known) return known
  const toBlock = Number(launch.recording.toBlock)
  await indexed(client, venue, { toBlock, reason: 'The recorded blocks of the launch' }, onProgress)
  const made = await findLaunch(client, venue, launch)
  if (!made) throw new Error('The index job created no observation of the recorded blocks.')
  // Without newer blocks, the anomaly sweep takes the launch of 2021 for the present.
  await indexed(client, venue, { reason: 'The blocks after the launch' })
  return made
}

/**
 * Indexes a venue from its first block to `toBlock`, or to the finalized block. If a scheduled
 * index runs first, this follows it.
 */
export async function indexed(
  client: Client,
  venue: VenueRecord,
  { toBlock, reason }: { toBlock?: number; reason: string },
  onProgress?: (pips: number) => void,
): Promise<void> {
  const payload = { mode: 'FULL' as const, ...(toBlock === undefined ? {} : { toBlock }) }
  for (;;) {
    const { id, isOurs } = await client
      .queueVenueIndex({ params: { id: venue.id }, body: { payload, reason } })
      .then(
        ({ body }) => ({ id: body.data.id, isOurs: true }),
        async (error: unknown) => ({
          id: await indexUnderWay(client, venue, error),
          isOurs: false,
        }),
      )
    await finished(client, id, onProgress)
    if (isOurs) return
  }
}

/** The job that reads the venue already. */
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

/**
 * Polls a job until it ends and reports its progress.
 *
 * @throws Error if the job failed
 */
export async function finished(
  client: Client,
  id: string,
  onProgress: (pips: number) => void = () => {},
): Promise<OperatingSystemJob> {
  for (;;) {
    const { body } = await client.listOperatingSystemJobs()
    const job = body.data.find((found) => found.id === id)
    if (!job) throw new Error(`The job ${id} is not listed.`)
    onProgress(job.progressPips)
    if (job.status !== 'COMPLETED' && job.finishedAt)
      throw new Error(`The job ${job.kind} ended ${job.status}: ${job.error?.message}`)
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
      reason: 'Demo question',
    },
  })
  const { data } = body
  if ('study' in data)
    throw new Error('The service queued the study instead of running it at once.')
  return data
}

/**
 * The study of an earlier start: the oldest one with this specification and observation. The user
 * may have added others since.
 */
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
