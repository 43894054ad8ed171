import type { contract } from '@liquidity-os/contract'

type Input = contract.TreasuryAssumptionInput
type Line = Input['lines'][number]
type Scenario = Input['scenarios'][number]

export const usd = 'iso4217:USD'
export const weth = 'eip155:31337/erc20:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'

/** A line that is right, with what a test wants of it. */
export const line = (change: Partial<Line> = {}): Line => ({
  lineId: 'payroll',
  label: 'Salaries',
  category: 'People',
  direction: 'OUTFLOW',
  assetKey: usd,
  amount: '1000000',
  growthAnnualPips: 0,
  certainty: 'COMMITTED',
  schedule: { kind: 'RECURRING', firstAt: '2026-01-31T00:00:00.000Z', every: 'MONTH' },
  ...change,
})

/** A base, or what a test makes of it. */
export const scenario = (change: Partial<Scenario> = {}): Scenario => ({
  scenarioId: 'base',
  label: 'Base case',
  prices: [],
  inflowMultiplierPips: 1_000_000,
  outflowMultiplierPips: 1_000_000,
  inflowDelayMonths: 0,
  ...change,
})

/** A set of one line and one scenario that is right, with what a test wants of it. */
export const input = (change: Partial<Input> = {}): Input => ({
  label: 'Plan',
  quoteKey: usd,
  startMonth: '2026-01',
  minimumCashQuote: '0',
  lines: [line()],
  scenarios: [scenario()],
  ownTokenPolicy: { mode: 'EXCLUDE' },
  ...change,
})
