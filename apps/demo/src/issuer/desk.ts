import type { Client } from '@liquidity-os/client'
import { createSafe, signSafeMessage, v3PoolAbi } from '@liquidity-os/localchain'
import type { Address, Hex } from 'viem'
import type { LaunchChain } from '../launch-chain.ts'
import { agree, type Stored } from '../own-treasury.ts'
import { ensureTokenVenue, finished, indexed, type VenueRecord } from '../resources.ts'
import { proposeOwner, writeIntent } from './asked.ts'
import { ether, fund, handOver, symbol, type TokenDay, tokensOfDollar } from './token-day.ts'

/** What the desk of an issuer has in order before it says anything of its market to strangers. */

const reason = 'The market of our own token'
const funded = 200_000n * ether
const capital = 20_000n * ether
const sizes = [`${1_000n * ether}`, `${10_000n * ether}`]
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
  readonly score: { readonly scorePips: number | null; readonly grade: string | null }
  readonly swaps: number
}

/** @param say told what is done, as each part begins */
export async function openDesk(
  client: Client,
  launch: LaunchChain,
  day: TokenDay,
  say: (part: string) => void,
): Promise<Desk> {
  say('  Reading its market')
  const venue = await ensureTokenVenue(client, launch, day)
  await indexed(client, venue, { reason }, () => {})
  say('  Studying ranges in it, and signing a report')
  await signReport(client, venue)
  say('  Judging the market')
  const { score, swaps } = await holdScore(client, launch, venue)
  say('  Opening a vault under a policy, and closing its books')
  const safe = await fundSafe(launch, day)
  await proveControl(client, launch, day, safe)
  const entries = await enterHoldings(client, launch, day, safe)
  const vaultId = await readVault(client, safe, entries[0] as Stored)
  await admitPolicy(client, vaultId)
  await agree(client, entries)
  say('  Writing an intent, and asking for a fourth owner')
  await writeIntent(client, launch, day, venue.id)
  await proposeOwner(client, launch, vaultId)
  return { vaultId, score, swaps }
}

