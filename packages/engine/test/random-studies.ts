import { initializePool, setProtocolShare } from '../src/amm/v3/administration.ts'
import { mintLiquidity } from '../src/amm/v3/liquidity.ts'
import { loadPool, snapshotPool } from '../src/amm/v3/pool.ts'
import { type ClmmState, createClmmPool } from '../src/amm/v3/state.ts'
import { sqrtRatioAtTick } from '../src/amm/v3/tick-math.ts'
import {
  fullRangeArm,
  holdArm,
  type MonteCarloArm,
  rangeArm,
  rebalancingArm,
} from '../src/montecarlo/arms.ts'
import type { FailureRule } from '../src/montecarlo/failure.ts'
import type { NoiseFlow, OtherLps } from '../src/montecarlo/flow-draws.ts'
import { FREE_GAS, type GasModel } from '../src/montecarlo/gas.ts'
import type { MonteCarloSpec } from '../src/montecarlo/monte-carlo-spec.ts'
import type { PriceModel } from '../src/montecarlo/price-model.ts'
import type { RunConfig } from '../src/montecarlo/run-path.ts'
import {
  crash50In24h,
  lpExit80,
  quoteDepeg5,
  type Scenario,
  unlockSell,
  volumeX10,
} from '../src/montecarlo/scenario.ts'
import { type RandomStream, randomStream } from '../src/random/xoshiro128.ts'
import { strategyArm } from '../src/strategy/strategy-arm.ts'
import { rule, strategy } from './strategies.ts'

/** One of a list. */
export function pick<Item>(random: RandomStream, items: readonly Item[]): Item {
  // The index is below the length.
  return items[random.below(items.length)]!
}

const powerOfTen = (exponent: number) => 10n ** BigInt(exponent)

/** Price and liquidity scale of a random market. */
export interface Place {
  readonly spacing: number
  readonly tick: number
  /** Liquidity of a usual position. */
  readonly liquidity: bigint
}

export function drawPlace(random: RandomStream): Place {
  const spacing = pick(random, [1, 10, 60, 200])
  const far = pick(random, [0, 3000, 90_000, 400_000])
  const tick = random.below(2 * far + 1) - far
  return { spacing, tick, liquidity: powerOfTen(12 + random.below(12)) }
}

/** A pool at any price, its liquidity wide or near, alike on both sides or not. */
export function drawPool(random: RandomStream, { spacing, tick, liquidity }: Place): ClmmState {
  const feePips = pick(random, [0, 100, 500, 3000, 10_000])
  const pool = loadPool(createClmmPool({ feePips, tickSpacing: spacing }))
  initializePool(pool, sqrtRatioAtTick(tick) + BigInt(random.below(1000)))
  if (random.below(4) === 0) setProtocolShare(pool, 4 + random.below(6), random.below(2) * 5)
  const highest = Math.floor(887_272 / spacing) * spacing
  // Without liquidity everywhere a market cannot take every trade.
  const isWide = random.below(4) > 0
  const wide = { owner: 'wide', tickLower: -highest, tickUpper: highest }
  if (isWide) mintLiquidity(pool, wide, liquidity)
  for (let near = random.below(5) + (isWide ? 0 : 1); near > 0; near--) {
    const range = drawRange(random, { spacing, tick, liquidity })
    mintLiquidity(pool, { owner: 'near', ...range }, liquidity * BigInt(1 + random.below(20)))
  }
  return snapshotPool(pool)
}

/** A range near the price, or away from it. */
export function drawRange(random: RandomStream, { spacing, tick }: Place) {
  const centre = Math.round(tick / spacing) * spacing + (random.below(21) - 10) * spacing
  const width = pick(random, [1, 5, 20, 100])
  return {
    tickLower: centre - spacing * (1 + random.below(width)),
    tickUpper: centre + spacing * (1 + random.below(width)),
  }
}

function drawPrice(random: RandomStream, stepSeconds: number): PriceModel {
  const annualVolatility = pick(random, [0, 0.3, 0.8, 3])
  switch (random.below(3)) {
    case 0:
      return { kind: 'GBM', annualDrift: random.below(3) - 1, annualVolatility }
    case 1:
      return {
        kind: 'JUMP_DIFFUSION',
        annualDrift: 0,
        annualVolatility,
        jumpsPerYear: 600,
        jumpMean: -0.02,
        jumpDeviation: 0.08,
      }
    default: {
      const logReturns = Array.from({ length: 30 }, () => (random.below(2001) - 1000) / 40_000)
      const volumes = logReturns.map(() => random.below(5))
      return {
        kind: 'BLOCK_BOOTSTRAP',
        logReturns,
        volumes,
        stepSeconds,
        meanBlock: 4,
        drift: 'KEEP',
      }
    }
  }
}

function drawFlow(random: RandomStream, typical: number, stepSeconds: number): NoiseFlow | null {
  if (random.below(5) === 0) return null
  return {
    tradesPerDay: (pick(random, [0.3, 2, 8]) * 86_400) / stepSeconds,
    logMeanQuote: typical + random.below(4) - 2,
    logDeviation: pick(random, [0, 1, 2]),
    buyShare: pick(random, [0, 0.5, 0.6]),
    depthElasticity: pick(random, [0, 0, 0.5, -1]),
  }
}

function drawOthers(random: RandomStream): OtherLps {
  const hazard = { kind: 'EXIT_HAZARD', perYearMilli: 400_000, sharePips: 150_000 } as const
  return pick<OtherLps>(random, [
    { kind: 'STATIC' },
    { kind: 'STATIC' },
    hazard,
    { kind: 'FOLLOW_PRICE' },
  ])
}

