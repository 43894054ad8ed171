import { expect, test } from 'vitest'
import { mint } from '../amm/swap.ts'
import { mintPair, transferToPair } from '../amm/v2/pair.ts'
import { createCpmmPair } from '../amm/v2/state.ts'
import { type ClmmState, createClmmPool } from '../amm/v3/state.ts'
import { applyOperation } from '../parity/apply-operation.ts'
import type { PlanLimits, PlanStep, World } from './plan.ts'
import { rollbackOf } from './rollback.ts'
import { simulatePlan, smallestTranches } from './simulate-plan.ts'

const o = { base: 0, quote: 1 }
const UNIT = 10n ** 18n
const MINE = { owner: 'treasury', tickLower: -6000, tickUpper: 6000 }
const NEW = { owner: 'treasury', tickLower: -1200, tickUpper: 1200 }
const LIQUIDITY = 1_000_000n * UNIT

test('liquidity moves from one pool to another, step by step, and every amount is accounted for', () => {
  const outcomes = simulatePlan(worlds(), wallet(), moveIn(1), open())
  expect(outcomes.map(({ refusal }) => refusal)).toEqual(outcomes.map(() => null))
  const [removed, collected, approved, minted] = outcomes
  expect(removed!.delta).toEqual({ base: 0n, quote: 0n })
  expect(collected!.delta.base).toBeGreaterThan(0n)
  expect(approved!.delta).toEqual({ base: 0n, quote: 0n })
  expect(minted!.delta.base).toBeLessThan(0n)
  const total = outcomes.reduce((sum, { delta }) => sum + delta.base, wallet().base)
  expect(outcomes.at(-1)!.wallet.base).toBe(total)
  const pool = outcomes.at(-1)!.worlds.new!.market as ClmmState
  expect(pool.positions).toMatchObject([{ owner: 'treasury', liquidity: minted!.liquidity }])
})

test('one tranche breaks the depth floor, and the search finds how many keep it', () => {
  const all = simulatePlan(worlds(), wallet(), moveIn(1), open())
  const before = simulatePlan(worlds(), wallet(), [{ kind: 'VERIFY' }], floor(0n))[0]!.depth
  const whole = before.find(({ side }) => side === 'SELL')!.quote
  const limits = floor((whole * 6n) / 10n)
  const atOnce = simulatePlan(worlds(), wallet(), moveIn(1), limits)
  expect(atOnce.at(-1)).toMatchObject({ refusal: 'DEPTH_BELOW_FLOOR' })
  expect(atOnce).toHaveLength(1)
  const { tranches, outcomes } = smallestTranches(worlds(), wallet(), moveIn, limits)
  expect(tranches).toBeGreaterThan(1)
  const fewer = simulatePlan(worlds(), wallet(), moveIn(tranches! - 1), limits)
  expect(fewer.at(-1)!.refusal).toBe('DEPTH_BELOW_FLOOR')
  for (const { depth } of outcomes) {
    expect(depth.find(({ side }) => side === 'SELL')!.quote >= (whole * 6n) / 10n).toBe(true)
  }
  const end = outcomes.at(-1)!
  const apart = end.wallet.quote - all.at(-1)!.wallet.quote
  expect(apart < UNIT && apart > -UNIT).toBe(true)
  const impossible = smallestTranches(worlds(), wallet(), moveIn, floor(whole * 10n), 4)
  expect(impossible.tranches).toBeNull()
})

