import type { contract } from '@liquidity-os/contract'
import { agreeOnAnswer } from '../../integrations/chain/finalized.ts'
import { isWrappedNative, knownWrappedNative } from '../../integrations/chain/wrapped-native.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { namedAsset } from './asset-keys.ts'
import { type TokenStandings, tokenStandings } from './token-statuses.ts'
import { type PinnedSnapshot, readFromChain } from './treasury-snapshot.ts'

type Tier = contract.TreasuryTier
type Gap = contract.TreasuryGap
type Declared = 'STABLE' | 'CRYPTO_MAJOR' | 'CRYPTO_OTHER'
export type AssetClass = contract.TreasuryBucket['assetClass']

/** Class and liquidity tier of an asset, and whether the organization declared the class. */
export interface Classified {
  readonly assetClass: AssetClass
  readonly tier: Tier
  readonly assetClassSource: 'DECLARED' | 'DERIVED'
}

/** The same for a holding, with open classification gaps. */
export interface ClassifiedHolding {
  readonly classified: Classified
  /**
   * Tiers of the legs, in order: each that of its asset, unless the whole claim is the own token.
   */
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

export interface AssetToClassify {
  readonly assetKey: string
  readonly declared?: Declared | undefined
}

/**
 * Classifies the assets of one organization by its records. Wrapped coins are recognized on the
 * snapshot's chains.
 */
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
   * Classifies an asset. Money, native coins and wrapped coins take precedence over own tokens: a
   * venue that trades a wrapped coin does not make it the own token.
   */
  async classOf({ assetKey, declared }: AssetToClassify): Promise<Classified> {
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
   * Classifies a holding. Legs have the tiers of their assets; the claim is T4 if all legs are. A
   * receivable is an obligation of a market maker. It has the tier of its asset, at best T3.
   *
   * @param holding.legs assets behind a claim, by asset key
   */
  async holdingClass({
    assetKey,
    declared,
    legs,
    isReceivable,
  }: AssetToClassify & {
    readonly legs: readonly string[]
    readonly isReceivable: boolean
  }): Promise<ClassifiedHolding> {
    const asset = await this.classOf({ assetKey, declared })
    const ofLegs = await Promise.all(legs.map((leg) => this.classOf({ assetKey: leg })))
    const assetAndLegs = [asset, ...ofLegs]
    const keys = [assetKey, ...legs].filter((_, index) => isUndeclared(assetAndLegs[index]))
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
    return readFromChain(() =>
      agreeOnAnswer(chain.clients, (client) =>
        isWrappedNative(client, chain.block, chainId, address),
      ),
    )
  }
}

/**
 * Current tier of a stored holding without legs, from records only, without chain reads. A token
 * bound since the observation is the own token. A token that became the base of a venue awaits a
 * decision.
 */
export function tierNow(
  { asset, assetClass, assetClassSource, tier }: contract.TreasuryHolding,
  standings: TokenStandings,
): Tier {
  const isCoin =
    assetClass === 'FIAT' || (assetClass === 'CRYPTO_MAJOR' && assetClassSource === 'DERIVED')
  if (isCoin) return tier
  // A receivable is at best T3; its stored tier reflects whether its asset is a coin.
  if (assetClass === 'RECEIVABLE') return isOwn(asset, standings) ? 'T4' : tier
  return recordedTier(asset, tier, standings)
}

/**
 * Receivables and claims are at best T3: someone must first pay, or a pool position must be
 * withdrawn.
 */
export const claimedTier = (tier: Tier): Tier => (tier === 'T4' ? 'T4' : 'T3')

/**
 * The same for the asset of one leg of a claim. Older observations without leg tiers use the tier
 * of the claim.
 */
export function legTierNow(
  asset: string,
  observed: Tier,
  { isOwnClaim }: { readonly isOwnClaim: boolean },
  standings: TokenStandings,
): Tier {
  if (isOwnClaim) return 'T4'
  // Without a record, only native coins and wrapped ones are T2.
  const isCoin = observed === 'T0' || (observed === 'T2' && !standings.declared.has(asset))
  return isCoin ? observed : recordedTier(asset, observed, standings)
}

/** True if a record uses or declares a token as own token. */
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

/**
 * Only a flag, with no effect on values: an undeclared token already counts as zero, like the own
 * token.
 */
export const undeclaredGap = (subject: string): Gap => ({
  code: 'OWN_TOKEN_UNDECLARED',
  subject,
  effect: 'FLAGGED',
  detail:
    'A venue trades this token, or an expired record named it. It counts as the own token until an OWNER decides.',
})
