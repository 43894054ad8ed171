import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stableRecordings } from '../../test/stable-recordings.ts'
import { rampAmplification, stopRamp, withdrawAdminFees } from '../amm/stableswap/administration.ts'
import { exchangeStable } from '../amm/stableswap/exchange.ts'
import {
  addStableLiquidity,
  invariantOf,
  removeStableImbalance,
  removeStableLiquidity,
  removeStableOneCoin,
} from '../amm/stableswap/liquidity.ts'
import { amplificationOf, createStablePool, type StableState } from '../amm/stableswap/state.ts'
import { midPrice } from '../amm/swap.ts'
import { createCpmmPair } from '../amm/v2/state.ts'
import { startReplay } from './baseline.ts'
import type { MarketEvent, StableEvent } from './events.ts'
import { followMarket } from './market-follower.ts'
import { pairFlows } from './pair-flows.ts'
import { StableReplay } from './stable-replay.ts'

const recordings = stableRecordings()
const place = (logIndex = 0, timestamp: number | null = null) => ({
  block: 1,
  timestamp,
  logIndex,
  line: null,
})

function exchanged(soldId: number, boughtId: number, tokensSold: bigint, tokensBought: bigint) {
  return { ...place(), type: 'TokenExchange', soldId, boughtId, tokensSold, tokensBought } as const
}

/** The recorded answer of a deployed pool, told as the log of the exchange that would have given it. */
const answered = recordings.flatMap(({ file, state, calls }) =>
  calls.flatMap(({ call, answer }) =>
    call.function === 'get_dy'
      ? [{ file, state, event: exchanged(call.from, call.to, call.amount, answer) }]
      : [],
  ),
)

test('every recorded answer of a scaled build, told as an exchange, comes out to the atom', () => {
  const scaled = answered.filter(({ state }) => state.variant !== 'CLASSIC')
  expect(scaled).toHaveLength(46)
  for (const { state, event } of scaled) {
    const replay = new StableReplay(state)
    expect(replay.apply(event)).toEqual({ status: 'EXACT' })
    const { balances, adminBalances } = replay.final()
    const moved = balances.map((held, coin) => held - state.balances[coin]!)
    expect(moved[event.soldId]).toBe(event.tokensSold)
    const left = moved[event.boughtId]! + adminBalances[event.boughtId]!
    expect(left).toBe(-event.tokensBought)
  }
})

test('a withdrawal in one coin of the recorded 3pool names no coin, and most amounts tell it', () => {
  const { state, calls } = recordings[0]!
  const withdrawals = calls.flatMap(({ call, answer }) =>
    call.function === 'calc_withdraw_one_coin' ? [{ call, answer }] : [],
  )
  expect(withdrawals).toHaveLength(9)
  const told = withdrawals.map(({ call, answer }) => {
    const event: StableEvent = {
      ...place(),
      type: 'RemoveLiquidityOne',
      tokenId: null,
      tokenSupply: null,
      tokenAmount: call.liquidity,
      coinAmount: answer,
    }
    const named = new StableReplay(state)
    expect(named.apply({ ...event, tokenId: call.coin })).toEqual({ status: 'EXACT' })
    expect(named.final().totalSupply).toBe(state.totalSupply - call.liquidity)
    const replay = new StableReplay(state)
    const verdict = replay.apply(event)
    if (verdict.status === 'EXACT') expect(replay.final()).toEqual(named.final())
    return verdict.status === 'REFUSED' ? verdict.reason : verdict.status
  })
  // USDC and USDT are both paid in millionths, and near their peg both give the same.
  expect(told.filter((verdict) => verdict === 'EXACT')).toHaveLength(3)
  expect(told.filter((verdict) => verdict === 'COIN_AMBIGUOUS')).toHaveLength(6)
})

test('an atom too much is a difference, and nothing is said of what follows', () => {
  const { state, event } = answered.find((each) => each.state.variant === 'NG')!
  const replay = startReplay(state as StableState)
  const tokensBought = event.tokensBought + 1n
  expect(replay.apply({ ...event, tokensBought })).toEqual({
    status: 'DIFFERENT',
    mismatches: [
      { field: 'tokensBought', recorded: `${tokensBought}`, computed: `${event.tokensBought}` },
    ],
  })
  expect(replay.apply(event)).toEqual({ status: 'REFUSED', reason: 'STATE_BEFORE_UNKNOWN' })
  expect(replay.final()).toEqual(state)
  expect(replay.fidelity()).toMatchObject({ eventsReplayed: 2, eventsExact: 0, eventsRefused: 1 })
})

test('an exchange of underlying coins leaves the balances unknown', () => {
  const { state, event } = answered[0]!
  const replay = new StableReplay(state)
  const verdict = replay.apply({ ...place(), type: 'TokenExchangeUnderlying' })
  expect(verdict).toEqual({ status: 'REFUSED', reason: 'UNDERLYING_EXCHANGE' })
  expect(replay.apply(event).status).toBe('REFUSED')
  expect(followAll(state, [{ ...place(), type: 'TokenExchangeUnderlying' }]).mid(o)).toBeNull()
})