test.each<[string, PlanStep, PlanLimits]>([
  ['UNKNOWN_WORLD', { kind: 'COLLECT', world: 'nowhere', position: MINE }, open()],
  ['WORLD_EXISTS', { kind: 'CREATE_POOL', world: 'old', opened: world(pool()) }, open()],
  ['REVERTS', { kind: 'REMOVE', world: 'old', position: MINE, liquidity: LIQUIDITY * 9n }, open()],
  [
    'APPROVAL_MISSING',
    { kind: 'MINT', world: 'new', position: NEW, amounts: { base: 1n, quote: 1n } },
    open(),
  ],
  ['NOT_PAID', { kind: 'SWAP', world: 'old', side: 'BUY', amountIn: 2n * UNIT }, open()],
  [
    'SLIPPAGE',
    { kind: 'SWAP', world: 'old', side: 'SELL', amountIn: UNIT },
    { ...open(), maxSlippagePips: 100 },
  ],
  [
    'PRICE_OUT_OF_BAND',
    { kind: 'SWAP', world: 'old', side: 'SELL', amountIn: UNIT },
    { ...open(), priceBand: { lowest: { num: 1n, den: 1n }, highest: { num: 2n, den: 1n } } },
  ],
])('a step is refused with %s, and the plan stops where it stood', (refusal, step, limits) => {
  const later: PlanStep = { kind: 'VERIFY' }
  const outcomes = simulatePlan(worlds(), wallet(), [step, later], limits)
  expect(outcomes).toHaveLength(1)
  expect(outcomes[0]).toMatchObject({ refusal, wallet: wallet(), delta: { base: 0n, quote: 0n } })
})

test.each(['BUY', 'SELL'] as const)(
  'a %s may cost its limit against the mid and not a millionth more, fee and impact together',
  (side) => {
    const trade = (maxSlippagePips: number) =>
      simulatePlan(worlds(), wallet(), [{ kind: 'SWAP', world: 'old', side, amountIn: UNIT }], {
        ...open(),
        maxSlippagePips,
      })[0]!.refusal
    // A fee of 3,000 pips, and the impact of one unit on 1.1 million, 0.9 pips.
    expect(trade(3001)).toBeNull()
    expect(trade(3000)).toBe('SLIPPAGE')
    expect(trade(0)).toBe('SLIPPAGE')
  },
)

test('the slippage of a swap is counted from the mid, wherever the price is', () => {
  const opened = { kind: 'v3.initialize', timestamp: 1, sqrtPriceX96: 5n << 94n } as const
  const fresh = createClmmPool({ feePips: 3000, tickSpacing: 60 })
  const range = { owner: 'others', tickLower: -60_000, tickUpper: 60_000 }
  const dear = world(mint(applyOperation(fresh, opened).state, range, LIQUIDITY).state)
  for (const side of ['BUY', 'SELL'] as const) {
    const step: PlanStep = { kind: 'SWAP', world: 'dear', side, amountIn: UNIT }
    const refusals = [3000, 3002].map((maxSlippagePips) => {
      const limits = { ...open(), maxSlippagePips }
      return simulatePlan({ dear }, wallet(), [step], limits)[0]!.refusal
    })
    expect(refusals).toEqual(['SLIPPAGE', null])
  }
})

test('a swap that the pool cannot fill is refused whatever slippage is allowed', () => {
  const thin = world(mint(pool(), { ...MINE, tickLower: -60, tickUpper: 60 }, 100n * UNIT).state)
  for (const side of ['BUY', 'SELL'] as const) {
    const outcomes = simulatePlan(
      { thin },
      wallet(),
      [{ kind: 'SWAP', world: 'thin', side, amountIn: UNIT }],
      { ...open(), maxSlippagePips: 1_000_000 },
    )
    expect(outcomes[0]!.refusal).toBe('SLIPPAGE')
  }
})

