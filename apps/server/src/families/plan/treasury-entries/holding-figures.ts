import type { contract, SourceRef } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { Failure } from '../../../failure.ts'
import {
  type Classified,
  classifyAsset,
  ownTokens,
} from '../../../market/treasury/asset-classes.ts'
import { containerKeyOf, namedAsset } from '../../../market/treasury/asset-keys.ts'
import { type Holding, readHolding } from '../../../market/treasury/read-holding.ts'
import { treasuryComputation } from '../../../market/treasury/treasury-computation.ts'
import {
  asked,
  type PinnedChain,
  type PinnedSnapshot,
} from '../../../market/treasury/treasury-snapshot.ts'
import type { ArtifactInsert } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { allocate, type Claim } from './allocation.ts'
import { loanFigures } from './loan-figures.ts'
import { treasuryEntries } from './records.ts'
import { liveReservations, overReservedGap, reservedOf, splitFree } from './reserved.ts'
import { valued } from './valued.ts'

type Input = Extract<contract.TreasuryBucketInput, { entryKind: 'ASSET' }>
type Bucket = contract.TreasuryBucket

/** An entry of a holding as it is kept, its state, and the proof that belongs to it. */
export interface ObservedEntry {
  readonly payload: contract.TreasuryHolding
  readonly status: 'ACTIVE' | 'PARTIAL'
  readonly artifacts: readonly Omit<ArtifactInsert, 'producer'>[]
}

/** The entry that is observed, where it exists already. */
type Before = VersionedRecord<Bucket> | null

/** What a container holds, read from a chain or said by signed evidence. */
export interface KnownHolding {
  readonly holding: Omit<Holding, 'proof' | 'decimals'> & {
    readonly proof: Holding['proof'] | 'SIGNED'
    readonly decimals: number | null
  }
  /** Unix seconds: the moment of the figures. */
  readonly asOf: number
  /** Null where nothing lies on a chain. */
  readonly snapshot: PinnedSnapshot | null
  readonly sources: readonly SourceRef[]
  readonly limitations: readonly string[]
}

interface Observing {
  readonly before: Before
  /** What paths of the request's fields begin with. */
  readonly field: string
  readonly rollForward?: (closing: bigint) => Promise<contract.TreasuryHolding['rollForward']>
}

/**
 * Reads what an entry holds at the block of a snapshot, and makes its figures of it.
 *
 * @param more.rollForward what moved it since the observation before
 * @throws Failure 422 for an asset that does not answer and for more restricted than there is, 409 for a generation of
 *   prices that is not the current one, 503 as the chain refuses
 */
export async function observeEntry(
  records: TenantRecords,
  input: Input,
  snapshot: PinnedSnapshot,
  more: Observing,
): Promise<ObservedEntry> {
  const holding = await holdingOf(input, snapshot, more.field)
  const { asOf, limitations } = snapshot
  return entryOf(records, input, { holding, asOf, snapshot, sources: [], limitations }, more)
}

/**
 * Makes the figures of an entry of what its container holds.
 *
 * @throws Failure as `observeEntry`
 */
export async function entryOf(
  records: TenantRecords,
  input: Input,
  { holding, asOf, snapshot, sources, limitations }: KnownHolding,
  more: Observing,
): Promise<ObservedEntry> {
  const claims = await claimsOf(records, input, more.before)
  const own = claimOf(more.before?.id ?? '', input)
  const part = allocate(holding.balance, claims).get(own.id)
  if (part === undefined) throw new Error('The entry has no part of its own container.')
  const { quantity, shortfall } = part
  const restricted = restrictedAt(input, asOf, quantity, more.field)
  const wanted = more.before ? reservedOf(await liveReservations(records), more.before.id) : 0n
  const { unrestricted, reserved, overReserved } = splitFree(quantity - restricted, wanted)
  const isReceivable = input.container.kind === 'MARKET_MAKER_ACCOUNT'
  const legs = legsOf(holding, quantity)
  const classified = await classifyAsset(
    {
      ...{ assetKey: input.asset, declared: input.assetClass, isReceivable },
      legs: legs.map(({ asset }) => asset),
    },
    await ownTokens(records),
    snapshot,
  )
  requireUndeclared(input, classified)
  const parts = legs.length > 0 ? legs : [{ asset: input.asset, quantity }]
  const terms = { at: asOf, rounding: 'DOWN', field: more.field } as const
  const worth = input.valuation
    ? await valued(records, input.valuation, parts, terms)
    : { value: null, prices: [], gaps: [] }
  const gaps = [
    ...(snapshot?.gaps ?? []),
    ...worth.gaps,
    ...(shortfall > 0n ? [underfunded(input, shortfall)] : []),
    ...(overReserved > 0n ? [overReservedGap(containerKeyOf(input.container), overReserved)] : []),
  ]
  const computation = treasuryComputation({
    ...{ request: input, sources, snapshot: snapshot?.view ?? null, prices: worth.prices, gaps },
    limitations,
  })
  const { evidence } = holding
  return {
    status: computation.completeness === 'COMPLETED' ? 'ACTIVE' : 'PARTIAL',
    artifacts: evidence ? [{ ...evidence, mediaType: 'application/json' }] : [],
    payload: {
      ...input,
      containerKey: containerKeyOf(input.container),
      ...classified,
      decimals: holding.decimals,
      observed: {
        ...{
          quantity: `${quantity}`,
          containerBalance: `${holding.balance}`,
          proof: holding.proof,
        },
        evidenceHash: evidence?.contentHash ?? null,
        legs: legs.map(({ asset, quantity: amount }) => ({ asset, quantity: `${amount}` })),
      },
      split: {
        ...{ unrestricted: `${unrestricted}`, restricted: `${restricted}` },
        ...{ reserved: `${reserved}`, shortfall: `${shortfall}` },
      },
      ...{ total: null, settled: '0', remaining: null, overdue: null, settlements: [] },
      rollForward: (await more.rollForward?.(holding.balance)) ?? null,
      value: worth.value,
      loaned: input.loan ? loanFigures(input.loan, worth.prices, asOf) : null,
      ...{ disposition: null, computation },
    },
  }
}

