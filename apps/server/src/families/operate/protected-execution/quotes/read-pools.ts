import type { contract, FieldErrors, Ref } from '@liquidity-os/contract'
import {
  type ClmmState,
  type CpmmState,
  marketToJson,
  midPrice,
  priceOrNull,
} from '@liquidity-os/engine/amm'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { canonicalize, H, sha256Hex } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { Failure } from '../../../../failure.ts'
import { answered, readContract } from '../../../../integrations/chain/contract-call.ts'
import { agreeOnAnswer } from '../../../../integrations/chain/finalized.ts'
import { factoryOf } from '../../../../integrations/chain/known-factories.ts'
import { peripheryAbi } from '../../../../integrations/chain/periphery-abis.ts'
import { readV2State, readV3State } from '../../../../integrations/chain/pool-state.ts'
import { pairFeeOf } from '../../../../integrations/chain/swap-fee-evidence.ts'
import type { Release } from '../../../../market/adapters/release.ts'
import { requireValidated, type VenueRecord } from '../../../../market/named-venue.ts'
import { isSamePair } from '../../../../market/pair.ts'
import { type PinnedChain, readFromChain } from '../../../../market/treasury/treasury-snapshot.ts'
import { venueOrientation } from '../../../../market/venue-orientation.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { currentSources } from '../../../sources.ts'
import { atSnapshot } from './read-offers.ts'

export interface ReadPool {
  readonly venue: VenueRecord
  readonly market: CpmmState | ClmmState
  readonly serialized: contract.QuoteSet['pools'][number]
  readonly bytes: Uint8Array
}

const routerAdapters = {
  UNISWAP_V2: 'uniswap-v2-router',
  UNISWAP_V3: 'uniswap-v3-swap-router',
} as const
type PoolKind = keyof typeof routerAdapters
const isPool = (kind: string): kind is PoolKind => kind in routerAdapters

/**
 * Current versions of the venues in a set.
 *
 * @throws Failure 404 for an unknown venue, 412 for an outdated version, 422 for another pair or a
 * venue that is no pool
 */
export async function poolVenues(
  records: TenantRecords,
  refs: readonly Ref[],
  pair: contract.QualifiedVault['pair'],
): Promise<VenueRecord[]> {
  const at = (itemIndex: number) => `payload.pools.${itemIndex}`
  const found = (await currentSources(
    records,
    refs.map((ref, index) => ({ ref: { resourceType: 'VenueProfile', ...ref }, at: at(index) })),
  )) as VersionedRecord<VenueRecord['payload']>[]
  const faults: FieldErrors = {}
  for (const [place, venue] of found.entries()) {
    const { kind } = venue.payload
    if (refs.findIndex(({ id }) => id === venue.id) < place) {
      faults[at(place)] = [`must be unique, got ${venue.id} twice`]
    } else if (!isPool(kind)) {
      faults[at(place)] = [`must be a v2 or v3 pool, got ${kind}`]
    } else if (!isSamePair(venue.payload.pair, pair)) {
      faults[at(place)] = ['must be a venue of the vault pair']
    }
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_QUOTE_INPUT_INVALID', { fieldErrors: faults })
  }
  for (const [place, venue] of found.entries()) requireValidated(venue, at(place))
  return found
}

/** Reads the whole state of every pool at the snapshot. @throws Failure as the chain refuses */
export function readPools(
  chain: PinnedChain,
  venues: readonly VenueRecord[],
  release: Release | null,
): Promise<ReadPool[]> {
  return Promise.all(
    venues.map(async (venue, index) => {
      const market = await readMarket(chain, venue)
      const orientation = venueOrientation(venue.payload)
      if (priceOrNull(market, orientation) === null) {
        throw new Failure('LIQUIDITY_QUOTE_INPUT_INVALID', {
          fieldErrors: { [`payload.pools.${index}`]: ['must have a price and liquidity'] },
        })
      }
      const mid = midPrice(market, orientation)
      const json = marketToJson(market)
      const bytes = Buffer.from(canonicalize(json))
      const router = await routerOf(chain, venue, release)
      const serialized = {
        venue: { id: venue.id, resourceVersion: venue.resourceVersion },
        kind: venue.payload.kind as PoolKind,
        address: venue.payload.address,
        feePips: feePipsOf(market),
        midX36: `${(mid.num * 10n ** 36n) / mid.den}`,
        adapterId: router === null ? null : routerAdapters[venue.payload.kind as PoolKind],
        router,
        stateHash: H('market-state/v1', json),
        stateArtifact: `0x${sha256Hex(bytes)}`,
      }
      return { venue, market, serialized, bytes }
    }),
  )
}

const feePipsOf = (market: CpmmState | ClmmState): number =>
  market.kind === 'UNISWAP_V3'
    ? market.feePips
    : Number((market.fee.numerator * 1_000_000n) / market.fee.denominator)

function readMarket(chain: PinnedChain, { payload }: VenueRecord): Promise<CpmmState | ClmmState> {
  const address = payload.address as Address
  return readFromChain(() =>
    agreeOnAnswer<CpmmState | ClmmState>(chain.clients, (client) =>
      payload.kind === 'UNISWAP_V2'
        ? readV2State(client, chain.block, address, { fee: pairFeeOf(payload.feePips ?? 3000) })
        : readV3State(client, chain.block, address, { oracle: 'NEWEST' }),
    ),
  )
}

/** Router in the signed release for the pool's factory, or null. */
async function routerOf(
  chain: PinnedChain,
  { payload }: VenueRecord,
  release: Release | null,
): Promise<string | null> {
  const adapterId = routerAdapters[payload.kind as PoolKind]
  const adapter = release?.manifest.adapters.find((one) => one.adapterId === adapterId)
  const candidates = adapter?.contracts.filter(({ chainId }) => chainId === chain.chainId) ?? []
  const factory = factoryOf(payload)?.toLowerCase()
  for (const { address } of candidates) {
    const found = await atSnapshot(chain, (client, pin) =>
      answered(() =>
        readContract(client, pin, {
          address: address as Address,
          abi: peripheryAbi,
          functionName: 'factory',
        }),
      ),
    )
    if (found && found.toLowerCase() === factory) return address
  }
  return null
}
