import type { contract, SourceRef } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { Failure } from '../../../failure.ts'
import { AssetClassifier, type Classified } from '../../../market/treasury/asset-classes.ts'
import { containerKeyOf, namedAsset } from '../../../market/treasury/asset-keys.ts'
import { type Holding, readHolding } from '../../../market/treasury/read-holding.ts'
import { treasuryComputation } from '../../../market/treasury/treasury-computation.ts'
import {
  type PinnedChain,
  type PinnedSnapshot,
  readFromChain,
} from '../../../market/treasury/treasury-snapshot.ts'
import { sql } from '../../../store/database/sql.ts'
import type { ArtifactInsert } from '../../../store/records/change.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { allocate, type Claim } from './allocation.ts'
import { loanFigures } from './loan-figures.ts'
import { treasuryEntries } from './records.ts'
import { liveReservations, overReservedGap, reservedOf, splitFree } from './reserved.ts'
import { valued } from './valued.ts'

type Input = Extract<contract.TreasuryBucketInput, { entryKind: 'ASSET' }>
type Bucket = contract.TreasuryBucket

/** Payload of a holding entry with its state and proof. */
export interface ObservedEntry {
  readonly payload: contract.TreasuryHolding
  readonly status: 'ACTIVE' | 'PARTIAL'
  readonly artifacts: readonly Omit<ArtifactInsert, 'producer'>[]
}

/** Existing entry that is observed again, or null. */
type Before = VersionedRecord<Bucket> | null

/** Holding of a container, from the chain or from signed evidence. */
export interface KnownHolding {
  readonly holding: Omit<Holding, 'proof' | 'decimals'> & {
    readonly proof: Holding['proof'] | 'SIGNED'
    readonly decimals: number | null
  }
  /** Unix seconds: the moment of the figures. */
  readonly asOf: number
  /** Null for an off-chain holding. */
  readonly snapshot: PinnedSnapshot | null
  readonly sources: readonly SourceRef[]
  readonly limitations: readonly string[]
}

interface Observing {
  readonly before: Before
  /** Claims on the same place, oldest first, to use instead of the stored ones. */
  readonly claims?: readonly Claim[]
  /** True if the request states the restrictions; otherwise they date from an earlier balance. */
  readonly isRestrictedNow?: boolean
  /** Prefix of paths of request fields. */
  readonly field: string
  readonly rollForward?: (closing: bigint) => Promise<contract.TreasuryHolding['rollForward']>
}

/**
 * Reads an entry's holding at the snapshot's block and computes its figures.
 *
 * @param more.rollForward transfers since the previous observation
 * @throws Failure 422 for an asset that does not respond and for excess restrictions, 409 for an
 * outdated price version, 503 if the chain is unavailable
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
 * Computes an entry's figures from its container's holding.
 *
 * @throws Failure as `observeEntry`
 */
export async function entryOf(
  records: TenantRecords,
  input: Input,
  { holding, asOf, snapshot, sources, limitations }: KnownHolding,
  more: Observing,
): Promise<ObservedEntry> {
  const claims = more.claims ?? (await claimsOf(records, input, more.before))
  const own = ownClaimOf(more.before, input)
  const part = allocate(holding.balance, claims).get(own.id)
  if (part === undefined) throw new Error('The entry has no share of its own container.')
  const { quantity, shortfall } = part
  const { restricted, excess } = restrictedAt(input, asOf, quantity, more)
  const wanted = more.before ? reservedOf(await liveReservations(records), more.before.id) : 0n
  const { unrestricted, reserved, overReserved } = splitFree(quantity - restricted, wanted)
  const isReceivable = input.container.kind === 'MARKET_MAKER_ACCOUNT'
  const legs = legsOf(holding, quantity)
  const classifier = await AssetClassifier.read(records, snapshot)
  const {
    classified,
    legTiers,
    gaps: undecided,
  } = await classifier.holdingClass({
    assetKey: input.asset,
    declared: input.assetClass,
    isReceivable,
    legs: legs.map(({ asset }) => asset),
  })
  if (more.before === null) requireUndeclared(input, classified)
  const parts = legs.length > 0 ? legs : [{ asset: input.asset, quantity }]
  const terms = { at: asOf, rounding: 'DOWN', field: more.field } as const
  const worth = input.valuation
    ? await valued(records, input.valuation, parts, terms)
    : { value: null, prices: [], gaps: [] }
  const gaps = [
    ...(snapshot?.gaps ?? []),
    ...worth.gaps,
    ...undecided,
    ...(shortfall > 0n ? [underfunded(input, shortfall)] : []),
    ...(excess > 0n ? [overRestricted(input, excess)] : []),
    ...(overReserved > 0n ? [overReservedGap(containerKeyOf(input.container), overReserved)] : []),
  ]
  const computation = treasuryComputation({
    request: input,
    sources,
    snapshot: snapshot?.view ?? null,
    prices: worth.prices,
    gaps,
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
        quantity: `${quantity}`,
        containerBalance: `${holding.balance}`,
        proof: holding.proof,
        evidenceHash: evidence?.contentHash ?? null,
        legs: legs.map(({ asset, quantity: amount }, index) => ({
          asset,
          quantity: `${amount}`,
          tier: legTiers[index] ?? classified.tier,
        })),
      },
      split: {
        unrestricted: `${unrestricted}`,
        restricted: `${restricted}`,
        reserved: `${reserved}`,
        shortfall: `${shortfall}`,
      },
      total: null,
      settled: '0',
      remaining: null,
      overdue: null,
      settlements: [],
      rollForward: (await more.rollForward?.(holding.balance)) ?? null,
      value: worth.value,
      loaned: input.loan ? loanFigures(input.loan, worth.prices, asOf) : null,
      disposition: null,
      computation,
    },
  }
}

