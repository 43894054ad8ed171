import type { contract } from '@liquidity-os/contract'
import type { Address } from 'viem'
import { Failure } from '../../../failure.ts'
import { anyChainProviders } from '../../../integrations/providers/chain-providers.ts'
import { AssetClassifier, claimedTier } from '../../../market/treasury/asset-classes.ts'
import { containerKeyOf, namedAsset } from '../../../market/treasury/asset-keys.ts'
import { readHolding } from '../../../market/treasury/read-holding.ts'
import {
  type PinnedSnapshot,
  readFromChain,
  takeSnapshot,
} from '../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type LiveCustody, liveCustody } from '../../prove/treasury-custody/api.ts'
import {
  allocate,
  type Claim,
  controlOf,
  isControlled,
  unprovenGap,
} from '../treasury-entries/api.ts'
import type { Entry } from './read-sources.ts'

type Tier = contract.TreasuryTier
type Gap = contract.TreasuryGap
type Holding = contract.TreasuryHolding
type HoldingEntry = { readonly id: string; readonly payload: Holding }

/** Opening balance of an entry: one stock, or the stocks behind a claim, in atoms. */
export interface Opening {
  readonly entryId: string
  /** On-chain account or custodian account, as text. */
  readonly containerKey: string
  readonly assetKey: string
  readonly tier: Tier
  readonly isDirect: boolean
  /** Current evidence that the account belongs to the organization. */
  readonly control: contract.TreasuryControl
  readonly quantity: bigint
  readonly restricted: bigint
  readonly reserved: bigint
  /** Unlock times of restricted parts, milliseconds since 1970. */
  readonly returns: readonly { readonly at: number; readonly quantity: bigint }[]
}

export interface OpeningBalances {
  readonly openings: readonly Opening[]
  /** Unix seconds. */
  readonly asOf: number
  /** Null without chain reads. */
  readonly snapshot: PinnedSnapshot | null
  /** Classifies assets at the snapshot. */
  readonly classifier: AssetClassifier
  readonly gaps: readonly Gap[]
}

/**
 * Reads the balances of entries at one moment on all available chains. Unavailable data is omitted
 * with a gap. A failure during the read fails the projection.
 */
export async function openingBalances(
  records: TenantRecords,
  services: ProviderAccess,
  counted: readonly Entry[],
  active: readonly Entry[],
  now: number,
): Promise<OpeningBalances> {
  const holdings = holdingsOf(counted)
  const chains = await readableChains(records, services, holdings)
  const snapshot =
    chains.length === 0 ? null : await takeSnapshot(records, services, chains, 'entries')
  const asOf = snapshot?.asOf ?? Math.floor(now / 1000)
  const classifier = await AssetClassifier.read(records, snapshot)
  const known: Known = {
    active: holdingsOf(active),
    snapshot,
    asOf,
    classifier,
    custody: await liveCustody(records),
  }
  const read = await Promise.all(holdings.map((entry) => openingOf(entry, known)))
  return {
    snapshot,
    asOf,
    classifier,
    openings: read.flatMap(({ openings }) => openings),
    gaps: [
      ...(snapshot?.gaps ?? []),
      ...once(read.flatMap(({ gaps }) => gaps)),
      ...unproven(read.flatMap(({ openings }) => openings)),
    ],
  }
}

/**
 * One common gap for all self-reported holdings, because a ledger could otherwise exceed the
 * maximum gaps of a record.
 */
function unproven(openings: readonly Opening[]): Gap[] {
  const ids = new Set(
    openings.flatMap(({ entryId, control }) => (isControlled(control) ? [] : [entryId])),
  )
  const [first] = ids
  if (first === undefined) return []
  const { detail, ...gap } = unprovenGap(first)
  return [
    ids.size === 1
      ? { ...gap, detail }
      : { ...gap, detail: `${ids.size} holdings, starting with this one. ${detail}` },
  ]
}

const holdingsOf = (entries: readonly Entry[]): HoldingEntry[] =>
  entries.flatMap(({ id, payload }) => (payload.entryKind === 'ASSET' ? [{ id, payload }] : []))

async function readableChains(
  records: TenantRecords,
  services: ProviderAccess,
  entries: readonly HoldingEntry[],
): Promise<number[]> {
  const ids = new Set(
    entries.flatMap(({ payload: { container } }) =>
      'address' in container ? [container.chainId] : [],
    ),
  )
  const found = await Promise.all(
    [...ids].map(async (chainId) => {
      try {
        await anyChainProviders(records, services, chainId, 'entries')
        return [chainId]
      } catch (error) {
        if (error instanceof Failure && error.code === 'LIQUIDITY_PROVIDER_UNKNOWN') return []
        throw error
      }
    }),
  )
  return found.flat()
}

interface Read {
  readonly openings: readonly Opening[]
  readonly gaps: readonly Gap[]
}

/** Sources of the opening balances. */
interface Known {
  readonly active: readonly HoldingEntry[]
  readonly snapshot: PinnedSnapshot | null
  /** Unix seconds. */
  readonly asOf: number
  readonly custody: readonly LiveCustody[]
  readonly classifier: AssetClassifier
}