/** A study of ranges on the day that was observed, reported for readers outside. */
async function signReport(client: Client, venue: VenueRecord): Promise<void> {
  const { body } = await client.listVenueObservations({ query: { subject: venue.id } })
  const [observation] = body.data
  if (!observation) throw new Error('The index job left no observation of our own market.')
  const { range } = observation.payload
  const studied = await client.createStudies({
    body: {
      payload: {
        ...{ schemaVersion: 'simulation-study-v1', kind: 'REPLAY', pair: venue.payload.pair },
        name: `Which range served a day of ${symbol} best`,
        market: {
          venue: { id: venue.id, resourceVersion: observation.payload.venue.resourceVersion },
        },
        observations: [{ id: observation.id, resourceVersion: observation.resourceVersion }],
        window: { fromBlock: range.from.number, toBlock: range.to.number },
        arms: [
          { armId: 'hold', label: 'Hold', position: { kind: 'HOLD' } },
          { armId: 'full-range', label: 'Full range', position: { kind: 'FULL_RANGE' } },
          {
            ...{ armId: 'narrow', label: '−10 % to +10 %' },
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
  const { data } = studied.body
  if ('study' in data) throw new Error('The study was queued, but it is small enough for at once.')
  const asked = await client.createSignedStudyReport({
    ...{ params: { id: data.id }, body: { payload: { formats: ['html', 'csv'] }, reason } },
  })
  await finished(client, asked.body.data.id)
}

/** A score of the hours from the first swap to the last, which holds from then on. */
async function holdScore(client: Client, { chain }: LaunchChain, venue: VenueRecord) {
  const { address, pair, read } = venue.payload
  const swaps = await chain.publicClient.getContractEvents({
    ...{ address: address as Address, abi: v3PoolAbi, eventName: 'Swap' },
    fromBlock: BigInt(read.startBlock),
  })
  const timeOf = async (blockNumber: bigint | undefined) => {
    const { timestamp } = await chain.publicClient.getBlock({ blockNumber: blockNumber ?? 0n })
    return new Date(Number(timestamp) * 1000).toISOString()
  }
  const { body } = await client.createScores({
    body: {
      payload: {
        ...{ schemaVersion: 'market-quality-request-v1', pair, weightSet: 'mqs-1' },
        venues: [{ id: venue.id, resourceVersion: venue.resourceVersion }],
        window: {
          from: await timeOf(swaps[0]?.blockNumber),
          to: await timeOf(swaps.at(-1)?.blockNumber),
        },
        referenceTradeSizeQuote: sizes[0],
        tradeSizesQuote: sizes,
      },
      reason,
    } as never,
  })
  const { id, resourceVersion, payload } = body.data
  await client.activateMarketQualityScore({
    ...{ params: { id }, ifMatch: resourceVersion, body: { reason } },
  })
  const { scorePips, grade } = payload as Desk['score']
  return { score: { scorePips, grade }, swaps: swaps.length }
}

const ownersOf = ({ chain }: Pick<LaunchChain, 'chain'>) => chain.accounts.slice(1, 4)

/** A Safe of two out of three that has every role of the token, and both tokens. */
async function fundSafe({ chain }: LaunchChain, day: TokenDay): Promise<Address> {
  const owners = ownersOf({ chain }).map(({ address }) => address)
  const safe = await createSafe(chain, { owners, threshold: 2, saltNonce: BigInt(Date.now()) })
  await fund(chain, day, safe, funded)
  await handOver(chain, day.token, safe)
  // What is final is two blocks behind.
  await chain.mine(3)
  return safe
}

/** Two owners sign that their Safe administers the token. */
async function proveControl(
  client: Client,
  launch: LaunchChain,
  { token }: TokenDay,
  claimant: Address,
): Promise<void> {
  const { chainId } = launch.chain
  const claim = { chainId, token, claimant, method: 'DEFAULT_ADMIN', format: 'EIP712' } as const
  const issued = await client.issueProjectControlChallenge({ body: { ...claim, reason } })
  const { nonce, digest } = issued.body.data
  const signers = ownersOf(launch).slice(0, 2)
  const signature = await signSafeMessage(chainId, claimant, digest as Hex, signers)
  await client.acceptProjectControlProof({ body: { nonce, signature, reason } })
}

async function enterHoldings(
  client: Client,
  { chain }: LaunchChain,
  { token, quote }: TokenDay,
  address: Address,
): Promise<Stored[]> {
  const { chainId } = chain
  const held: Stored[] = []
  for (const asset of [token, quote]) {
    const { body } = await client.createTreasuryEntries({
      body: {
        payload: {
          ...{ entryKind: 'ASSET', label: 'Depth of our own market', purpose: 'LIQUIDITY_PROGRAM' },
          asset: `eip155:${chainId}/erc20:${asset.toLowerCase()}`,
          container: { kind: 'SAFE', chainId, address },
        },
        reason,
      },
    })
    held.push(body.data)
  }
  return held
}

async function readVault(client: Client, safe: Address, entry: Stored): Promise<string> {
  const { body } = await client.observeVaults({ body: { payload: { entryId: entry.id }, reason } })
  await finished(client, body.data.id)
  const vaults = (await client.listQualifiedVaultsV2()).body.data
  const vault = vaults.find(
    ({ payload }) => payload.safeAddress.toLowerCase() === safe.toLowerCase(),
  )
  if (vault?.payload.qualification !== 'QUALIFIED') throw new Error('The vault is not qualified.')
  return vault.id
}

/** Limits in words, read, compiled and admitted: advice and preparation, which one person may let hold. */
async function admitPolicy(client: Client, vaultId: string): Promise<void> {
  const drafted = await client.createPolicyIntentDrafts({
    body: { payload: { vaultId, baseline: 'NONE', text: limits }, reason },
  })
  const { id, resourceVersion } = drafted.body.data.draft
  const compiled = await client.compilePolicyIntent({
    ...{ params: { id }, ifMatch: resourceVersion, body: { reason } },
  })
  const { policy } = compiled.body.data.compilation
  await client.createAutonomyPolicies({ body: { payload: policy, reason } })
}
