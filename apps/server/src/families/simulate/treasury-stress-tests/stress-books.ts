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
import { minDailyReturns } from '../../../market/prices/daily-volatility.ts'
import { windowName } from './historical-moves.ts'
import { nativeOf } from './native-coin.ts'
import type { ReadMarket } from './read-markets.ts'
import type { HeldLot, ReadPortfolio } from './read-portfolio.ts'
import type { ReadReturns } from './read-returns.ts'
import type { RequestedScenario } from './requested-scenarios.ts'
import { tierNumber } from './tier-number.ts'
import { isWithin } from './validate-request.ts'

type Input = contract.TreasuryStressInput
/** The treasury as engine input, without unpriced assets. */
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
    inflows: flows.inflows,
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
    assetId: assetKey,
    tier: tierNumber(tier),
    quantity,
    container,
    lockedDays,
    isQuote,
    priceX36: BigInt(priceX36),
  }
}

function marketOf(
  { assetKey, dailyVolume, venues }: ReadMarket,
  volatilities: ReadonlyMap<string, number>,
): StressMarket {
  const volatility = volatilities.get(assetKey)
  return {
    // Without volatility the volume gives no sale cost, but it still limits the amount sold per
    // day. So missing data never improves the result.
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
export function engineLegs({ legs }: RequestedScenario, containers: readonly string[]): Leg[] {
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

export function observedMoves(
  request: Input,
  { series }: ReadReturns,
  { assets, factors, holdings }: Pick<ReadPortfolio, 'assets' | 'factors' | 'holdings'>,
  windows: LegObservations['windows'],
): LegObservations {
  const floor = (request.returns?.tailCorrelationFloorPips ?? defaultFloorPips) / 1e6
  const tiers = new Map(
    [...assets, ...factors].map(({ assetKey, tier }) => [assetKey, tierNumber(tier)]),
  )
  const moving = series.map(({ assetKey, returns }) => ({
    assetId: assetKey,
    returns,
    isCrypto: (tiers.get(assetKey) ?? 0) >= 2,
  }))
  return {
    betas: stressBetas(moving, floor, minDailyReturns),
    windows,
    nativeAsset: nativeOf([...holdings, ...assets].map(({ assetKey }) => assetKey)),
  }
}
