import type { contract } from '@liquidity-os/contract'
import {
  DEFAULT_HAIRCUT_PIPS,
  type Leg,
  type LegObservations,
  type StressBooks,
  type StressHolding,
  type StressMarket,
  type StressSale,
  stressBetas,
} from '@liquidity-os/engine/stress'
import { engineVenues } from '../../../market/exit-venues.ts'
import type { AskedScenario } from './asked-scenarios.ts'
import { windowName } from './historical-moves.ts'
import type { ReadMarket } from './read-markets.ts'
import type { HeldLot, ReadPortfolio } from './read-portfolio.ts'
import { leastReturns, type ReadReturns } from './read-returns.ts'
import { isWithin } from './request-faults.ts'

type Input = contract.TreasuryStressInput
type Tier = 0 | 1 | 2 | 3 | 4

export const tierNumber = (tier: contract.TreasuryTier) => Number(tier.slice(1)) as Tier

/** The treasury as the engine stresses it: what has no price is not among it. */
export function stressBooks(
  request: Input,
  { holdings, flows, set }: ReadPortfolio,
  markets: readonly ReadMarket[],
  volatilities: ReadonlyMap<string, number>,
): StressBooks {
  const { haircuts } = set ?? {}
  return {
    holdings: holdings.flatMap((lot) => holdingOf(lot) ?? []),
    markets: new Map(
      markets.map((market) => [market.assetKey, marketOf(market, volatilities)] as const),
    ),
    obligations: flows.obligations,
    inflowQuote: flows.inflowQuote,
    countsOwnToken: request.ownToken === 'COUNTED',
    haircutPips: haircuts
      ? [haircuts.T0, haircuts.T1, haircuts.T2, haircuts.T3, haircuts.T4]
      : DEFAULT_HAIRCUT_PIPS,
  }
}

function holdingOf(lot: HeldLot): StressHolding | null {
  const { assetKey, tier, quantity, container, lockedDays, priceX36, isQuote } = lot
  if (priceX36 === null) return null
  return {
    ...{ assetId: assetKey, tier: tierNumber(tier), quantity, container, lockedDays, isQuote },
    priceX36: BigInt(priceX36),
  }
}

function marketOf(
  { assetKey, dailyVolume, venues }: ReadMarket,
  volatilities: ReadonlyMap<string, number>,
): StressMarket {
  const volatility = volatilities.get(assetKey)
  return {
    // Without a volatility a volume says nothing of what a sale costs; how much can be sold in a day it says all the same, so
    // that whoever knows less is not taken for richer.
    volume:
      dailyVolume === null || (volatility === undefined && venues.length === 0)
        ? null
        : { daily: dailyVolume, volatility: volatility ?? 0 },
    venues: engineVenues(venues),
  }
}

const sale = { participationPips: 100_000, impactYPips: 1_000_000, days: 30 }

export function stressSale({ liquidation }: Input): StressSale {
  const { participationPips, impactYPips, days } = { ...sale, ...liquidation }
  return { participationPips, days, y: impactYPips / 1e6 }
}

/** Legs with the containers that they name and their windows as the engine knows them. */
export function engineLegs({ legs }: AskedScenario, containers: readonly string[]): Leg[] {
  return legs.map((leg): Leg => {
    switch (leg.kind) {
      case 'PRICE':
        return 'tier' in leg ? { ...leg, tier: tierNumber(leg.tier) } : leg
      case 'HISTORICAL':
        return { kind: 'HISTORICAL', window: windowName(leg) }
      case 'FREEZE': {
        const named = containers.filter((key) => leg.containers.some((one) => isWithin(key, one)))
        return { ...leg, containers: named }
      }
      default:
        return leg
    }
  })
}

const defaultFloorPips = 800_000

/** What is known of how assets move together. */
export function observedMoves(
  request: Input,
  { series, rows }: ReadReturns,
  { assets, holdings }: ReadPortfolio,
  windows: LegObservations['windows'],
): LegObservations {
  const floor = (request.returns?.tailCorrelationFloorPips ?? defaultFloorPips) / 1e6
  const tiers = new Map(assets.map(({ assetKey, tier }) => [assetKey, tierNumber(tier)]))
  const moving = series.map(({ assetKey }) => ({
    assetId: assetKey,
    isCrypto: (tiers.get(assetKey) ?? 0) >= 2,
  }))
  return {
    betas: rows.length < leastReturns ? {} : stressBetas(moving, rows, floor),
    windows,
    nativeAsset: nativeOf([...holdings.map(({ assetKey }) => assetKey), ...tiers.keys()]),
  }
}

/** The native coin of the first chain on which something is held; what stands for it where that has no prices is its wrapped form. */
function nativeOf(assetKeys: readonly string[]): string {
  const native = assetKeys.find((key) => key.endsWith('/slip44:60'))
  const chain = assetKeys.find((key) => key.startsWith('eip155:'))?.split('/')[0]
  return native ?? `${chain ?? 'eip155:1'}/slip44:60`
}
