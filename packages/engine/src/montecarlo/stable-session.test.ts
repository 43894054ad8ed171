import { expect, it } from 'vitest'
import { removeStableLiquidity } from '../amm/stableswap/liquidity.ts'
import { createStablePool, PRECISION, type StableState } from '../amm/stableswap/state.ts'
import { quoteValue } from '../depth/value.ts'
import { StableSession } from './stable-session.ts'

const one = PRECISION
const orientation = { base: 0, quote: 1 }

function pool(offpegFeeMultiplierX10: bigint, variant: 'NG' | 'A100' = 'NG'): StableState {
  return {
    ...createStablePool({
      variant,
      rates: [one, one],
      amplification: 20_000n,
      feeX10: 1_000_000n,
      ...(variant === 'NG' ? { offpegFeeMultiplierX10 } : {}),
    }),
    balances: [1_000_000n * one, 1_000_000n * one],
    totalSupply: 2_000_000n * one,
  }
}

/** What a trade gains at the reference. */
function gainOf(session: StableSession, amountIn: bigint, reference: { num: bigint; den: bigint }) {
  const plan = session.planInput(true, amountIn)
  return plan === null ? 0n : quoteValue(plan.amountOut, reference) - amountIn
}

it.each([5n, 20n])(
  'an arbitrage of an NG pool gains the most there is, off-peg fee ×%s',
  (multiplier) => {
    const session = new StableSession(pool(multiplier * 10n ** 10n), orientation)
    const reference = { num: 1001n, den: 1000n }
    const plan = session.planArbitrage(reference)!
    const gain = gainOf(session, plan.amountIn, reference)
    expect(gain).toBeGreaterThan(0n)
    for (const percent of [50n, 80n, 95n, 99n, 101n, 105n, 120n, 150n]) {
      expect(gainOf(session, (plan.amountIn * percent) / 100n, reference)).toBeLessThanOrEqual(gain)
    }
  },
)

it('an arbitrage trades the less the more the fee grows off the peg', () => {
  const reference = { num: 101n, den: 100n }
  const inputOf = (state: StableState) =>
    new StableSession(state, orientation).planArbitrage(reference)!.amountIn
  const pools = [pool(0n, 'A100'), pool(5n * 10n ** 10n), pool(20n * 10n ** 10n)]
  const [plain, mild, steep] = pools.map(inputOf)
  expect(mild).toBeLessThan(plain!)
  expect(steep).toBeLessThan(mild!)
  // Of the whole trade it is little: the price moves by a hundredth, the fee by a few of its own parts.
  expect((steep! * 100n) / plain!).toBeGreaterThan(95n)
})

/** The pool with liquidity tokens that are few, so that a fraction of one shows. */
function lumpy(totalSupply: bigint): StableState {
  return { ...pool(20_000_000_000n), totalSupply }
}

it('others leave with their share of the liquidity, rounded down', () => {
  // Two and a half tokens are two, and so are 2.999997.
  for (const [supply, sharePips, leaving] of [
    [10n, 250_000, 2n],
    [10n, 300_000, 3n],
    [9n, 333_333, 2n],
    [9n, 1_000_000, 9n],
  ] as const) {
    const session = new StableSession(lumpy(supply), orientation)
    session.exitOthers(sharePips)
    if (leaving === supply) {
      expect(session.planInput(true, one)).toBeNull()
      continue
    }
    const left = removeStableLiquidity(lumpy(supply), leaving).state
    expect(left.balances[0]).toBe((1_000_000n * one * (supply - leaving) + supply - 1n) / supply)
    const expected = new StableSession(left, orientation)
    const amountIn = 10_000n * one
    expect(session.planInput(true, amountIn)).toEqual(expected.planInput(true, amountIn))
    expect(session.depth([10_000])).toEqual(expected.depth([10_000]))
  }
})

it('what is ours stays when others leave, be it all of them', () => {
  const range = { tickLower: 0, tickUpper: 0 }
  const ours = 500_000n * one
  for (const sharePips of [400_000, 1_000_000]) {
    const session = new StableSession(pool(20_000_000_000n), orientation)
    const paid = session.open('a', range, ours)
    session.open('b', range, ours)
    session.exitOthers(sharePips)
    const others = (2_000_000n * one * BigInt(1_000_000 - sharePips)) / 1_000_000n
    const funds = { base: 1_000_000n * one, quote: 1_000_000n * one }
    // Every token is still worth half of each coin.
    expect(Number(session.liquidityFor(range, funds) / 10n ** 9n)).toBeCloseTo(2e15, -3)
    const { base } = session.close('a', ours)
    expect(paid.base - base).toBeLessThan(10n)
    session.close('b', ours)
    const alone = new StableSession(
      { ...pool(20_000_000_000n), balances: [others / 2n, others / 2n], totalSupply: others },
      orientation,
    )
    const [left, expected] = [session, alone].map((s) => s.planInput(true, 1000n * one)?.amountOut)
    expect(Number((left ?? 0n) / 10n ** 9n)).toBe(Number((expected ?? 0n) / 10n ** 9n))
  }
})
