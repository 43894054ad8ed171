import { contract } from '@liquidity-os/contract'
import { describe, expect, it } from 'vitest'
import { intentChecks } from './intent-checks.ts'

type Intent = contract.IssuerIntentInput
type Study = contract.CapitalRequirementStudy

const e18 = 10n ** 18n
const base = contract.createIntents.example.body.payload as unknown as Intent
const intent = (limits: Partial<Intent['limits']> = {}, change: Partial<Intent> = {}): Intent => ({
  ...base,
  ...change,
  limits: { ...base.limits, ...limits },
})
const study = (change: Partial<Study> = {}): Study =>
  ({
    priceX36: `${2n * 10n ** 36n}`,
    total: { token: '10', quote: '20', valueQuote: '40' },
    targets: [{ side: 'BUY', movePips: 20_000, grossQuote: '3', netQuote: '1' }],
    curve: [
      { movePips: -20_000, buyDepthQuote: '0', sellDepthQuote: `${90_000n * e18}` },
      { movePips: 20_000, buyDepthQuote: `${100_000n * e18}`, sellDepthQuote: '0' },
    ],
    computation: { completeness: 'COMPLETED', gaps: [] },
    ...change,
  }) as unknown as Study
const projection = (
  cash: readonly string[],
  { ageDays = 0, isControlLive = true, isReported = true } = {},
) => {
  const runway = { cash: { net: { monthsX3: cash.length * 1000, beyondHorizon: true } } }
  const controlled = isReported ? { controlledRunway: runway, controlledCashQuote: cash } : {}
  // What only the organization says is its own lasts longer, and decides nothing.
  const months = [...cash, '100', '100'].map((cashQuote) => ({ cashQuote }))
  const asserted = { cash: { net: { monthsX3: months.length * 1000, beyondHorizon: true } } }
  const whole = { runway: asserted, months }
  // Another scenario is longer, and decides nothing.
  const dream = { controlledRunway: asserted, controlledCashQuote: [...cash, ...cash] }
  const other = { ...whole, ...dream, scenarioId: 'a-dream' }
  const scenarios = [other, { ...whole, ...controlled, scenarioId: 'base' }]
  const projection = { quoteKey: base.quote, scenarios }
  return { projection, scenarioId: 'base', ageDays, isControlLive } as never
}
const resultOf = (
  check: string,
  of: { intent?: Intent; study?: Study; projection?: never; venues?: never[] } = {},
) =>
  intentChecks(
    of.intent ?? intent(),
    of.study ?? study(),
    of.projection ?? null,
    of.venues ?? [],
  ).find((one) => one.check === check)?.result

describe('evaluates an intent against', () => {
  it.each([
    ['20', 'PASS'],
    ['19', 'FAIL'],
  ])('its limit of %s: %s', (maximumQuote, result) => {
    expect(resultOf('QUOTE_WITHIN_LIMIT', { intent: intent({ maximumQuote }) })).toBe(result)
    expect(resultOf('QUOTE_WITHIN_LIMIT', { study: study({ total: null }) })).toBe('INDETERMINATE')
  })

  it.each([
    [`${2n * e18}`, `${2n * e18}`, 'PASS'],
    [`${2n * e18 + 1n}`, `${3n * e18}`, 'FAIL'],
    ['1', `${2n * e18 - 1n}`, 'FAIL'],
  ])('a band of %s to %s: %s', (minimumPriceX18, maximumPriceX18, result) => {
    const limits = { minimumPriceX18, maximumPriceX18 }
    expect(resultOf('BAND_HOLDS_REFERENCE', { intent: intent(limits) })).toBe(result)
    const unknown = { intent: intent(limits), study: study({ priceX36: null }) }
    expect(resultOf('BAND_HOLDS_REFERENCE', unknown)).toBe('INDETERMINATE')
  })

  it.each([
    [333_333, 'FAIL'],
    [333_334, 'PASS'],
  ])('a share of %s of a third, rounded up: %s', (maximumOwnPoolSharePips, result) => {
    const existingDepth = { observations: [] } as never
    const request = intent({ maximumOwnPoolSharePips }, { existingDepth })
    expect(resultOf('OWN_SHARE_WITHIN_LIMIT', { intent: request })).toBe(result)
    const blind = intent({ maximumOwnPoolSharePips })
    expect(resultOf('OWN_SHARE_WITHIN_LIMIT', { intent: blind })).toBe('INDETERMINATE')
  })

  it.each([
    [['30', '20', '19'], 2, 'PASS'],
    [['30', '20', '19'], 3, 'FAIL'],
    [['30', '30'], 3, 'INDETERMINATE'],
    [['30', '30'], 2, 'PASS'],
  ])('cash of %s less 20, for %s months: %s', (cash, minimumRunwayMonths, result) => {
    const of = { intent: intent({ minimumRunwayMonths }), projection: projection(cash) }
    expect(resultOf('RUNWAY_AFTER_SPEND', of)).toBe(result)
    for (const unfit of [{ ageDays: 32 }, { isControlLive: false }, { isReported: false }]) {
      const other = { ...of, projection: projection(cash, unfit) }
      expect(resultOf('RUNWAY_AFTER_SPEND', other)).toBe('INDETERMINATE')
    }
    expect(resultOf('RUNWAY_AFTER_SPEND', { intent: of.intent })).toBe('INDETERMINATE')
  })

  it.each([
    ['GTE', 90_000n, 'PASS'],
    ['GTE', 90_001n, 'FAIL'],
    ['LTE', 90_000n, 'PASS'],
    ['LTE', 89_999n, 'FAIL'],
  ] as const)('a success of %s %s: %s', (comparator, value, result) => {
    const [wanted] = base.success
    const success = [{ ...wanted!, comparator, value: `${value * e18}` }]
    expect(resultOf('SUCCESS_REACHABLE', { intent: intent({}, { success }) })).toBe(result)
    const elsewhere = [{ ...success[0]!, movePips: 25_000 }]
    expect(resultOf('SUCCESS_REACHABLE', { intent: intent({}, { success: elsewhere }) })).toBe(
      'INDETERMINATE',
    )
  })

  it('venues that are not of its pair, by name', () => {
    const venues = [{ id: 'venue_a', fault: 'must not be revoked' }] as never[]
    expect(resultOf('VENUES_OF_PAIR', { venues })).toBe('FAIL')
  })
})