const o = { base: 0, quote: 1 }
const variants = ['CLASSIC', 'A100', 'A100_TWO_COIN', 'NG'] as const

function pool(variant: StableState['variant'], coins: number): StableState {
  const scale = variant === 'CLASSIC' ? 1n : 100n
  return createStablePool({
    variant,
    rates: [10n ** 18n, 10n ** 30n, 10n ** 30n].slice(0, coins),
    amplification: 200n * scale,
    feeX10: 4_000_000n,
    adminFeeX10: 5_000_000_000n,
    offpegFeeMultiplierX10: variant === 'NG' ? 20_000_000_000n : 0n,
    blockTimestamp: 1_700_000_000,
  })
}

/** What an operation did, and the log that a build writes of it. */
type Done = readonly [StableState, StableEvent]

function deposit(state: StableState, tokenAmounts: readonly bigint[]): Done {
  const change = addStableLiquidity(state, tokenAmounts)
  return [change.state, imbalance('AddLiquidity', state, change, 1n)]
}

function imbalance(
  type: 'AddLiquidity' | 'RemoveLiquidityImbalance',
  before: StableState,
  { state, amounts, fees }: ReturnType<typeof addStableLiquidity>,
  sign: 1n | -1n,
): StableEvent {
  const counted = before.balances.map((held, coin) => {
    const after = held + sign * amounts[coin]!
    return before.variant === 'NG' ? after - fees[coin]! : after
  })
  return {
    ...place(),
    type,
    tokenAmounts: amounts,
    fees,
    invariant: invariantOf(before, counted),
    tokenSupply: state.totalSupply,
  }
}

function operate(state: StableState, kind: number, part: bigint, coin: number): Done {
  const of = (held: bigint) => (held * part) / 1_000n + 1n
  const coins = state.balances.length
  const other = (coin + 1) % coins
  switch (kind) {
    case 0: {
      const sold = of(state.balances[coin]!)
      const { state: after, amountOut } = exchangeStable(state, { from: coin, to: other }, sold)
      return [after, exchanged(coin, other, sold, amountOut)]
    }
    case 1:
      return deposit(
        state,
        state.balances.map((held, at) => (at === other ? 0n : of(held))),
      )
    case 2: {
      const change = removeStableLiquidity(state, of(state.totalSupply))
      const { amounts: tokenAmounts, state: after } = change
      const tokenSupply = after.totalSupply
      return [after, { ...place(), type: 'RemoveLiquidity', tokenAmounts, tokenSupply }]
    }
    case 3: {
      const tokenAmount = of(state.totalSupply)
      const change = removeStableOneCoin(state, tokenAmount, coin)
      const isNamed = state.variant === 'NG'
      return [
        change.state,
        {
          ...place(),
          type: 'RemoveLiquidityOne',
          tokenAmount,
          tokenId: isNamed ? coin : null,
          coinAmount: change.amounts[coin]!,
          tokenSupply: isNamed ? change.state.totalSupply : null,
        },
      ]
    }
    default: {
      const amounts = state.balances.map((held, at) => (at === coin ? of(held) : 0n))
      const change = removeStableImbalance(state, amounts)
      return [change.state, imbalance('RemoveLiquidityImbalance', state, change, -1n)]
    }
  }
}

test('of any sequence of calls the logs give back the pool', () => {
  const step = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.bigInt(1n, 200n), fc.nat(2))
  const property = fc.property(
    fc.constantFrom(...variants),
    fc.integer({ min: 2, max: 3 }),
    fc.array(step, { maxLength: 12 }),
    (variant, asked, steps) => {
      const coins = variant === 'A100_TWO_COIN' ? 2 : asked
      const start = pool(variant, coins)
      // Not balanced to the atom, so that a withdrawal in one coin can be told.
      const first = [10n ** 24n, 11n * 10n ** 11n + 7n, 9n * 10n ** 11n + 3n].slice(0, coins)
      const events: StableEvent[] = []
      let [state, opening] = deposit(start, first)
      events.push(opening)
      for (const [kind, part, coin] of steps) {
        const [after, event] = operate(state, kind, part, coin % coins)
        state = after
        events.push(event)
      }
      const replay = startReplay(start as StableState)
      expect(events.map((event) => replay.apply(event).status)).toEqual(events.map(() => 'EXACT'))
      expect(replay.final()).toEqual(state)
      expect(followAll(start, events).market()).toEqual(state)
    },
  )
  fc.assert(property, { numRuns: 150 })
})

test('a supply in which the change counts twice is taken for what it is', () => {
  const [state] = deposit(pool('A100_TWO_COIN', 2), [10n ** 24n, 10n ** 12n])
  const [after, event] = operate(state, 2, 100n, 0)
  const twice = { ...event, tokenSupply: 2n * after.totalSupply - state.totalSupply } as StableEvent
  const replay = new StableReplay(state)
  expect(replay.apply(twice)).toEqual({ status: 'EXACT' })
  expect(replay.final()).toEqual(after)
})