/** What the container holds of the asset of an entry. */
export async function holdingOf(
  { asset, container }: Pick<Input, 'asset' | 'container'>,
  snapshot: PinnedSnapshot,
  field: string,
): Promise<Holding> {
  const named = namedAsset(asset)
  const chain = named.kind === 'MONEY' ? undefined : snapshot.chains.get(named.chainId)
  if (named.kind === 'MONEY' || !('address' in container) || !chain) {
    throw new Error('What is not on a chain is not read from one.')
  }
  const found = await asked(() => readHolding(chain, named, container.address as Address))
  if (found === null) {
    throw new Failure('LIQUIDITY_TREASURY_ASSET_UNREADABLE', {
      fieldErrors: {
        [`${field}asset`]: [`must answer at block ${chain.block.number}, got ${asset}`],
      },
    })
  }
  return found
}

/** The part of a claim's legs that belongs to an entry, rounded down. */
function legsOf({ legs, balance }: KnownHolding['holding'], quantity: bigint) {
  return legs.map(({ asset, quantity: whole }) => ({
    asset,
    quantity: balance === 0n ? 0n : (whole * quantity) / balance,
  }))
}

const whole = { kind: 'WHOLE' } as const
const claimOf = (id: string, { allocation = whole }: Pick<Input, 'allocation'>): Claim => ({
  ...{ id, allocation },
})

/** The active entries of the same container and asset, oldest first, with the one that is observed as it is to be. */
async function claimsOf(records: TenantRecords, input: Input, before: Before): Promise<Claim[]> {
  const key = containerKeyOf(input.container)
  const active = await treasuryEntries.find(records, {
    ...{ status: ['ACTIVE', 'PARTIAL'], order: 'OLDEST' },
  })
  const others = active.flatMap(({ id, payload }): Claim[] =>
    payload.entryKind === 'ASSET' &&
    id !== before?.id &&
    payload.asset === input.asset &&
    payload.containerKey === key
      ? [claimOf(id, payload)]
      : [],
  )
  return [...others, claimOf(before?.id ?? '', input)]
}

function restrictedAt(
  { restrictions = [] }: Input,
  asOf: number,
  quantity: bigint,
  field: string,
): bigint {
  const live = restrictions.filter(({ until }) => !until || Date.parse(until) > asOf * 1000)
  const restricted = live.reduce((sum, one) => sum + BigInt(one.quantity), 0n)
  if (restricted <= quantity) return restricted
  throw new Failure('LIQUIDITY_TREASURY_RESTRICTION_EXCEEDS_QUANTITY', {
    fieldErrors: {
      [`${field}restrictions`]: [`must sum to at most ${quantity}, got ${restricted}`],
    },
  })
}

/** What the service knows is not declared: a label of ours would stand on somebody's word. */
function requireUndeclared({ assetClass }: Input, known: Classified): void {
  if (assetClass === undefined || known.assetClassSource === 'DECLARED') return
  throw new Failure('LIQUIDITY_TREASURY_ENTRY_INCONSISTENT', {
    fieldErrors: {
      'payload.assetClass': [
        `must be left out, it is known as ${known.assetClass}, got ${assetClass}`,
      ],
    },
  })
}

const underfunded = (input: Input, shortfall: bigint): contract.TreasuryGap => ({
  ...{ code: 'BUCKET_UNDERFUNDED', subject: containerKeyOf(input.container), effect: 'BOUNDED' },
  detail: `The container holds ${shortfall} atoms less than this entry is to have of it.`,
})

/** The chain of a container. */
export function chainOf(snapshot: PinnedSnapshot, chainId: number): PinnedChain {
  const chain = snapshot.chains.get(chainId)
  if (!chain) throw new Error(`The snapshot has no chain ${chainId}.`)
  return chain
}