/** Balance of the entry's asset in its container. */
export async function holdingOf(
  { asset, container }: Pick<Input, 'asset' | 'container'>,
  snapshot: PinnedSnapshot,
  field: string,
): Promise<Holding> {
  const named = namedAsset(asset)
  const chain = named.kind === 'MONEY' ? undefined : snapshot.chains.get(named.chainId)
  if (named.kind === 'MONEY' || !('address' in container) || !chain) {
    throw new Error('A holding that is not on a chain cannot be read from a chain.')
  }
  const found = await readFromChain(() => readHolding(chain, named, container.address as Address))
  if (found === null) {
    throw new Failure('LIQUIDITY_TREASURY_ASSET_UNREADABLE', {
      fieldErrors: {
        [`${field}asset`]: [`must respond at block ${chain.block.number}, got ${asset}`],
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
export const claimOf = (id: string, { allocation = whole }: Pick<Input, 'allocation'>): Claim => ({
  id,
  allocation,
})

/** The claim of the observed entry. An entry that is not stored yet has no stored claim. */
const ownClaimOf = (before: Before, input: Input): Claim =>
  claimOf(before === null ? '(new)' : before.id, input)

/** Active entries of the same container and asset, oldest first. */
export async function entriesOfPlace(
  records: TenantRecords,
  input: Pick<Input, 'container' | 'asset'>,
): Promise<VersionedRecord<contract.TreasuryHolding>[]> {
  const found = await treasuryEntries.find(records, ofPlace(input))
  return found as VersionedRecord<contract.TreasuryHolding>[]
}

/** Finds the active entries of a container and an asset. */
export const ofPlace = ({ container, asset }: Pick<Input, 'container' | 'asset'>) => ({
  status: ['ACTIVE', 'PARTIAL'],
  order: 'OLDEST' as const,
  where: sql`${member('payload.entryKind')} = 'ASSET' and ${member('payload.asset')} = ${asset}
    and ${member('payload.containerKey')} = ${containerKeyOf(container)}`,
})

/**
 * Claims on a place, oldest first, including the future state of the observed entry. Older claims
 * win ties.
 */
async function claimsOf(records: TenantRecords, input: Input, before: Before): Promise<Claim[]> {
  const own = ownClaimOf(before, input)
  const stored = await entriesOfPlace(records, input)
  const claims = stored.map(({ id, payload }) => (id === own.id ? own : claimOf(id, payload)))
  return claims.includes(own) ? claims : [...claims, own]
}

/**
 * Restricted part of a quantity, and the excess of stated restrictions. If the request states the
 * excess, it is rejected.
 */
function restrictedAt(
  { restrictions = [] }: Input,
  asOf: number,
  quantity: bigint,
  { before, field, isRestrictedNow = before === null }: Observing,
): { restricted: bigint; excess: bigint } {
  const live = restrictions.filter(({ until }) => !until || Date.parse(until) > asOf * 1000)
  const restricted = live.reduce((sum, one) => sum + BigInt(one.quantity), 0n)
  if (restricted <= quantity) return { restricted, excess: 0n }
  if (!isRestrictedNow) return { restricted: quantity, excess: restricted - quantity }
  throw new Failure('LIQUIDITY_TREASURY_RESTRICTION_EXCEEDS_QUANTITY', {
    fieldErrors: {
      [`${field}restrictions`]: [`must sum to at most ${quantity}, got ${restricted}`],
    },
  })
}

/**
 * Rejects a declared class for a known asset, because the service's own classification must not
 * depend on user input.
 */
function requireUndeclared({ assetClass }: Input, known: Classified): void {
  if (assetClass === undefined || known.assetClassSource === 'DECLARED') return
  const isUndecided = known.assetClass === 'CRYPTO_OTHER'
  const expected = isUndecided
    ? 'must be omitted until an OWNER decides if this venue token is the own token'
    : `must be omitted: the known class is ${known.assetClass}`
  throw new Failure('LIQUIDITY_TREASURY_ENTRY_INCONSISTENT', {
    fieldErrors: { 'payload.assetClass': [`${expected}, got ${assetClass}`] },
  })
}

const underfunded = (input: Input, shortfall: bigint): contract.TreasuryGap => ({
  code: 'BUCKET_UNDERFUNDED',
  subject: containerKeyOf(input.container),
  effect: 'BOUNDED',
  detail: `The container holds ${shortfall} atoms less than this entry requires.`,
})

const overRestricted = (input: Input, excess: bigint): contract.TreasuryGap => ({
  code: 'OVER_RESTRICTED',
  subject: containerKeyOf(input.container),
  effect: 'BOUNDED',
  detail: `Restrictions exceed the entry by ${excess} atoms. The whole entry counts as restricted.`,
})

/** The chain of a container. */
export function chainOf(snapshot: PinnedSnapshot, chainId: number): PinnedChain {
  const chain = snapshot.chains.get(chainId)
  if (!chain) throw new Error(`The snapshot has no chain ${chainId}.`)
  return chain
}
