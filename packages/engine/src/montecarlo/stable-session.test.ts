import { expect, it } from 'vitest'
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
