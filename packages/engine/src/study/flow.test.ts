import { expect, it } from 'vitest'
import { newPool } from '../../test/monte-carlo-market.ts'
import { loadPool } from '../amm/v3/pool.ts'
import type { SwapEvent } from '../replay/events.ts'
import { applyFlow, type FlowCounts } from './flow.ts'

const one = 10n ** 18n
const trade: SwapEvent = {
  type: 'Swap',
  block: 1,
  timestamp: 1,
  logIndex: null,
  line: null,
  amount0: one,
  amount1: -one,
  sqrtPriceX96: 1n << 96n,
  liquidity: one,
  tick: 0,
}

/** One small sale of base at price one while the reference has gone to (8/10)² or (12/10)². */
function flowAt(base: 0 | 1, tenths: bigint, arbitrageCostQuote: bigint) {
  const counts: FlowCounts = {
    swaps: 0,
    volumeQuote: 0n,
    arbitrages: 0,
    arbitrageVolumeQuote: 0n,
  }
  const trades: { baseIn: boolean; base: bigint; quote: bigint }[] = []
  const square = { num: tenths * tenths, den: 100n }
  applyFlow(
    loadPool(newPool({ feePips: 3000 })),
    trade,
    { model: 'INELASTIC_INPUT', orientation: { base, quote: 1 - base }, arbitrageCostQuote },
    ((1n << 96n) * tenths) / 10n,
    base === 0 ? square : { num: square.den, den: square.num },
    counts,
    { before: (baseIn, b, quote) => trades.push({ baseIn, base: b, quote }), after: () => {} },
  )
  return { counts, trades }
}

it.each([
  [0, 8n],
  [0, 12n],
  [1, 8n],
  [1, 12n],
] as const)(
  'with base at %s and a root price of %s tenths, arbitrage happens only for a profit above its cost',
  (base, tenths) => {
    const free = flowAt(base, tenths, 0n)
    expect(free.counts).toMatchObject({ swaps: 1, arbitrages: 1 })
    const { baseIn, base: moved, quote } = free.trades[1]!
    const [num, den] = base === 0 ? [tenths * tenths, 100n] : [100n, tenths * tenths]
    const worth = (moved * num) / den
    const profit = baseIn ? quote - worth : worth - quote
    expect(profit).toBeGreaterThan(one)
    expect(free.counts.arbitrageVolumeQuote).toBe(baseIn ? worth : quote)
    expect(flowAt(base, tenths, profit - 1n)).toEqual(free)
    const dear = flowAt(base, tenths, profit)
    expect(dear.counts).toMatchObject({ swaps: 1, arbitrages: 0, arbitrageVolumeQuote: 0n })
    expect(dear.trades).toEqual(free.trades.slice(0, 1))
  },
)
