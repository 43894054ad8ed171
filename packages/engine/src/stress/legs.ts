import { exp } from '../numerics/exp.ts'
import { roundHalfEven } from '../numerics/half-even.ts'
import { betasOn, exponentialCovariance, floorCorrelation } from './covariance.ts'

/** One shock of a scenario. Moves in pips: −500,000 halves. */
export type Leg =
  | { readonly kind: 'PRICE'; readonly asset: string; readonly movePips: number }
  | { readonly kind: 'PRICE'; readonly tier: number; readonly movePips: number }
  /** A price of `pricePips` of the original for `days` days, and of `recoveryPips` afterwards. */
  | {
      readonly kind: 'DEPEG'
      readonly asset: string
      readonly pricePips: number
      readonly days: number
      readonly recoveryPips: number
    }
  /** Every asset moves by its β on the factor. */
  | { readonly kind: 'CORRELATED'; readonly factor: string; readonly movePips: number }
  /** The returns of a historical window, by its name in the observations, multiplied by `times`. */
  | { readonly kind: 'HISTORICAL'; readonly window: string; readonly times?: number }
  /** Others take a share of their liquidity out of some venues, of all where none is named. */
  | {
      readonly kind: 'DEPTH_WITHDRAWAL'
      readonly venueIds?: readonly string[]
      readonly removePips: number
    }
  | { readonly kind: 'FREEZE'; readonly containers: readonly string[]; readonly days: number }
  /**
   * A share of obligations of some kinds becomes due within `toDays` days; default all obligations.
   */
  | {
      readonly kind: 'OBLIGATION_ACCELERATION'
      readonly obligationKinds: readonly string[]
      readonly toDays: number
      readonly sharePips?: number
    }
  | { readonly kind: 'REVENUE'; readonly multiplierPips: number }

/** An asset as far as legs move it. */
export interface MarkedAsset {
  readonly assetId: string
  /** 0, as cash, to 4, which cannot be sold in time. */
  readonly tier: 0 | 1 | 2 | 3 | 4
  /** Quote atoms per atom of the asset, times 10^36. */
  readonly priceX36: bigint
  /** The quote is the unit of account, so no leg moves it. */
  readonly isQuote?: boolean
}

export interface LegObservations {
  /** β per factor and asset. */
  readonly betas: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Sum of the daily log returns per window and asset. */
  readonly windows: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Proxy for an asset without returns, by β. */
  readonly nativeAsset: string
}

/** A price after all legs that move it, and the steps on the way. */
export interface MarkedPrice {
  readonly assetId: string
  readonly priceX36: bigint
  /** Price from the end day of a depeg; null without a depeg. */
  readonly recovery: { readonly fromDay: number; readonly priceX36: bigint } | null
  /** Price after each leg that moved it, in order of application. */
  readonly steps: readonly { readonly leg: number; readonly priceX36: bigint }[]
  readonly flags: readonly 'PROXY_SERIES'[]
  /** Legs that could not be applied, by their place. */
  readonly gaps: readonly { readonly leg: number; readonly code: 'NO_BETA' | 'NO_RETURNS' }[]
}

const X18 = 10n ** 18n
const MILLION = 1_000_000n
const ORDER = ['PRICE', 'DEPEG', 'CORRELATED', 'HISTORICAL'] as const

/**
 * Prices after a scenario. Legs apply in the order PRICE, DEPEG, CORRELATED, HISTORICAL, and in
 * list order within a kind. Each is a factor on the price, which is rounded down and never below
 * zero.
 *
 * @see the leg kinds for their effects
 */
export function markLegs(
  assets: readonly MarkedAsset[],
  legs: readonly Leg[],
  observed: LegObservations,
): MarkedPrice[] {
  const ordered = ORDER.flatMap((kind) =>
    [...legs.entries()].filter(([, leg]) => leg.kind === kind),
  )
  return assets.map((asset) => markOne(asset, asset.isQuote ? [] : ordered, observed))
}

function markOne(
  asset: MarkedAsset,
  ordered: readonly (readonly [place: number, leg: Leg])[],
  observed: LegObservations,
): MarkedPrice {
  let { priceX36 } = asset
  let recovered = priceX36
  let recoveryDay: number | null = null
  const steps: { leg: number; priceX36: bigint }[] = []
  const flags = new Set<'PROXY_SERIES'>()
  const gaps: MarkedPrice['gaps'][number][] = []
  for (const [place, leg] of ordered) {
    const factor = factorOf(asset, leg, observed)
    if (factor === null) continue
    if ('gap' in factor) {
      gaps.push({ leg: place, code: factor.gap })
      continue
    }
    if (factor.isProxy) flags.add('PROXY_SERIES')
    priceX36 = (priceX36 * factor.x18) / X18
    recovered = (recovered * (factor.recoveryX18 ?? factor.x18)) / X18
    if (leg.kind === 'DEPEG') recoveryDay = Math.max(recoveryDay ?? 0, leg.days)
    steps.push({ leg: place, priceX36 })
  }
  const recovery = recoveryDay === null ? null : { fromDay: recoveryDay, priceX36: recovered }
  return { assetId: asset.assetId, priceX36, recovery, steps, flags: [...flags], gaps }
}

type Factor =
  | { readonly x18: bigint; readonly recoveryX18?: bigint; readonly isProxy?: boolean }
  | { readonly gap: 'NO_BETA' | 'NO_RETURNS' }

