import type { contract } from '@liquidity-os/contract'
import { agreeOnAnswer } from '../../integrations/chain/finalized.ts'
import { isWrappedNative, knownWrappedNative } from '../../integrations/chain/wrapped-native.ts'
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
  /** Tier of each leg, in order: that of its asset, unless the claim as a whole is the own token. */
  readonly legTiers: readonly Tier[]
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
   * Says what a holding is. Legs of a claim keep the tiers of their assets; the claim is T4 if all of them are. A receivable is
   * what a market maker owes: it has the tier of its asset, at best T3.
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
    const keys = [assetKey, ...legs].filter((_, index) => isUndeclared(told[index]))
    const isOwnClaim = asset.tier === 'T4'
    const legTiers = ofLegs.map(({ tier }) =>
      isOwnClaim ? 'T4' : isReceivable ? claimedTier(tier) : tier,
    )
    const isAllOwn = isOwnClaim || (legs.length > 0 && legTiers.every((tier) => tier === 'T4'))
    const classified = isReceivable
      ? derived('RECEIVABLE', isAllOwn ? 'T4' : 'T3')
      : isOwnClaim || legs.length === 0
        ? asset
        : derived('LP_CLAIM', isAllOwn ? 'T4' : 'T3')
    return { classified, legTiers, gaps: keys.map(undeclaredGap) }
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
 * The tier of a stored holding without legs by what the records say now, without asking a chain: a token that was bound since it was
 * observed is the own token, and one that became the base of a venue waits for a decision.
 */
export function tierNow(
  { asset, assetClass, assetClassSource, tier }: contract.TreasuryHolding,
  standings: TokenStandings,
): Tier {
  const isCoin =
    assetClass === 'FIAT' || (assetClass === 'CRYPTO_MAJOR' && assetClassSource === 'DERIVED')
  if (isCoin) return tier
  // What is owed is at best T3, and its stored tier knows whether its asset is a coin.
  if (assetClass === 'RECEIVABLE') return isOwn(asset, standings) ? 'T4' : tier
  return recordedTier(asset, tier, standings)
}

/** What is owed, or lies in a claim, is at best T3: somebody has to pay, or a pool has to be left, before it can be spent. */
export const claimedTier = (tier: Tier): Tier => (tier === 'T4' ? 'T4' : 'T3')

/** The same of the asset of one leg of a claim. Legs that were observed before their tiers were kept have that of the claim. */
export function legTierNow(
  asset: string,
  observed: Tier,
  { isOwnClaim }: { readonly isOwnClaim: boolean },
  standings: TokenStandings,
): Tier {
  if (isOwnClaim) return 'T4'
  // Without a record only coins of chains and wrapped ones are of T2.
  const isCoin = observed === 'T0' || (observed === 'T2' && !standings.declared.has(asset))
  return isCoin ? observed : recordedTier(asset, observed, standings)
}

/** Whether a record binds or declares a token as the own one. */
export const isOwn = (assetKey: string, { bound, declared }: TokenStandings): boolean =>
  bound.has(assetKey) || declared.get(assetKey)?.payload.class === 'OWN_TOKEN'

function recordedTier(assetKey: string, observed: Tier, standings: TokenStandings): Tier {
  if (isOwn(assetKey, standings)) return 'T4'
  const recorded = standings.declared.get(assetKey)?.payload.class ?? null
  if (recorded !== null) return tierOf[recorded]
  return standings.undeclared.has(assetKey) ? 'T4' : observed
}

const derived = (assetClass: AssetClass, tier = tierOf[assetClass]): Classified => ({
  assetClass,
  tier,
  assetClassSource: 'DERIVED',
})

const declaredAs = (assetClass: contract.DeclaredClass): Classified => ({
  assetClass,
  tier: tierOf[assetClass],
  assetClassSource: 'DECLARED',
})

const isUndeclared = (one: Classified | undefined) =>
  one?.assetClass === 'CRYPTO_OTHER' && one.tier === 'T4'

/** It flags and bounds nothing: as long as nobody decides, the token counts for nothing, as the own token does. */
export const undeclaredGap = (subject: string): Gap => ({
  code: 'OWN_TOKEN_UNDECLARED',
  subject,
  effect: 'FLAGGED',
  detail:
    'A venue trades this token, or a record that has ended named it. It counts as the own token until an OWNER decides whether it is.',
})