async function openingOf({ id, payload }: HoldingEntry, known: Known): Promise<Read> {
  const { active, snapshot } = known
  if (payload.assetClass === 'RECEIVABLE') {
    return excluded(
      'RECEIVABLE_NOT_COUNTED',
      id,
      'Assets with a market maker are a claim. They cannot pay before their return.',
    )
  }
  const { container, asset } = payload
  if (!('address' in container)) return fromEvidence(id, payload, known)
  const named = namedAsset(asset)
  const chain = snapshot?.chains.get(container.chainId)
  if (!chain) {
    return excluded(
      'CONTAINER_UNREADABLE',
      id,
      `Chain ${container.chainId} has no active provider.`,
    )
  }
  if (named.kind === 'MONEY') throw new Error('Money is not on a chain.')
  const found = await readFromChain(() => readHolding(chain, named, container.address as Address))
  if (found === null) {
    return excluded(
      'CONTAINER_UNREADABLE',
      id,
      `${asset} does not respond at block ${chain.block.number}.`,
    )
  }
  const quantity = partOf(id, payload, active, found.balance)
  const legs = found.legs.map((leg) => ({
    asset: leg.asset,
    quantity: found.balance === 0n ? 0n : (leg.quantity * quantity) / found.balance,
  }))
  return openedAt({ id, payload }, { quantity, legs }, known)
}

/** Part of a balance that belongs to an entry, counting all entries of its container. */
function partOf(
  id: string,
  payload: Holding,
  active: readonly HoldingEntry[],
  balance: bigint,
): bigint {
  const claims = active.flatMap(({ id: of, payload: other }): Claim[] =>
    other.containerKey === payload.containerKey && other.asset === payload.asset
      ? [{ id: of, allocation: other.allocation ?? { kind: 'WHOLE' } }]
      : [],
  )
  const part = allocate(balance, claims).get(id)
  if (part === undefined) throw new Error('The entry has no share of its own container.')
  return part.quantity
}

/**
 * Off-chain balances follow valid evidence. A balance with only expired or revoked evidence is not
 * cash.
 */
async function fromEvidence(id: string, payload: Holding, known: Known): Promise<Read> {
  const { active, custody } = known
  const place = containerKeyOf(payload.container)
  const found = custody.find(
    ({ container, assetKey }) => container === place && assetKey === payload.asset,
  )
  if (!found) {
    return excluded('CUSTODY_NOT_LIVE', id, 'No live evidence shows the quantity.')
  }
  const quantity = partOf(id, payload, active, found.quantity)
  const { openings, gaps } = await openedAt({ id, payload }, { quantity, legs: [] }, known)
  const byEvidence: Gap = {
    code: 'BALANCE_BY_EVIDENCE',
    subject: id,
    effect: 'FLAGGED',
    detail: `It is not on a chain. The quantity is from ${found.evidence.id}, valid until ${new Date(found.expiresAt).toISOString()}.`,
  }
  return { openings, gaps: [byEvidence, ...gaps] }
}

interface Stock {
  readonly quantity: bigint
  readonly legs: readonly { readonly asset: string; readonly quantity: bigint }[]
}

/**
 * Opening balance of a holding with current tiers, because the entry only has the tier of its last
 * observation.
 */
async function openedAt(entry: HoldingEntry, stock: Stock, known: Known): Promise<Read> {
  const { payload } = entry
  const { classified, legTiers, gaps } = await known.classifier.holdingClass({
    assetKey: payload.asset,
    isReceivable: false,
    declared: declaredClass(payload),
    legs: stock.legs.map(({ asset }) => asset),
  })
  const tiers = stock.legs.length > 0 ? legTiers.map(claimedTier) : [classified.tier]
  return { openings: split(entry, { ...stock, tiers }, known), gaps }
}

const declaredClass = ({ assetClass, assetClassSource }: Holding) =>
  assetClassSource === 'DECLARED' &&
  (assetClass === 'STABLE' || assetClass === 'CRYPTO_MAJOR' || assetClass === 'CRYPTO_OTHER')
    ? assetClass
    : undefined

/** Removes duplicate gaps for the same asset. */
const once = (gaps: readonly Gap[]): Gap[] => [
  ...new Map(gaps.map((gap) => [`${gap.code} ${gap.subject}`, gap])).values(),
]

/** Restricted and reserved parts of the legs of a claim are those of the claim, rounded up. */
function split(
  { id: entryId, payload }: HoldingEntry,
  { quantity, legs, tiers }: Stock & { readonly tiers: readonly Tier[] },
  { asOf, custody }: Known,
): Opening[] {
  const control = controlOf(payload, custody)
  const live = (payload.restrictions ?? []).filter(
    ({ until }) => !until || Date.parse(until) > asOf * 1000,
  )
  const stocks = legs.length > 0 ? legs : [{ asset: payload.asset, quantity }]
  return stocks.map((stock, index): Opening => {
    const partOfStock = (atoms: bigint) =>
      quantity === 0n ? 0n : (atoms * stock.quantity + quantity - 1n) / quantity
    const reserved = min(partOfStock(BigInt(payload.split?.reserved ?? '0')), stock.quantity)
    let open = stock.quantity - reserved
    const held = live.map(({ quantity: atoms, until }) => {
      const part = min(partOfStock(BigInt(atoms)), open)
      open -= part
      return { part, until }
    })
    return {
      entryId,
      containerKey: containerKeyOf(payload.container),
      assetKey: stock.asset,
      tier: tiers[index] ?? payload.tier,
      isDirect: legs.length === 0,
      control,
      quantity: stock.quantity,
      reserved,
      restricted: stock.quantity - reserved - open,
      returns: held.flatMap(({ part, until }) =>
        until === undefined ? [] : [{ at: Date.parse(until), quantity: part }],
      ),
    }
  })
}

const min = (a: bigint, b: bigint) => (a < b ? a : b)

const excluded = (code: string, subject: string, detail: string): Read => ({
  openings: [],
  gaps: [{ code, subject, detail, effect: 'EXCLUDED' }],
})
