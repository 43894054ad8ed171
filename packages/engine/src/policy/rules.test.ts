import { describe, expect, it } from 'vitest'
import { type ActionFacts, judgeAction, verdictOf } from './rules.ts'
import { smallestFix } from './smallest-fix.ts'
import type { PolicyTerms } from './terms.ts'

const terms: PolicyTerms = {
  vaultId: 'v',
  level: 4,
  controlEpoch: 3n,
  maximumSlippagePips: 5_000,
  maximumAmountPerTransaction: 1_000n,
  maximumDailyTurnover: 2_500n,
  approvedContracts: ['0xC0'],
  approvedAssets: ['0xA0', '0xB0'],
  approvedAdapterIds: ['x'],
  minimumSecondsBetweenActions: 60,
  oracleMaximumAgeSeconds: 300,
  expiresAt: '2027-01-01T00:00:00Z',
  publicMempoolFallbackAllowed: false,
  minimumPriceX18: 2n * 10n ** 18n,
  maximumPriceX18: 3n * 10n ** 18n,
}
const price = 2_500n * 10n ** 33n
const inside: ActionFacts = {
  status: 'ACTIVE',
  at: 1_000,
  expiresAt: 2_000,
  controlEpoch: 3n,
  neededLevel: 4,
  targets: ['0xc0'],
  assets: ['0xa0', '0xb0'],
  adapter: { id: 'x', isInRelease: true, isCodeKnown: true },
  amountQuote: 1_000n,
  turnoverQuote: 1_500n,
  slippagePips: 5_000n,
  secondsSinceLast: 60,
  priceAgeSeconds: 300,
  midPriceX36: price,
  executionPriceX36: price,
  route: 'PRIVATE',
  calldata: { holds: true, path: null },
  isPlain: true,
}
const outcomes = (change: Partial<ActionFacts>, of = terms) =>
  judgeAction(of, { ...inside, ...change }).flatMap(({ ruleId, outcome }) =>
    outcome === 'ALLOW' ? [] : [`${ruleId} ${outcome}`],
  )

describe('the rules of a policy', () => {
  it('are sixteen, and all allow what lies on every border', () => {
    const rules = judgeAction(terms, inside)
    expect(rules.map(({ ruleId }) => ruleId)).toEqual(
      Array.from({ length: 16 }, (_, place) => `R${String(place + 1).padStart(2, '0')}`),
    )
    expect(verdictOf(rules)).toBe('ALLOW')
    expect(rules.find(({ ruleId }) => ruleId === 'R09')?.margin).toBe(0n)
  })

  it.each([
    ['R01', { status: 'PAUSED' }],
    ['R02', { at: 2_000 }],
    ['R03', { controlEpoch: 4n }],
    ['R05', { targets: ['0xc0', '0xdd'] }],
    ['R06', { assets: ['0xcc'] }],
    ['R07', { adapter: { id: 'y', isInRelease: true, isCodeKnown: true } }],
    ['R07', { adapter: { id: 'x', isInRelease: true, isCodeKnown: false } }],
    ['R08', { amountQuote: 1_001n, turnoverQuote: 0n }],
    ['R09', { turnoverQuote: 1_501n }],
    ['R10', { slippagePips: 5_001n }],
    ['R11', { secondsSinceLast: 59 }],
    ['R12', { priceAgeSeconds: 301 }],
    ['R13', { midPriceX36: 3_000n * 10n ** 33n + 1n }],
    ['R13', { executionPriceX36: 2_000n * 10n ** 33n - 1n }],
    ['R14', { route: 'PUBLIC_MEMPOOL' }],
    ['R15', { calldata: { holds: false, path: 'params.recipient' } }],
    ['R16', { isPlain: false }],
  ] as const)('%s denies what is one step beyond', (ruleId, change) => {
    expect(outcomes(change as Partial<ActionFacts>)).toEqual([`${ruleId} DENY`])
  })

  it('level by level, and R04 denies what needs a higher one', () => {
    expect(outcomes({}, { ...terms, level: 3 })).toEqual(['R04 DENY'])
    expect(outcomes({ neededLevel: 2 }, { ...terms, level: 2 })).toEqual([])
  })

  it('never allow what is not known', () => {
    const unknown = {
      controlEpoch: null,
      targets: null,
      assets: null,
      amountQuote: null,
      turnoverQuote: null,
      adapter: { id: null, isInRelease: null, isCodeKnown: null },
      slippagePips: null,
      secondsSinceLast: null,
      priceAgeSeconds: null,
      midPriceX36: null,
      executionPriceX36: null,
      route: null,
      calldata: null,
      isPlain: null,
    }
    const rules = judgeAction(terms, { ...inside, ...unknown })
    expect(verdictOf(rules)).toBe('INDETERMINATE')
    expect(outcomes(unknown)).toHaveLength(13)
    expect(outcomes(unknown).every((one) => one.endsWith('INDETERMINATE'))).toBe(true)
    const coarse = { ...terms, minimumPriceX18: 999n, maximumPriceX18: null }
    expect(outcomes({}, coarse)).toEqual(['R13 INDETERMINATE'])
    expect(outcomes({ midPriceX36: null }, terms)).toEqual(['R13 INDETERMINATE'])
  })
})

describe('the smallest change that would be allowed', () => {
  const given = { amountIn: 4_000n, minimumOut: 3_000n, quotedOut: 4_000n }
  const fixOf = (change: Partial<ActionFacts>) => {
    const facts = { ...inside, ...change }
    return smallestFix(terms, facts, judgeAction(terms, facts), given)
  }

  it('is none where nothing is denied, and not reachable for what no amount mends', () => {
    expect(fixOf({})).toBeNull()
    expect(fixOf({ controlEpoch: 4n, amountQuote: 5_000n })).toEqual({
      changes: [],
      isReachable: false,
    })
    expect(fixOf({ turnoverQuote: 2_500n })).toMatchObject({ isReachable: false })
  })

  it('scales the amount to the tighter cap, and the least output with it', () => {
    expect(fixOf({ amountQuote: 4_000n, turnoverQuote: 2_000n })).toEqual({
      changes: [
        { pointer: '/payload/action/amountIn', from: '4000', to: '500' },
        { pointer: '/payload/action/minimumOut', from: '3000', to: '498' },
      ],
      isReachable: true,
    })
  })

  it('waits, raises the least output and takes another route, each alone and together', () => {
    expect(
      fixOf({ secondsSinceLast: 50, slippagePips: 250_000n, route: 'PUBLIC_MEMPOOL' }),
    ).toEqual({
      changes: [
        { pointer: '/payload/action/minimumOut', from: '3000', to: '3980' },
        { pointer: '/startAt', from: '1000', to: '1010' },
        { pointer: '/payload/action/route', from: 'PUBLIC_MEMPOOL', to: 'PRIVATE' },
      ],
      isReachable: true,
    })
  })
})