function drawScenario(random: RandomStream, capital: bigint): Scenario | undefined {
  const sale = unlockSell(capital, 7200)
  return pick<Scenario | undefined>(random, [
    undefined,
    undefined,
    undefined,
    crash50In24h(),
    lpExit80(),
    quoteDepeg5(),
    volumeX10(),
    sale,
    { ...volumeX10(), ...sale },
  ])
}

function drawGas(random: RandomStream, quote: bigint): GasModel {
  if (random.below(3) === 0) return FREE_GAS
  const constant = { kind: 'CONSTANT', baseFeeWei: 10n ** 9n } as const
  const moving = { kind: 'AR1_LOG', meanWei: 10n ** 10n, persistence: 0.9, deviation: 0.3 } as const
  const nativePriceX18 = quote / 10n ** BigInt(random.below(6))
  return { baseFee: pick(random, [constant, moving]), tipWei: 3n, l1DataFeeWei: 7n, nativePriceX18 }
}

/** Some rules of every kind. */
export function drawRules(random: RandomStream, quote: bigint): FailureRule[] {
  const share = { timeSharePips: pick(random, [0, 100_000, 500_000]) }
  const rules: FailureRule[] = [
    { kind: 'DEPTH_BELOW', bandPips: 10_000, minQuote: quote, ...share },
    { kind: 'SLIPPAGE_ABOVE', sizeQuote: quote, side: 'BUY', maxPips: 6000, ...share },
    { kind: 'SLIPPAGE_ABOVE', sizeQuote: quote / 7n, side: 'SELL', maxPips: 4000, ...share },
    { kind: 'OUT_OF_RANGE', ...share },
    { kind: 'QUOTE_BELOW', minQuote: quote / 3n },
    { kind: 'BASE_SHARE_ABOVE', pips: 600_000 },
    { kind: 'LOSS_VS_HOLD', pips: pick(random, [0, 100, 5000]) },
    { kind: 'DRAWDOWN', pips: pick(random, [0, 1000]) },
    { kind: 'PRICE_BELOW', priceX18: 10n ** BigInt(random.below(37)) },
  ]
  return rules.filter(() => random.below(3) > 0)
}

function drawArms(random: RandomStream, place: Place): () => MonteCarloArm[] {
  const ranges = [drawRange(random, place), drawRange(random, place)]
  const leaves = { kind: 'OUT_OF_RANGE', positionId: 'core', seconds: 3600 } as const
  const recentres = rule(leaves, { kind: 'RECENTER', swap: true })
  const definition = strategy({ rules: [recentres] })
  const terms = { actionLatencySeconds: 60, volatility: 0.0002 }
  const acts = random.below(4) === 0
  return () => [
    holdArm('hold'),
    ...ranges.map((range, index) => rangeArm(`range-${index}`, range)),
    fullRangeArm('full', place.spacing),
    ...(acts ? [strategyArm('strategy', definition, terms)] : []),
    rebalancingArm('rebalancing'),
    fullRangeArm('full-again', place.spacing),
  ]
}

/**
 * A study on a v3 pool with something of everything that a study may have, small enough to be run on the
 * readable engine too.
 */
export function drawStudy(seed: number): MonteCarloSpec {
  const random = randomStream(seed)
  const place = drawPlace(random)
  const s0 = drawPool(random, place)
  const stepSeconds = pick(random, [60, 700, 3600, 86_400])
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setUint32(28, seed)
  const base = random.below(2)
  // Quote value of the near liquidity: token1 amounts grow with the root price, token0 amounts
  // fall.
  const root = 1.0001 ** ((base === 0 ? place.tick : -place.tick) / 2)
  const quote = BigInt(Math.ceil(Number(place.liquidity) * root * 0.01)) + 1n
  const ownBase = BigInt(Math.ceil((Number(place.liquidity) / root) * 0.01)) + 1n
  const scenario = drawScenario(random, ownBase)
  const cfg: RunConfig = {
    seed: bytes,
    orientation: { base, quote: 1 - base },
    stepSeconds,
    sampleEverySteps: pick(random, [1, 1, 3, 7]),
    capital: {
      base: random.below(5) === 0 ? 0n : ownBase * BigInt(1 + random.below(100)),
      quote: quote * BigInt(1 + random.below(100)),
      normalization: pick(random, ['AS_GIVEN', 'EQUAL_VALUE'] as const),
    },
    bandsPips: pick(random, [[], [20_000], [10_000, 19_900, 500_000]]),
    tradeSizesQuote: pick(random, [[], [quote], [quote * 50n, 1n]]),
    failure: drawRules(random, quote),
    gas: drawGas(random, quote),
    minProfitQuote: pick(random, [0n, 1n, quote / 100n]),
    ...(random.below(3) === 0 ? { targetBaseShare: { pips: 500_000, tolerancePips: 20_000 } } : {}),
    ...(random.below(2) === 0 ? { fanPoints: 5 } : {}),
  }
  return {
    s0,
    price: drawPrice(random, stepSeconds),
    flow: drawFlow(random, Math.log(Number(quote)), stepSeconds),
    others: drawOthers(random),
    ...(scenario === undefined ? {} : { scenario }),
    steps: pick(random, [1, 10, 40, 90]),
    paths: 200,
    arms: drawArms(random, place),
    cfg,
  }
}
