import { describe, expect, it } from 'vitest'
import type { PoolMarket } from '../amm/market.ts'
import { createCpmmPair } from '../amm/v2/state.ts'
import { createClmmPool } from '../amm/v3/state.ts'
import { applyOperation } from '../parity/apply-operation.ts'
import { WaterfallError } from '../study/waterfall.ts'
import { ArmDesk } from './arm-desk.ts'
import { fullRangeArm, holdArm, type MonteCarloArm, rangeArm } from './arms.ts'
import { type ActionKind, gasTable } from './gas-table.ts'
import { openSession } from './open-session.ts'

const one = { num: 1n, den: 1n }
const capital = { base: 1000n, quote: 1000n }

/** The books of a desk that starts with some atoms more than its capital, which no line explains. */
function close(unexplained: bigint, work: (desk: ArmDesk) => void) {
  const start = { ...capital, quote: capital.quote + unexplained }
  const desk = new ArmDesk(null, capital, start, one, () => 0n)
  work(desk)
  return desk.finish()
}

// Four valuations of the whole, three of a segment, two of a price, one of an action.
it.each<[string, bigint, (desk: ArmDesk) => void]>([
  ['nothing', 7n, () => {}],
  ['one move of the price', 9n, (desk) => desk.moveTo(one, 1)],
  [
    'two moves',
    11n,
    (desk) => {
      desk.moveTo(one, 1)
      desk.moveTo(one, 2)
    },
  ],
  ['an action', 11n, (desk) => desk.exchangeAtReference(10n)],
])(
  'after %s the books may leave %s atoms, one per valuation, and not one more',
  (_, most, work) => {
    for (const sign of [1n, -1n]) {
      expect(close(sign * most, work).maker.rounding).toBe(sign * most)
      expect(() => close(sign * (most + 1n), work)).toThrow(WaterfallError)
    }
  },
)

/** Units of the gas table, so that each transaction shows by its own number. */
const unitsOf = (action: ActionKind) => BigInt(gasTable.units[action])
const start = { base: 10n ** 18n, quote: 10n ** 18n, normalization: 'AS_GIVEN' } as const
const orientation = { base: 0, quote: 1 } as const

describe('whoever provides liquidity pays for leaving, whoever holds does not', () => {
  const { state: opened } = applyOperation(createClmmPool({ feePips: 3000, tickSpacing: 60 }), {
    kind: 'v3.initialize',
    timestamp: 0,
    sqrtPriceX96: 1n << 96n,
  })
  const pair = {
    ...createCpmmPair({}),
    reserve0: 10n ** 20n,
    reserve1: 10n ** 20n,
    balance0: 10n ** 20n,
    balance1: 10n ** 20n,
    totalSupply: 10n ** 20n,
  }
  const run = (market: PoolMarket | null, arm: MonteCarloArm) => {
    const session = market === null ? null : openSession(market, orientation)
    const desk = new ArmDesk(session, start, arm.start(session, start, one), one, unitsOf)
    arm.open(desk)
    return desk
  }

  it.each<[string, PoolMarket | null, MonteCarloArm, ActionKind[]]>([
    [
      'a range',
      opened,
      rangeArm('a', { tickLower: -600, tickUpper: 600 }),
      [...(['MINT', 'DECREASE_ALL', 'COLLECT'] as const)],
    ],
    ['a pair', pair, fullRangeArm('a', 60), ['V2_ADD', 'V2_REMOVE']],
    ['holding', null, holdArm('a'), []],
  ])('%s', (_what, market, arm, paid) => {
    const desk = run(market, arm)
    const gas = paid.reduce((sum, action) => sum + unitsOf(action), 0n)
    // What the course of a study shows at its end is what its waterfalls say.
    const before = desk.netVsHold()
    const { holder, maker, net } = desk.finish()
    expect([holder.gas, maker.gas]).toEqual([gas, gas])
    expect(before).toBe(net - holder.hold)
    expect(net + gas >= -2n && net + gas <= 0n).toBe(true)
  })

  it('nothing is left to pay for once a position is closed', () => {
    const desk = run(opened, rangeArm('a', { tickLower: -600, tickUpper: 600 }))
    const [id] = desk.positions.keys()
    desk.close(id!)
    expect(desk.exitGas()).toBe(0n)
    expect(desk.finish().holder.gas).toBe(unitsOf('MINT'))
  })
})
