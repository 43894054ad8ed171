import type { Client } from '@liquidity-os/client'
import { signSafeMessage, v3PoolAbi } from '@liquidity-os/localchain'
import type { Address, Hex } from 'viem'
import type { LaunchChain } from '../launch-chain.ts'
import { agree, type Stored } from '../own-treasury.ts'
import { ensureTokenVenue, finished, indexed, type VenueRecord } from '../resources.ts'
import { proposeOwner, writeIntent } from './study-request.ts'
import { ether, ownersOf, symbol, type TokenDay, tokensOfDollar } from './token-day.ts'

/** Records that the demo issuer prepares before it publishes market claims. */

const reason = 'Market of the demo token'
const holding = 'Depth of the demo market'
const question = `Which range served a day of ${symbol} best`
const capital = 20_000n * ether
const sizes: [string, string] = [`${1_000n * ether}`, `${10_000n * ether}`]
const limits = [
  'level prepare',
  'at most 5000 DUSD per transaction; daily limit 20000 DUSD',
  'slippage at most 0.5 %',
  'no contracts; no assets; no adapters',
  'wait at least 1 hour between actions',
  'oracle age at most 5 minutes',
  'expires in 30 days',
  'never public mempool',
  'no price limit',
].join('\n')

export interface Desk {
  readonly vaultId: string
  readonly score: {
    readonly scorePips: number | null
    readonly grade: string | null
    readonly ownFlow?: { readonly sharePips: number } | null | undefined
    readonly evidence: {
      readonly gaps: readonly { readonly code: string; readonly detail: string }[]
    }
  }
  readonly swaps: number
}

/**
 * Creates all missing records, so an interrupted start resumes.
 *
 * @param say called with a description as each part begins
 */
export async function openDesk(
  client: Client,
  launch: LaunchChain,
  day: TokenDay,
  say: (part: string) => void,
): Promise<Desk> {
  say('  Indexing its market')
  const venue = await ensureTokenVenue(client, launch, day)
  await indexed(client, venue, { reason })
  say('  Backtesting ranges and signing a report')
  await signReport(client, venue)
  say('  Scoring the market')
  const { score, swaps } = await holdScore(client, launch, venue)
  say('  Creating a vault with a policy and reconciling its books')
  const entries = await enterHoldings(client, launch, day)
  const vaultId =
    (await qualifiedVault(client, day)) ?? (await openVault(client, launch, day, entries))
  await admitPolicy(client, vaultId)
  await agree(client, entries)
  say('  Creating a liquidity target and proposing a fourth owner')
  await writeIntent(client, launch, day, venue.id)
  await proposeOwner(client, launch, vaultId)
  return { vaultId, score, swaps }
}

/** A study of ranges on the day that was observed, reported for readers outside. */
async function signReport(client: Client, venue: VenueRecord): Promise<void> {
  const params = { id: await studied(client, venue) }
  const jobs = (await client.listStudyReportJobs({ params })).body.data
  if (jobs.some(({ status }) => status === 'COMPLETED')) return
  const requested = await client.createSignedStudyReport({
    params,
    body: { payload: { formats: ['html', 'csv'] }, reason },
  })
  await finished(client, requested.body.data.id)
}

/** @returns the id of the study, that of an earlier start if it is there */
async function studied(client: Client, venue: VenueRecord): Promise<string> {
  const known = (await client.listStudies({ query: { subject: venue.id } })).body.data.find(
    ({ payload, status }) => payload.spec.name === question && status === 'COMPLETED',
  )
  if (known) return known.id
  const { body } = await client.listVenueObservations({ query: { subject: venue.id } })
  const [observation] = body.data
  if (!observation) throw new Error('The index job created no observation of the demo market.')
  const { range } = observation.payload
  const made = await client.createStudies({
    body: {
      payload: {
        schemaVersion: 'simulation-study-v1',
        kind: 'REPLAY',
        pair: venue.payload.pair,
        name: question,
        market: {
          venue: { id: venue.id, resourceVersion: observation.payload.venue.resourceVersion },
        },
        observations: [{ id: observation.id, resourceVersion: observation.resourceVersion }],
        window: { fromBlock: range.from.number, toBlock: range.to.number },
        arms: [
          { armId: 'hold', label: 'Hold', position: { kind: 'HOLD' } },
          { armId: 'full-range', label: 'Full range', position: { kind: 'FULL_RANGE' } },
          {
            armId: 'narrow',
            label: '−10 % to +10 %',
            position: { kind: 'RANGE', lowerPips: 100_000, upperPips: 100_000 },
          },
        ],
        capital: {
          base: `${capital * tokensOfDollar}`,
          quote: `${capital}`,
          normalization: 'EQUAL_VALUE',
        },
        sampleSeconds: 300,
        tradeSizesQuote: sizes,
      },
      reason,
    },
  })
  const { data } = made.body
  if ('study' in data)
    throw new Error('The service queued the study instead of running it at once.')
  return data.id
}

