import type { contract } from '@liquidity-os/contract'
import { agreeOnAnswer } from '../../outside/chain/finalized.ts'
import { isWrappedNative, knownWrappedNative } from '../../outside/chain/wrapped-native.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { namedAsset } from './asset-keys.ts'
import { type TokenStandings, tokenStandings } from './token-standings.ts'
import { asked, type PinnedSnapshot } from './treasury-snapshot.ts'

type Tier = contract.TreasuryTier
type Gap = contract.TreasuryGap
type Declared = 'STABLE' | 'CRYPTO_MAJOR' | 'CRYPTO_OTHER'
export type AssetClass = contract.TreasuryBucket['assetClass']

/** What an asset is and how liquid that makes it, and whether the organization said so. */
export interface Classified {
  readonly assetClass: AssetClass
  readonly tier: Tier
  readonly assetClassSource: 'DECLARED' | 'DERIVED'
}

/** The same, with what nobody has decided yet. */
export interface ClassifiedHolding {
  readonly classified: Classified
  readonly gaps: readonly Gap[]
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

export interface AskedAsset {
  readonly assetKey: string
  /** What an entry holds it to be. */
  readonly declared?: Declared | undefined
}

/** Says what assets of one organization are, by its records and, of wrapped coins, by the chains of a snapshot. */
export class AssetClassifier {
  readonly #standings: TokenStandings
  readonly #snapshot: PinnedSnapshot | null
  readonly #wrapped = new Map<string, Promise<boolean>>()

  constructor(standings: TokenStandings, snapshot: PinnedSnapshot | null) {
    this.#standings = standings
    this.#snapshot = snapshot
  }

  static async read(
    records: TenantRecords,
    snapshot: PinnedSnapshot | null,
  ): Promise<AssetClassifier> {
    return new AssetClassifier(await tokenStandings(records), snapshot)
  }

  /**
   * Says what an asset is. Money, coins of chains and wrapped coins come before own tokens: a venue that trades a wrapped coin
   * does not make it the own token.
   */
  async classOf({ assetKey, declared }: AskedAsset): Promise<Classified> {
    const { bound, declared: records, undeclared } = this.#standings
    const asset = namedAsset(assetKey)
    if (asset.kind === 'MONEY') return derived('FIAT')
    if (asset.kind === 'NATIVE' || (await this.#isWrapped(assetKey))) return derived('CRYPTO_MAJOR')
    if (bound.has(assetKey)) return derived('OWN_TOKEN')
    const recorded = records.get(assetKey)?.payload.class ?? null
    if (recorded !== null) return declaredAs(recorded)
    if (undeclared.has(assetKey)) return derived('CRYPTO_OTHER', 'T4')
    return declared === undefined ? derived('CRYPTO_OTHER') : declaredAs(declared)
  }

  /**
   * Says what a holding is. A claim with a leg of tier T4 is of that tier; a receivable is what a market maker owes, at best T3.
   *
   * @param holding.legs what a claim stands for, by asset key
   */
  async holdingClass({
    assetKey,
    declared,
    legs,
    isReceivable,
  }: AskedAsset & {
    readonly legs: readonly string[]
    readonly isReceivable: boolean
  }): Promise<ClassifiedHolding> {
    const asset = await this.classOf({ assetKey, declared })
    const ofLegs = await Promise.all(legs.map((leg) => this.classOf({ assetKey: leg })))
    const told = [asset, ...ofLegs]
    const keys = [assetKey, ...legs].filter((_, place) => isUndeclared(told[place]))
    const gaps = keys.map(undeclaredGap)
    const isOwn = told.some(({ tier }) => tier === 'T4')
    if (isReceivable) return { classified: derived('RECEIVABLE', isOwn ? 'T4' : 'T3'), gaps }
    if (asset.tier === 'T4' || legs.length === 0) return { classified: asset, gaps }
    return { classified: derived('LP_CLAIM', isOwn ? 'T4' : 'T3'), gaps }
  }

  #isWrapped(assetKey: string): Promise<boolean> {
    const found = this.#wrapped.get(assetKey) ?? this.#askWrapped(assetKey)
    this.#wrapped.set(assetKey, found)
    return found
  }

  async #askWrapped(assetKey: string): Promise<boolean> {
    const asset = namedAsset(assetKey)
    if (asset.kind !== 'TOKEN') return false
    const { chainId, address } = asset
    const known = knownWrappedNative(chainId, address)
    const chain = this.#snapshot?.chains.get(chainId)
    if (known !== null || !chain) return known ?? false
    return asked(() =>
      agreeOnAnswer(chain.clients, (client) =>
        isWrappedNative(client, chain.block, chainId, address),
      ),
    )
  }
}

/**
 * The tier of a stored holding by what the records say now, without asking a chain: a token that was bound since it was observed
 * is the own token, and one that became the base of a venue waits for a decision.
 */
export function tierNow(
  { asset, assetClass, assetClassSource, tier, observed }: contract.TreasuryHolding,
  { bound, declared, undeclared }: TokenStandings,
): Tier {
  const isMoney =
    assetClass === 'FIAT' || (assetClass === 'CRYPTO_MAJOR' && assetClassSource === 'DERIVED')
  if (isMoney) return tier
  const legs = observed?.legs ?? []
  const isOwn = (assetKey: string) =>
    bound.has(assetKey) || declared.get(assetKey)?.payload.class === 'OWN_TOKEN'
  if (isOwn(asset) || legs.some((leg) => isOwn(leg.asset))) return 'T4'
  const recorded = declared.get(asset)?.payload.class ?? null
  if (recorded !== null && assetClass !== 'RECEIVABLE') return tierOf[recorded]
  return assetClass !== 'RECEIVABLE' && undeclared.has(asset) ? 'T4' : tier
}

const derived = (assetClass: AssetClass, tier = tierOf[assetClass]): Classified => ({
  ...{ assetClass, tier, assetClassSource: 'DERIVED' },
})

const declaredAs = (assetClass: contract.DeclaredClass): Classified => ({
  ...{ assetClass, tier: tierOf[assetClass], assetClassSource: 'DECLARED' },
})

const isUndeclared = (one: Classified | undefined) =>
  one?.assetClass === 'CRYPTO_OTHER' && one.tier === 'T4'

/** It flags and bounds nothing: as long as nobody decides, the token counts for nothing, as the own token does. */
export const undeclaredGap = (subject: string): Gap => ({
  ...{ code: 'OWN_TOKEN_UNDECLARED', subject, effect: 'FLAGGED' },
  detail:
    'A venue trades this token, or a record that has ended named it. It counts as the own token until an OWNER decides whether it is.',
})
