import { addStableLiquidity } from '../src/amm/stableswap/liquidity.ts'
import { createStablePool, type StableState } from '../src/amm/stableswap/state.ts'
import { mintPair } from '../src/amm/v2/pair.ts'
import { type CpmmState, createCpmmPair } from '../src/amm/v2/state.ts'
import { initializePool } from '../src/amm/v3/administration.ts'
import { mintLiquidity } from '../src/amm/v3/liquidity.ts'
import { loadPool, snapshotPool } from '../src/amm/v3/pool.ts'
import { type ClmmState, createClmmPool } from '../src/amm/v3/state.ts'
import { sqrtRatioAtTick } from '../src/amm/v3/tick-math.ts'

const one = 10n ** 18n

/** A v3 pool around a tick: a full range position and some narrower ones. */
export function newPool(terms: { feePips: number; tick?: number; ranges?: boolean }): ClmmState {
  const spacing = 60
  const tick = terms.tick ?? 0
  const pool = loadPool(createClmmPool({ feePips: terms.feePips, tickSpacing: spacing }))
  initializePool(pool, sqrtRatioAtTick(tick))
  mintLiquidity(pool, { owner: 'wide', tickLower: -887_220, tickUpper: 887_220 }, 10_000n * one)
  if (terms.ranges === true) {
    const centre = Math.round(tick / spacing) * spacing
    for (const [half, liquidity] of [
      [600, 30_000n],
      [1800, 20_000n],
      [6000, 8_000n],
    ] as const) {
      const key = { owner: 'near', tickLower: centre - half, tickUpper: centre + half }
      mintLiquidity(pool, key, liquidity * one)
    }
  }
  return snapshotPool(pool)
}

/** A v2 pair with a million tokens per side. */
export function newPair(terms: { feeThousandths: bigint } = { feeThousandths: 3n }): CpmmState {
  const fee = { numerator: terms.feeThousandths, denominator: 1000n }
  const empty = createCpmmPair({ fee })
  const funded = { ...empty, balance0: 1_000_000n * one, balance1: 1_000_000n * one }
  return mintPair(funded, 'others').state
}

/** An NG StableSwap pool with a million tokens per coin. */
export function newStablePool(): StableState {
  const pool = createStablePool({
    variant: 'NG',
    rates: [one, one],
    amplification: 20_000n,
    feeX10: 4_000_000n,
    adminFeeX10: 5_000_000_000n,
    offpegFeeMultiplierX10: 20_000_000_000n,
  })
  return addStableLiquidity(pool, [1_000_000n * one, 1_000_000n * one]).state
}
