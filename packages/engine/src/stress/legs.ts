import { exp } from '../numerics/exp.ts'
import { roundHalfEven } from '../numerics/half-even.ts'
import { betasOn, exponentialCovariance, floorCorrelation, type Matrix } from './covariance.ts'

/** One shock of a scenario. Moves in pips: −500,000 halves. */
export type Leg =
  | { readonly kind: 'PRICE'; readonly asset: string; readonly movePips: number }
  | { readonly kind: 'PRICE'; readonly tier: number; readonly movePips: number }
  /** A price of `pricePips` of what it was, for so many days, and `recoveryPips` of it afterwards. */
  | {
      readonly kind: 'DEPEG'
      readonly asset: string
      readonly pricePips: number
      readonly days: number
      readonly recoveryPips: number
    }
  /** Every asset moves by its β on the factor. */
  | { readonly kind: 'CORRELATED'; readonly factor: string; readonly movePips: number }
  /** The returns of a window of the past, by the name it has among the observations. */
  | { readonly kind: 'HISTORICAL'; readonly window: string }
  /** Others take a share of their liquidity out of some venues, of all where none is named. */
  | {
      readonly kind: 'DEPTH_WITHDRAWAL'
      readonly venueIds?: readonly string[]
      readonly removePips: number
    }
  | { readonly kind: 'FREEZE'; readonly container: string; readonly days: number }
  | {
      readonly kind: 'OBLIGATION_ACCELERATION'
      readonly obligationKinds: readonly string[]
      readonly toDays: number
    }
  | { readonly kind: 'REVENUE'; readonly multiplierPips: number }

/** An asset as far as legs move it. */
export interface MarkedAsset {
  readonly assetId: string
  /** 0, as cash, to 4, which cannot be sold in time. */
  readonly tier: 0 | 1 | 2 | 3 | 4
  /** Quote atoms per atom of the asset, times 10^18. */
  readonly priceX18: bigint
}

/** What is known of how assets move. */
export interface LegObservations {
  /** β per factor and asset. */
  readonly betas: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Sum of the daily log returns per window and asset. */
  readonly windows: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Stands for an asset without returns, by β. */
  readonly nativeAsset: string
}

/** A price after all legs that move it, and the steps on the way. */
export interface MarkedPrice {
  readonly assetId: string
  readonly priceX18: bigint
  /** Price from the day on which a depeg ends; null without one. */
  readonly recovery: { readonly fromDay: number; readonly priceX18: bigint } | null
  /** Price after each leg that moved it, in the order of the legs as they were applied. */
  readonly steps: readonly { readonly leg: number; readonly priceX18: bigint }[]
  readonly flags: readonly 'PROXY_SERIES'[]
  /** Legs that could not be applied, by their place. */
  readonly gaps: readonly { readonly leg: number; readonly code: 'NO_BETA' | 'NO_RETURNS' }[]
}

const X18 = 10n ** 18n
const MILLION = 1_000_000n
const ORDER = ['PRICE', 'DEPEG', 'CORRELATED', 'HISTORICAL'] as const

/**
 * Prices after a scenario: legs in the order PRICE, DEPEG, CORRELATED, HISTORICAL and within a kind as they are
 * listed, each a factor on the price, which is rounded down and never below zero.
 *
 * @see the leg kinds for what each does
 */
export function markLegs(
  assets: readonly MarkedAsset[],
  legs: readonly Leg[],
  observed: LegObservations,
): MarkedPrice[] {
  const ordered = ORDER.flatMap((kind) =>
    [...legs.entries()].filter(([, leg]) => leg.kind === kind),
  )
  return assets.map((asset) => markOne(asset, ordered, observed))
}

function markOne(
  asset: MarkedAsset,
  ordered: readonly (readonly [place: number, leg: Leg])[],
  observed: LegObservations,
): MarkedPrice {
  let { priceX18 } = asset
  let recovered = priceX18
  let recoveryDay: number | null = null
  const steps: { leg: number; priceX18: bigint }[] = []
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
    priceX18 = (priceX18 * factor.x18) / X18
    recovered = (recovered * (factor.recoveryX18 ?? factor.x18)) / X18
    if (leg.kind === 'DEPEG') recoveryDay = Math.max(recoveryDay ?? 0, leg.days)
    steps.push({ leg: place, priceX18 })
  }
  const recovery = recoveryDay === null ? null : { fromDay: recoveryDay, priceX18: recovered }
  return { assetId: asset.assetId, priceX18, recovery, steps, flags: [...flags], gaps }
}

type Factor =
  | { readonly x18: bigint; readonly recoveryX18?: bigint; readonly isProxy?: boolean }
  | { readonly gap: 'NO_BETA' | 'NO_RETURNS' }

/** What a leg multiplies the price of an asset by; null where it does not concern it. */
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
      if (own !== undefined) return { x18: roundHalfEven(exp(own) * 1e18) }
      const native = returns[observed.nativeAsset]
      if (native === undefined) return { gap: 'NO_RETURNS' }
      const beta = observed.betas[observed.nativeAsset]?.[assetId]
      if (beta === undefined) return { gap: 'NO_BETA' }
      return { x18: roundHalfEven(exp(beta * native) * 1e18), isProxy: true }
    }
    default:
      return null
  }
}

/** One plus a move, never below zero. @param pips may have a fraction where β made it */
function moveX18(pips: number): bigint {
  const x18 = X18 + roundHalfEven(pips * 1e12)
  return x18 < 0n ? 0n : x18
}

/**
 * β of every asset on every other, from daily log returns with the newest weighing most; crypto to crypto no
 * correlation is taken below the floor, because in stress correlations rise.
 *
 * @param returns rows in time order, one column per asset
 * @param floor   as 0.8
 */
export function stressBetas(
  assets: readonly { readonly assetId: string; readonly isCrypto: boolean }[],
  returns: Matrix,
  floor: number,
): Record<string, Record<string, number>> {
  const plain = exponentialCovariance(returns)
  const floored = floorCorrelation(plain, floor)
  // Matrices have a row and a column per asset.
  const covariance = plain.map((row, i) =>
    row.map((value, j) => (assets[i]!.isCrypto && assets[j]!.isCrypto ? floored[i]![j]! : value)),
  )
  return Object.fromEntries(
    assets.map(({ assetId }, factor) => {
      const betas = betasOn(covariance, factor)
      return [assetId, Object.fromEntries(assets.map((asset, i) => [asset.assetId, betas[i]!]))]
    }),
  )
}