/** Price factor of a leg for an asset; null if the leg does not affect it. */
function factorOf(asset: MarkedAsset, leg: Leg, observed: LegObservations): Factor | null {
  const { assetId } = asset
  switch (leg.kind) {
    case 'PRICE': {
      const concerns = 'asset' in leg ? leg.asset === assetId : leg.tier === asset.tier
      return concerns ? { x18: moveX18(leg.movePips) } : null
    }
    case 'DEPEG':
      if (leg.asset !== assetId) return null
      return {
        x18: (BigInt(leg.pricePips) * X18) / MILLION,
        recoveryX18: (BigInt(leg.recoveryPips) * X18) / MILLION,
      }
    case 'CORRELATED': {
      const beta = assetId === leg.factor ? 1 : observed.betas[leg.factor]?.[assetId]
      return beta === undefined ? { gap: 'NO_BETA' } : { x18: moveX18(beta * leg.movePips) }
    }
    case 'HISTORICAL': {
      const returns = observed.windows[leg.window] ?? {}
      const own = returns[assetId]
      const { times = 1 } = leg
      if (own !== undefined) return { x18: roundHalfEven(exp(times * own) * 1e18) }
      const native = returns[observed.nativeAsset]
      if (native === undefined) return { gap: 'NO_RETURNS' }
      const beta = observed.betas[observed.nativeAsset]?.[assetId]
      if (beta === undefined) return { gap: 'NO_BETA' }
      return { x18: roundHalfEven(exp(times * beta * native) * 1e18), isProxy: true }
    }
    default:
      return null
  }
}

/**
 * Scales a scenario: every leg gets a multiple of its distance from no effect.
 *
 * Price moves, depeg losses, depth withdrawals and revenue losses are multiplied. A price never
 * falls below zero, and a share never exceeds 100 %. Historical returns are multiplied. Freeze days
 * are multiplied and rounded up. The accelerated share of obligations is multiplied, up to all
 * obligations.
 *
 * @param severity zero or more; zero disables the scenario
 * @throws RangeError below zero
 */
export function scaleLegs(legs: readonly Leg[], severity: number): Leg[] {
  if (!(severity >= 0)) throw new RangeError(`a severity of ${severity}; expected zero or more`)
  return legs.map((leg) => scaleLeg(leg, severity))
}

function scaleLeg(leg: Leg, severity: number): Leg {
  const times = (pips: number) => Math.round(pips * severity)
  const below = (pips: number) => Math.max(0, 1_000_000 - times(1_000_000 - pips))
  switch (leg.kind) {
    case 'PRICE':
    case 'CORRELATED':
      return { ...leg, movePips: Math.max(-1_000_000, times(leg.movePips)) }
    case 'DEPEG': {
      const recoveryPips = below(leg.recoveryPips)
      return { ...leg, pricePips: below(leg.pricePips), recoveryPips }
    }
    case 'HISTORICAL':
      return { ...leg, times: severity * (leg.times ?? 1) }
    case 'DEPTH_WITHDRAWAL':
      return { ...leg, removePips: Math.min(1_000_000, times(leg.removePips)) }
    case 'FREEZE':
      return { ...leg, days: Math.ceil(leg.days * severity) }
    case 'OBLIGATION_ACCELERATION':
      return { ...leg, sharePips: Math.min(1_000_000, times(leg.sharePips ?? 1_000_000)) }
    case 'REVENUE':
      return { ...leg, multiplierPips: below(leg.multiplierPips) }
  }
}

/** One plus a move, never below zero. @param pips may have a fraction where β made it */
function moveX18(pips: number): bigint {
  const x18 = X18 + roundHalfEven(pips * 1e12)
  return x18 < 0n ? 0n : x18
}

/** Daily log returns of an asset by end day. */
export interface DailyReturns {
  readonly assetId: string
  readonly isCrypto: boolean
  readonly returns: ReadonlyMap<number, number>
}

/**
 * β of every asset on every other, from daily log returns with most weight on the newest. Each pair
 * uses its common days, so an asset with a short history does not shorten other pairs.
 * Crypto-to-crypto correlations are at least `floor`, because correlations rise in stress.
 *
 * @param floor for example 0.8
 * @param leastDays minimum common days for a β; pairs with fewer are omitted
 */
export function stressBetas(
  assets: readonly DailyReturns[],
  floor: number,
  leastDays: number,
): Record<string, Record<string, number>> {
  const betas: Record<string, Record<string, number>> = {}
  for (const factor of assets) {
    const own: Record<string, number> = {}
    for (const asset of assets) {
      const beta = betaOf(asset, factor, floor, leastDays)
      if (beta !== null) own[asset.assetId] = beta
    }
    betas[factor.assetId] = own
  }
  return betas
}

function betaOf(
  asset: DailyReturns,
  factor: DailyReturns,
  floor: number,
  leastDays: number,
): number | null {
  if (asset.assetId === factor.assetId) return 1
  const rows = [...factor.returns]
    .flatMap(([day, move]) => {
      const own = asset.returns.get(day)
      return own === undefined ? [] : [{ day, row: [move, own] }]
    })
    .sort((a, b) => a.day - b.day)
  if (rows.length < leastDays) return null
  const plain = exponentialCovariance(rows.map(({ row }) => row))
  // A constant factor gives no β.
  if (plain[0]![0] === 0) return null
  const isFloored = asset.isCrypto && factor.isCrypto
  // The factor is the first column, the asset the second.
  return betasOn(isFloored ? floorCorrelation(plain, floor) : plain, 0)[1]!
}