test('two coins that would have paid the same leave it open which was paid', () => {
  const plain = createStablePool({
    variant: 'A100',
    rates: [10n ** 18n, 10n ** 18n],
    amplification: 20_000n,
    feeX10: 4_000_000n,
  })
  const [state] = deposit(plain, [10n ** 24n, 10n ** 24n])
  const [, event] = operate(state, 3, 10n, 0)
  const verdict = new StableReplay(state).apply(event)
  expect(verdict).toEqual({ status: 'REFUSED', reason: 'COIN_AMBIGUOUS' })
})

test('the terms and the ramp of the amplification come from their logs, and prices move on the way', () => {
  const [open] = deposit(pool('NG', 2), [10n ** 24n, 2n * 10n ** 12n])
  const start = 1_700_100_000
  const now = { ...open, blockTimestamp: start }
  const ramped = rampAmplification(now, 400n, start + 200_000)
  const { ramp } = ramped
  const begun: StableEvent = {
    ...place(0, start),
    type: 'RampA',
    oldA: ramp.initialA,
    newA: ramp.futureA,
    initialTime: ramp.initialAt,
    futureTime: ramp.futureAt,
  }
  const half = { ...ramped, blockTimestamp: start + 100_000 }
  const stopped = stopRamp(half)
  const a = amplificationOf(half)
  const end: StableEvent = {
    ...place(1, half.blockTimestamp),
    type: 'StopRampA',
    a,
    time: half.blockTimestamp,
  }
  const terms: StableEvent = {
    ...place(2),
    type: 'NewFee',
    feeX10: 1_000_000n,
    adminFeeX10: null,
    offpegFeeMultiplierX10: 30_000_000_000n,
  }
  const replay = new StableReplay(open)
  expect([begun, end, terms].map((event) => replay.apply(event).status)).toEqual(
    Array.from({ length: 3 }, () => 'EXACT'),
  )
  expect(a).toBe(30_000n)
  expect(replay.final()).toEqual({
    ...stopped,
    feeX10: 1_000_000n,
    offpegFeeMultiplierX10: 30_000_000_000n,
  })
  const wrong = new StableReplay(open).apply({ ...begun, oldA: ramp.initialA + 1n })
  expect(wrong.status).toBe('DIFFERENT')

  const market = followAll(open, [begun])
  const { version } = market
  const before = market.mid(o)
  market.advance(half.blockTimestamp)
  expect(market.version).toBe(version + 1)
  expect(market.mid(o)).toEqual(midPrice(half, o))
  expect(market.mid(o)).not.toEqual(before)
  market.advance(half.blockTimestamp)
  expect(market.version).toBe(version + 1)
})

test('a withdrawal of the admin leaves no event, so the fees of the admin are not determined', () => {
  const [open] = deposit(pool('CLASSIC', 2), [10n ** 24n, 2n * 10n ** 12n])
  const [traded, event] = operate(open, 0, 10n, 0)
  const replay = startReplay(open as StableState)
  replay.apply(event)
  const withdrawn = withdrawAdminFees(traded).state
  expect(replay.final()).not.toEqual(withdrawn)
  expect({ ...replay.final(), adminBalances: withdrawn.adminBalances }).toEqual(withdrawn)
  expect(replay.undetermined()).toEqual(['admin_balances[0]', 'admin_balances[1]'])
})

test('the virtual quote is that of a constant product with the same slope', () => {
  for (const { state } of recordings) {
    const scale = state.balances.map((held, coin) => Number(held * state.rates[coin]!) / 1e36)
    if (Math.min(...scale) < 1) continue
    const market = followMarket(state)
    const said = Number(market.virtualQuote(o))
    const free = { ...state, feeX10: 0n, offpegFeeMultiplierX10: 0n }
    const bought = state.balances[1]! / 10_000n
    const after = exchangeStable(free, { from: 1, to: 0 }, bought).state
    const price = (at: StableState) => {
      const { num, den } = midPrice(at, o)
      return Number((num * 10n ** 40n) / den)
    }
    const slope = (2 * Number(bought)) / Math.log(price(after) / price(state))
    expect(said / slope).toBeGreaterThan(0.97)
    expect(said / slope).toBeLessThan(1.03)
  }
})

test('only an exchange of both coins of a pair is a trade of it', () => {
  const event = exchanged(0, 1, 5n, 4n)
  expect(pairFlows(event, { base: 0, quote: 1 })).toEqual({ base: 5n, quote: -4n })
  expect(pairFlows(event, { base: 1, quote: 0 })).toEqual({ base: -4n, quote: 5n })
  expect(pairFlows(event, { base: 0, quote: 2 })).toBeNull()
  expect(pairFlows({ ...place(), type: 'TokenExchangeUnderlying' }, o)).toBeNull()
})

test('events of another market are a fault of the caller', () => {
  const { state, event } = answered[0]!
  const sync: MarketEvent = { ...place(), type: 'Sync', reserve0: 1n, reserve1: 1n }
  expect(() => startReplay(state as StableState).apply(sync)).toThrow(TypeError)
  expect(() => startReplay(createCpmmPair({})).apply(event)).toThrow(TypeError)
})

function followAll(start: StableState, events: readonly StableEvent[]) {
  const market = followMarket(start)
  for (const event of events) market.apply(event)
  return market
}