/** A score of the hours from the first swap to the last, which holds from then on. */
async function holdScore(
  client: Client,
  { chain }: LaunchChain,
  venue: VenueRecord,
): Promise<Pick<Desk, 'score' | 'swaps'>> {
  const { address, pair, read } = venue.payload
  const swaps = await chain.publicClient.getContractEvents({
    address: address as Address,
    abi: v3PoolAbi,
    eventName: 'Swap',
    fromBlock: BigInt(read.startBlock),
  })
  const [first, last] = [swaps[0], swaps.at(-1)]
  if (!first || !last) throw new Error('The demo token has no trades.')
  const known = (await client.listScores({ query: { status: 'ACTIVE' } })).body.data.find(
    ({ payload }) => payload.request.pair.base === pair.base,
  )
  if (known) return { score: known.payload, swaps: swaps.length }
  const timeOf = async (blockNumber: bigint, laterSeconds = 0) => {
    const { timestamp } = await chain.publicClient.getBlock({ blockNumber })
    return new Date((Number(timestamp) + laterSeconds) * 1000).toISOString()
  }
  const { body } = await client.createScores({
    body: {
      payload: {
        schemaVersion: 'market-quality-request-v1',
        pair,
        weightSet: 'mqs-1',
        venues: [{ id: venue.id, resourceVersion: venue.resourceVersion }],
        window: { from: await timeOf(first.blockNumber), to: await timeOf(last.blockNumber, 1) },
        referenceTradeSizeQuote: sizes[0],
        tradeSizesQuote: sizes,
      },
      reason,
    },
  })
  const { id, resourceVersion, payload } = body.data
  await client.activateMarketQualityScore({
    params: { id },
    ifMatch: resourceVersion,
    body: { reason },
  })
  return { score: payload, swaps: swaps.length }
}

async function enterHoldings(
  client: Client,
  { chain }: LaunchChain,
  { token, quote, safe }: TokenDay,
): Promise<Stored[]> {
  const { chainId } = chain
  const known = (await client.listTreasuryEntries({ query: { status: 'ACTIVE', limit: 100 } })).body
    .data
  const held: Stored[] = []
  for (const address of [token, quote]) {
    const asset = `eip155:${chainId}/erc20:${address.toLowerCase()}`
    const before = known.find(({ payload }) => payload.label === holding && payload.asset === asset)
    if (before) held.push(before)
    if (before) continue
    const { body } = await client.createTreasuryEntries({
      body: {
        payload: {
          entryKind: 'ASSET',
          label: holding,
          purpose: 'LIQUIDITY_PROGRAM',
          asset,
          container: { kind: 'SAFE', chainId, address: safe },
        },
        reason,
      },
    })
    held.push(body.data)
  }
  return held
}

async function qualifiedVault(client: Client, { token, safe }: TokenDay): Promise<string | null> {
  const vaults = (await client.listQualifiedVaultsV2()).body.data
  const own = vaults.find(
    ({ payload: { safeAddress, pair } }) => safeAddress === safe && pair.base === token,
  )
  return own?.payload.qualification === 'QUALIFIED' ? own.id : null
}

/** Two owners sign that their Safe administers the token, and the Safe is read. */
async function openVault(
  client: Client,
  { chain }: LaunchChain,
  day: TokenDay,
  [entry]: readonly Stored[],
): Promise<string> {
  const { token, safe } = day
  const { chainId } = chain
  const claim = { chainId, token, claimant: safe, format: 'EIP712' } as const
  const issued = await client.issueProjectControlChallenge({
    body: { ...claim, method: 'DEFAULT_ADMIN', reason },
  })
  const { nonce, digest } = issued.body.data
  const signers = ownersOf(chain).slice(0, 2)
  const signature = await signSafeMessage(chainId, safe, digest as Hex, signers)
  await client.acceptProjectControlProof({ body: { nonce, signature, reason } })
  const { body } = await client.observeVaults({
    body: { payload: { entryId: entry?.id ?? '' }, reason },
  })
  await finished(client, body.data.id)
  const vaultId = await qualifiedVault(client, day)
  if (vaultId === null) throw new Error('The vault is not qualified.')
  return vaultId
}

/**
 * Drafts, compiles and activates a text policy. It covers advice and preparation only, so one user
 * may activate it.
 */
async function admitPolicy(client: Client, vaultId: string): Promise<void> {
  const known = (await client.listAutonomyPolicies({ query: { subject: vaultId } })).body.data
  if (known.some(({ status }) => status === 'ACTIVE')) return
  const drafted = await client.createPolicyIntentDrafts({
    body: { payload: { vaultId, baseline: 'NONE', text: limits }, reason },
  })
  const { id, resourceVersion } = drafted.body.data.draft
  const compiled = await client.compilePolicyIntent({
    params: { id },
    ifMatch: resourceVersion,
    body: { reason },
  })
  const { policy } = compiled.body.data.compilation
  await client.createAutonomyPolicies({ body: { payload: policy, reason } })
}