test('a migration can be undone for rounding, and for little when the price has moved', () => {
  const start = { worlds: worlds(), wallet: wallet() }
  const outcomes = simulatePlan(start.worlds, start.wallet, moveIn(2), open())
  const now = rollbackOf(start, outcomes)
  expect(now.possible).toBe(true)
  expect(now.costQuote).toBeGreaterThanOrEqual(0n)
  expect(now.costQuote).toBeLessThan(10n)
  // A narrower range loses more to the holder when the price has gone, and that is the cost then.
  const costs = [50_000, 100_000].map((movePips) => rollbackOf(start, outcomes, movePips))
  expect(costs.every(({ possible }) => possible)).toBe(true)
  expect(costs[0]!.costQuote).toBeGreaterThan(now.costQuote)
  expect(costs[1]!.costQuote).toBeGreaterThan(costs[0]!.costQuote)
  const swapped = simulatePlan(
    start.worlds,
    start.wallet,
    [{ kind: 'SWAP', world: 'old', side: 'SELL', amountIn: UNIT }],
    open(),
  )
  // There and back pays the fee of 0.3 % twice.
  const { costQuote, possible } = rollbackOf(start, swapped)
  expect(possible).toBe(true)
  expect(costQuote).toBeGreaterThan((UNIT * 59n) / 10_000n)
  expect(costQuote).toBeLessThan((UNIT * 61n) / 10_000n)
})

test('a pair is a world too: shares are burned and minted at once, in its own ratio', () => {
  const { state } = mintPair(
    transferToPair(createCpmmPair({}), 500n * UNIT, 500n * UNIT),
    'treasury',
  )
  const start = { pair: world(state), new: world(pool()) }
  const position = { owner: 'treasury', tickLower: 0, tickUpper: 0 }
  const liquidity = 100n * UNIT
  const steps: PlanStep[] = [
    { kind: 'REMOVE', world: 'pair', position, liquidity },
    { kind: 'APPROVE', world: 'pair' },
    { kind: 'MINT', world: 'pair', position, amounts: { base: 10n * UNIT, quote: 50n * UNIT } },
    { kind: 'SOAK', seconds: 86_400 },
  ]
  const outcomes = simulatePlan(start, { base: 0n, quote: 0n }, steps, open())
  expect(outcomes[0]!.delta).toEqual({ base: 100n * UNIT, quote: 100n * UNIT })
  expect(outcomes[2]!.delta).toEqual({ base: -10n * UNIT, quote: -10n * UNIT })
  expect(outcomes).toHaveLength(4)
  const collectFromPair: PlanStep = { kind: 'COLLECT', world: 'pair', position }
  expect(simulatePlan(start, wallet(), [collectFromPair], open())[0]!.refusal).toBe(
    'UNSUPPORTED_MARKET',
  )
})

function moveIn(tranches: number): PlanStep[] {
  const part = LIQUIDITY / BigInt(tranches)
  return Array.from({ length: tranches }, (_, index): PlanStep[] => {
    const liquidity = index === tranches - 1 ? LIQUIDITY - part * BigInt(index) : part
    const half = 259_000n * UNIT
    const amounts = { base: half / BigInt(tranches), quote: half / BigInt(tranches) }
    return [
      { kind: 'REMOVE', world: 'old', position: MINE, liquidity },
      { kind: 'COLLECT', world: 'old', position: MINE },
      { kind: 'APPROVE', world: 'new' },
      { kind: 'MINT', world: 'new', position: NEW, amounts },
      { kind: 'REVOKE_APPROVAL', world: 'new' },
    ]
  }).flat()
}

function worlds(): Record<string, World> {
  const others = { owner: 'others', tickLower: -60_000, tickUpper: 60_000 }
  const shared = mint(pool(), others, LIQUIDITY / 10n).state
  return { old: world(mint(shared, MINE, LIQUIDITY).state), new: world(pool()) }
}

function world(market: World['market']): World {
  return { market, orientation: o }
}

function pool(): ClmmState {
  const empty = createClmmPool({ feePips: 3000, tickSpacing: 60 })
  const opened = { kind: 'v3.initialize', timestamp: 1, sqrtPriceX96: 1n << 96n } as const
  return applyOperation(empty, opened).state
}

function wallet() {
  return { base: UNIT, quote: UNIT }
}

function open(): PlanLimits {
  return {
    minDepth: [],
    priceBand: { lowest: { num: 1n, den: 2n }, highest: { num: 2n, den: 1n } },
    maxSlippagePips: 50_000,
  }
}

function floor(quote: bigint): PlanLimits {
  return { ...open(), minDepth: [{ bandPips: 20_000, side: 'SELL', quote }] }
}
