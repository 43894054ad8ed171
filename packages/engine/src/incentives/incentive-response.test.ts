import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type IncentiveBaseline,
  incentiveResponse,
  type ResponseDraw,
  solveEquilibrium,
} from './incentive-response.ts'

const baseline: IncentiveBaseline = {
  liquidity: 1_000_000,
  volumePerDay: 500_000,
  feeShare: 0.003,
  ownLiquidity: 0,
}
const draw: ResponseDraw = { elasticity: 0, response: 1, speedPerDay: 0.1, retention: 0.2 }

test('without elasticity a reward as large as the fees doubles the liquidity', () => {
  // k·L = F + r with constant fees: 1,500 of fees per day and as much reward.
  expect(solveEquilibrium(baseline, 0, 1500)).toBeCloseTo(2_000_000, 3)
})

test('with elasticity one half the equilibrium solves the quadratic of its root', () => {
  // x = √(L/L0): x² = x + r/F0, so x = (1 + √(1 + 4·r/F0))/2.
  const x = (1 + Math.sqrt(1 + (4 * 750) / 1500)) / 2
  expect(solveEquilibrium(baseline, 0.5, 750)).toBeCloseTo(1_000_000 * x * x, 2)
})

test('liquidity goes its share of the way, day by day, and keeps a share afterwards', () => {
  const { equilibrium, target, days, afterwards } = incentiveResponse(
    baseline,
    { ...draw, response: 0.4 },
    1500,
    30,
  )
  expect(equilibrium).toBeCloseTo(2_000_000, 3)
  expect(target).toBeCloseTo(1_400_000, 3)
  const left = 0.9 ** 30
  expect(days.at(-1)!.liquidity).toBeCloseTo(1_400_000 - 400_000 * left, 3)
  expect(afterwards).toBeCloseTo(1_000_000 + 0.2 * 400_000 * (1 - left), 3)
  expect(days).toHaveLength(30)
})

test('the issuer’s own liquidity loses the fees that the newcomers take', () => {
  const own = { ...baseline, ownLiquidity: 1_000_000 }
  const { days } = incentiveResponse(own, draw, 1500, 5)
  for (const { ownFeeDilution, fees, liquidity } of days) {
    const share = 1_000_000 / (1_000_000 + liquidity)
    expect(ownFeeDilution).toBeCloseTo(750 - fees * share, 6)
    expect(ownFeeDilution).toBeGreaterThan(0)
  }
})

test('nothing is paid, nothing happens', () => {
  const { equilibrium, days, afterwards } = incentiveResponse(baseline, draw, 0, 10)
  expect(equilibrium).toBeCloseTo(1_000_000, 4)
  expect(days.every(({ liquidity }) => Math.abs(liquidity - 1_000_000) < 1e-3)).toBe(true)
  expect(afterwards).toBeCloseTo(1_000_000, 4)
})

test('more reward never brings less liquidity, and the equilibrium meets its own equation', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      fc.double({ min: 0, max: 1e5, noNaN: true }),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      (elasticity, reward, own) => {
        const market = { ...baseline, ownLiquidity: own }
        const [less, more] = [
          solveEquilibrium(market, elasticity, reward),
          solveEquilibrium(market, elasticity, reward * 1.5 + 1),
        ]
        expect(more).toBeGreaterThan(less)
        const { days } = incentiveResponse(
          market,
          { ...draw, elasticity, speedPerDay: 1 },
          reward,
          1,
        )
        const { fees, liquidity } = days[0]!
        const required = 1500 / (1_000_000 + own)
        const reached = fees / (liquidity + own) + reward / liquidity
        expect(reached / required).toBeCloseTo(1, 6)
      },
    ),
    { numRuns: 200 },
  )
})

test.each([
  ['an elasticity of one', { elasticity: 1 }, 1, 1],
  ['a response above all', { response: 1.1 }, 1, 1],
  ['no speed', { speedPerDay: 0 }, 1, 1],
  ['a reward below zero', {}, -1, 1],
  ['half a day', {}, 1, 0.5],
])('%s is refused', (_what, change, reward, days) => {
  expect(() => incentiveResponse(baseline, { ...draw, ...change }, reward, days)).toThrow(
    RangeError,
  )
})
