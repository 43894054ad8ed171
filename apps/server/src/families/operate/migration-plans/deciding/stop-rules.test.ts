import { createClmmPool, mint } from '@liquidity-os/engine/amm'
import type { World } from '@liquidity-os/engine/migration'
import { applyOperation } from '@liquidity-os/engine/parity'
import { expect, it } from 'vitest'
import type { PlanPayload } from '../plan-types.ts'
import { firedRules } from './stop-rules.ts'

type Rule = NonNullable<PlanPayload['request']['pilot']>['stop'][number]

const one = 10n ** 18n
const range = { tickLower: -600, tickUpper: 600 }

/** A pool whose liquidity lies within 6 % of its price, a million tokens deep as a whole range. */
function marketAt(sqrtPriceX96: bigint): Readonly<Record<string, World>> {
  const empty = createClmmPool({ feePips: 3000, tickSpacing: 60 })
  const opened = { kind: 'v3.initialize', timestamp: 1, sqrtPriceX96 } as const
  const { state } = applyOperation(empty, opened)
  const market = mint(state, { owner: 'pool', ...range }, 1_000_000n * one).state
  return { venue: { market, orientation: { base: 0, quote: 1 } } }
}
const [par, quarter] = [marketAt(2n ** 96n), marketAt(2n ** 95n)]

const fired = (rule: Rule, seen = [par]) =>
  firedRules(
    {
      request: { pilot: { stop: [rule] } },
      targets: [{ venueId: 'venue', ...range }],
    } as never,
    seen,
  )

it('fires on depth below an amount, and not on depth that is as much', () => {
  const rule = { kind: 'DEPTH_BELOW', bandPips: 10_000, timeSharePips: 0 } as const
  // √1.01 − 1 of a million tokens, and the fee.
  expect(fired({ ...rule, minQuote: `${4900n * one}` })).toEqual([])
  expect(fired({ ...rule, minQuote: `${5100n * one}` })).toEqual(['DEPTH_BELOW at 1 of 1 blocks'])
  expect(fired({ ...rule, bandPips: 20_000, minQuote: `${5100n * one}` })).toEqual([])
})

it('fires on the slippage of a trade of a size and side', () => {
  const rule = { kind: 'SLIPPAGE_ABOVE', side: 'BUY', maxPips: 5000, timeSharePips: 0 } as const
  expect(fired({ ...rule, sizeQuote: `${one}` })).toEqual([])
  const large = { ...rule, sizeQuote: `${20_000n * one}` }
  expect(fired(large)).toEqual(['SLIPPAGE_ABOVE at 1 of 1 blocks'])
  expect(fired({ ...large, maxPips: 100_000 })).toEqual([])
})

it('fires on a price below one, and on one outside of the range of a target', () => {
  const below = (priceX18: bigint) => fired({ kind: 'PRICE_BELOW', priceX18: `${priceX18}` })
  expect(below(one)).toEqual([])
  expect(below(one + 1n)).toEqual(['PRICE_BELOW at 1 of 1 blocks'])
  const outside = { kind: 'OUT_OF_RANGE', timeSharePips: 0 } as const
  expect(fired(outside)).toEqual([])
  expect(fired(outside, [quarter])).toEqual(['OUT_OF_RANGE at 1 of 1 blocks'])
})

it('takes for as long as a rule allows', () => {
  const rule = { kind: 'OUT_OF_RANGE', timeSharePips: 500_000 } as const
  expect(fired(rule, [par, quarter])).toEqual([])
  expect(fired({ ...rule, timeSharePips: 499_999 }, [par, quarter])).toEqual([
    'OUT_OF_RANGE at 1 of 2 blocks',
  ])
})
