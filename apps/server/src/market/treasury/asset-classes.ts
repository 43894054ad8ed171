import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { agreeOnAnswer } from '../../outside/chain/finalized.ts'
import { isWrappedNative } from '../../outside/chain/wrapped-native.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { namedAsset, tokenKey } from './asset-keys.ts'
import type { PinnedSnapshot } from './treasury-snapshot.ts'

type Tier = contract.TreasuryTier
type Declared = 'STABLE' | 'CRYPTO_MAJOR' | 'CRYPTO_OTHER'
export type AssetClass = contract.TreasuryBucket['assetClass']

/** What an asset is and how liquid that makes it, and whether the organization said so. */
export interface Classified {
  readonly assetClass: AssetClass
  readonly tier: Tier
  readonly assetClassSource: 'DECLARED' | 'DERIVED'
}

const tierOf: Readonly<Record<AssetClass, Tier>> = {
  FIAT: 'T0',
  STABLE: 'T1',
  CRYPTO_MAJOR: 'T2',
  CRYPTO_OTHER: 'T3',
  LP_CLAIM: 'T3',
  RECEIVABLE: 'T3',
  OWN_TOKEN: 'T4',
}

/** The tokens that venues of the organization are about, by asset key: issuers may not count their own as money. */
export async function ownTokens(records: TenantRecords): Promise<ReadonlySet<string>> {
  const venues = await records.find<Static<typeof contract.VenueProfile>>('VenueProfile', {
    exceptStatus: ['REVOKED'],
  })
  return new Set(venues.map(({ payload: { pair } }) => tokenKey(pair.chainId, pair.base)))
}

/**
 * Says what an asset is. Money, coins of chains, wrapped coins, the own token and claims on it are known; of any other
 * asset the organization may say what it holds it to be, and without a word it is CRYPTO_OTHER.
 *
 * @param asked.legs what a claim stands for, by asset key
 */
export async function classifyAsset(
  asked: {
    readonly assetKey: string
    readonly legs: readonly string[]
    readonly declared: Declared | undefined
    readonly isReceivable: boolean
  },
  own: ReadonlySet<string>,
  snapshot: PinnedSnapshot | null,
): Promise<Classified> {
  const { assetKey, legs, declared, isReceivable } = asked
  const asset = namedAsset(assetKey)
  const isOwn = own.has(assetKey) || legs.some((leg) => own.has(leg))
  if (isReceivable) return derived('RECEIVABLE', isOwn ? 'T4' : 'T3')
  if (own.has(assetKey)) return derived('OWN_TOKEN')
  if (legs.length > 0) return derived('LP_CLAIM', isOwn ? 'T4' : 'T3')
  if (asset.kind === 'MONEY') return derived('FIAT')
  if (asset.kind === 'NATIVE') return derived('CRYPTO_MAJOR')
  const chain = snapshot?.chains.get(asset.chainId)
  if (asset.kind === 'TOKEN' && chain) {
    const isWrapped = await agreeOnAnswer(chain.clients, (client) =>
      isWrappedNative(client, chain.block, asset.chainId, asset.address),
    )
    if (isWrapped) return derived('CRYPTO_MAJOR')
  }
  if (declared === undefined) return derived('CRYPTO_OTHER')
  return { assetClass: declared, tier: tierOf[declared], assetClassSource: 'DECLARED' }
}

const derived = (assetClass: AssetClass, tier = tierOf[assetClass]): Classified => ({
  ...{ assetClass, tier, assetClassSource: 'DERIVED' },
})
