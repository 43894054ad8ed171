import type { contract } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence'
import { contentHashOf } from '../../../store/artifacts/content-hash.ts'
import type { ArtifactInsert } from '../../../store/records/change.ts'
import { daySeconds } from '../../../units.ts'
import { controlOf } from '../../plan/treasury-entries/api.ts'
import { type BoundLedger, type Entry, isOfMarket, quoteKeyOf, quoteLegsOf } from './ledger.ts'
import { signedTime } from './signed-time.ts'

type Ref = { readonly id: string; readonly resourceVersion: string }
type Pair = contract.QualifiedVault['pair']

/**
 * A liquidity claim of the Safe: its quote value at the block of its read, and the evidence of
 * control.
 */
interface OwnedPosition {
  readonly entry: Ref
  readonly claim: string
  readonly container: string
  /** Atoms. */
  readonly quote: string
  readonly block: contract.LiquidityPassportSourceBindings['blocks'][number]
  readonly control: { readonly evidence: Ref; readonly until: string }
}

/** The positions behind `treasuryOwnedLiquidityQuote`: their quotes sum to it exactly. */
export interface OwnedPositions {
  readonly positionsVersion: 'liquidity-positions-v1'
  /** Key of the quote token. */
  readonly quote: string
  /** Ordered by createdAt and id. */
  readonly positions: readonly OwnedPosition[]
}

/** Sources of the positions, and the time of the read. */
export interface PositionsQuestion {
  readonly ledger: Pick<BoundLedger, 'entries' | 'owned' | 'custody'>
  readonly pair: Pair
  /** Unix seconds. */
  readonly generatedAt: number
}

/** Liquidity in an older reading may have been withdrawn since. */
const oldestSeconds = daySeconds

/**
 * @returns null if a claim, or a balance on chain, has no read at a block of the day that ends at
 * `generatedAt`, because no reader could verify its quote value
 */
export function positionsOf({
  ledger: { entries, owned, custody },
  pair,
  generatedAt,
}: PositionsQuestion): OwnedPositions | null {
  const ids = new Set(owned.map(({ id }) => id))
  const claims = entries.filter((one) => ids.has(one.id) && mayBeOfMarket(one, pair))
  const positions = claims.flatMap((entry) => positionOf(entry, custody, pair) ?? [])
  const isRecent = (timestamp: string) => {
    const ageSeconds = generatedAt - Date.parse(timestamp) / 1000
    return ageSeconds >= 0 && ageSeconds <= oldestSeconds
  }
  // Balances that were read on chain are published, too. Their sale is priced in the present pool.
  const balances = owned.filter((one) => !claims.some(({ id }) => id === one.id))
  const times = [
    ...positions.map(({ block }) => block.timestamp),
    ...balances.flatMap(({ payload }) => snapshotOf(payload, pair)?.timestamp ?? []),
  ]
  if (times.length < claims.length + balances.length || !times.every(isRecent)) return null
  return { positionsVersion: 'liquidity-positions-v1', quote: quoteKeyOf(pair), positions }
}

/** True for a claim on the market, and for an unread claim, whose tokens are unknown. */
const mayBeOfMarket = (entry: Entry, pair: Pair): boolean =>
  isOfMarket(entry, pair) ||
  (entry.payload.assetClass === 'LP_CLAIM' && !entry.payload.observed?.legs.length)

function positionOf(
  entry: Entry,
  custody: BoundLedger['custody'],
  pair: Pair,
): OwnedPosition | null {
  const { id, resourceVersion, payload } = entry
  const { asset, containerKey, observed } = payload
  const chain = snapshotOf(payload, pair)
  const { source, until } = controlOf(payload, custody)
  if (!chain || !observed?.legs.length || !source || until === null || containerKey === null) {
    return null
  }
  return {
    entry: { id, resourceVersion },
    claim: asset,
    container: containerKey,
    quote: `${quoteLegsOf([entry], pair)}`,
    block: {
      chainId: chain.chainId,
      number: chain.blockNumber,
      hash: chain.blockHash,
      timestamp: signedTime(chain.timestamp),
    },
    control: {
      evidence: { id: source.id, resourceVersion: source.resourceVersion },
      until: signedTime(until),
    },
  }
}

const snapshotOf = ({ computation }: Entry['payload'], { chainId }: Pair) =>
  computation.snapshot?.chains.find((chain) => chain.chainId === chainId)

export function positionsArtifact(positions: OwnedPositions): Omit<ArtifactInsert, 'producer'> {
  const content = Buffer.from(canonicalize(positions))
  return { contentHash: contentHashOf(content), mediaType: 'application/json', content }
}
