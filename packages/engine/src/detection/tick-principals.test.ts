import { expect, it } from 'vitest'
import { amount0RoundingDown, amount1RoundingDown } from '../amm/v3/sqrt-price-math.ts'
import { sqrtRatioAtTick } from '../amm/v3/tick-math.ts'
import { TickPrincipals } from './tick-principals.ts'

type Pool = ConstructorParameters<typeof TickPrincipals>[0]

const ends = [-120, 0, 60].map(sqrtRatioAtTick) as [bigint, bigint, bigint]
const [low, middle, high] = ends
const ticks = [10n ** 18n, 10n ** 17n, -11n * 10n ** 17n].map((liquidityNet, place) => ({
  liquidityNet,
  sqrtPriceX96: ends[place],
})) as unknown as Pool['ticks']

const heldAt = (sqrtPriceX96: bigint, cursor: number) =>
  new TickPrincipals({ ticks, sqrtPriceX96, cursor }).held()

it('holds token0 alone below all ticks, and token1 alone above them', () => {
  const [first, second] = [10n ** 18n, 11n * 10n ** 17n]
  expect(heldAt(low - 1n, 0)).toEqual({
    amount0: amount0RoundingDown(low, middle, first) + amount0RoundingDown(middle, high, second),
    amount1: 0n,
  })
  expect(heldAt(high + 1n, 3)).toEqual({
    amount0: 0n,
    amount1: amount1RoundingDown(low, middle, first) + amount1RoundingDown(middle, high, second),
  })
})
