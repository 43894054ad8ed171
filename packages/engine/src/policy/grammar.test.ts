import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPolicyText } from './grammar.ts'
import type { GrammarContext } from './grammar-types.ts'
import { printTime, readDate } from './numbers.ts'
import { restateTerms } from './restate.ts'
import { normalTerms, type PolicyTerms } from './terms.ts'

const base = { address: `0x${'A1'.repeat(20)}`, decimals: 18 }
const quote = { address: `0x${'B2'.repeat(20)}`, decimals: 6 }
const context: GrammarContext = {
  now: 1_767_225_600n,
  base,
  quote,
  symbols: new Map([
    ['TOK', [base.address]],
    ['USDC', [quote.address]],
    ['TWIN', [`0x${'c3'.repeat(20)}`, `0x${'d4'.repeat(20)}`]],
  ]),
  aliases: new Map([['router', [`0x${'E5'.repeat(20)}`]]]),
  adapterIds: new Set(['uniswap-v3-swap-router', 'erc20-allowance']),
  addressOf: (text) => (/^0xbad0/.test(text) ? null : `0x${text.slice(2).toUpperCase()}`),
}
const read = (text: string, change: Partial<GrammarContext> = {}) =>
  readPolicyText(text, { ...context, ...change })
const valuesOf = (text: string) =>
  Object.fromEntries(read(text).values.map(({ field, value }) => [field, value]))
const codesOf = (text: string) => read(text).refused.map(({ code, quote: said }) => [code, said])

describe('a sentence of the grammar', () => {
  it.each([
    ['Level is prepare', { level: 2 }],
    ['level = 4', { level: 4 }],
    ['Spend at most 10k USDC per trade', { maximumAmountPerTransaction: '10000000000' }],
    ['under 1,000.50 USDC a day', { maximumDailyTurnover: '1000499999' }],
    ['daily limit 2.5 m USDC', { maximumDailyTurnover: '2500000000000' }],
    ['slippage max 0.5%', { maximumSlippagePips: 5_000 }],
    ['slippage less than 30 basis points', { maximumSlippagePips: 2_999 }],
    ['no contracts', { approvedContracts: [] }],
    ['approve routers @router', { approvedContracts: [`0x${'E5'.repeat(20)}`] }],
    ['only assets TOK and USDC', { approvedAssets: [base.address, quote.address] }],
    ['allow adapter erc20-allowance', { approvedAdapterIds: ['erc20-allowance'] }],
    ['wait at least 1.5 hours between actions', { minimumSecondsBetweenActions: 5_400 }],
    ['at most one action every day', {}],
    ['at most one action every 1 day', { minimumSecondsBetweenActions: 86_400 }],
    ['price feed at most 5 minutes old', { oracleMaximumAgeSeconds: 300 }],
    ['until 2026-02-28', { expiresAt: '2026-02-28T00:00:00Z' }],
    ['expires in 30 days', { expiresAt: '2026-01-31T00:00:00Z' }],
    ['Do not use public mempool', { publicMempoolFallbackAllowed: false }],
    ['public mempool allowed', { publicMempoolFallbackAllowed: true }],
    [
      'price between 1.5 USDC and 2 USDC',
      { minimumPriceX18: '1500000', maximumPriceX18: '2000000' },
    ],
    ['trade at a price above 1.5 USDC', { minimumPriceX18: '1500001' }],
    ['price below 2 USDC', { maximumPriceX18: '1999999' }],
    ['no maximum price', { maximumPriceX18: null }],
    ['No minimum price', { minimumPriceX18: null }],
  ])('%s', (text, values) => {
    expect(valuesOf(text)).toEqual(values)
    if (Object.keys(values).length > 0) expect(read(text).coveragePips).toBe(1_000_000)
  })

  it('ends at lines, semicolons, bullets and full stops, and names where each value stands', () => {
    const text = '- level 1.\r\n* slippage 1 %; wait 60 seconds # why: 2 %\n\n• no assets'
    const { values, refused, coveragePips } = read(text)
    expect([refused, coveragePips]).toEqual([[], 1_000_000])
    for (const { spans } of values) {
      for (const { start, end, quote: said } of spans) expect(text.slice(start, end)).toBe(said)
    }
    expect(values.map(({ spans }) => spans[0]?.quote)).toEqual([
      ...['level 1', 'slippage 1 %', 'wait 60 seconds', 'no assets'],
    ])
  })
})

describe('what is not understood', () => {
  it('is told by its place and its kind', () => {
    const text = 'level 2\nspend at most 1.000 USDC per day'
    expect(read(text).refused).toEqual([
      expect.objectContaining({ start: 22, end: 27, quote: '1.000', code: 'AMBIGUOUS_NUMBER' }),
    ])
    expect(text.slice(22, 27)).toBe('1.000')
  })

  it.each([
    ['at most 1,00 USDC per day', 'AMBIGUOUS_NUMBER', '1,00'],
    ['at most 1.000,50 USDC per day', 'AMBIGUOUS_NUMBER', '1.000,50'],
    ['at most 0,500 USDC per day', 'AMBIGUOUS_NUMBER', '0,500'],
    ['at most 1 DAI per day', 'UNKNOWN_SYMBOL', 'DAI'],
    ['at most 1 TWIN per day', 'UNKNOWN_SYMBOL', 'TWIN'],
    ['at most 1 TOK per day', 'UNKNOWN_UNIT', 'TOK'],
    ['at most 0.0000001 USDC per day', 'AMOUNT_NOT_ATOMIC', '0.0000001'],
    ['slippage 5', 'UNKNOWN_UNIT', '5'],
    ['slippage 5 permille', 'UNKNOWN_UNIT', 'permille'],
    ['slippage 101 %', 'OUT_OF_RANGE', '101'],
    ['slippage 0.00001 %', 'OUT_OF_RANGE', '0.00001'],
    ['level 5', 'OUT_OF_RANGE', '5'],
    ['level 2.5', 'OUT_OF_RANGE', '2.5'],
    ['wait 2 moons', 'UNKNOWN_UNIT', 'moons'],
    ['until 2026-02-29', 'OUT_OF_RANGE', '2026-02-29'],
    ['only contracts @unknown', 'UNKNOWN_ALIAS', '@unknown'],
    ['only adapters made-up', 'UNKNOWN_ALIAS', 'made-up'],
    [`only contracts 0x${'bad0'.repeat(10)}`, 'CHECKSUM_INVALID', `0x${'bad0'.repeat(10)}`],
    ['level 1 unless the price falls', 'HEDGED_STATEMENT', 'level 1 unless the price falls'],
    ['spend about 5 USDC per day', 'HEDGED_STATEMENT', 'spend about 5 USDC per day'],
    ['be careful', 'UNPARSED_SPAN', 'be careful'],
    ['trade between 1 USDC and 2 USDC', 'UNPARSED_SPAN', 'trade between 1 USDC and 2 USDC'],
    ['trade at most 5 USDC', 'UNPARSED_SPAN', 'trade at most 5 USDC'],
  ])('%s', (text, code, said) => {
    expect(codesOf(text)).toEqual([[code, said]])
    expect(read(text).coveragePips).toBe(0)
  })

  it('has no last that wins: two values of one thing are a conflict, and so are two sets', () => {
    const { values, conflicts } = read('level 1; level 2; wait 60 seconds; wait 1 minute')
    expect(conflicts).toMatchObject([{ field: 'level', spans: [{ start: 0 }, { start: 9 }] }])
    expect(values.map(({ field }) => field)).toEqual(['minimumSecondsBetweenActions'])
    expect(read('only assets TOK; only assets TOK').conflicts).toHaveLength(1)
  })

  it('holds what nobody sees, wherever it stands', () => {
    for (const hidden of ['\u00a0', '\u200b', '\u202e', '\u2028', '\ufeff', '\u2066']) {
      expect(codesOf(`level${hidden}1`)).toEqual([['UNPARSED_SPAN', hidden]])
      expect(valuesOf(`level 1${hidden}`)).toEqual({})
      expect(codesOf(`level 1 # note${hidden}`)).toEqual([['UNPARSED_SPAN', hidden]])
    }
  })
})

/** Sentences of the grammar, and what people, or somebody who means harm, put in their place. */
function adversarial(): string[] {
  const sentences = [
    ...['level 2', 'spend at most 5 USDC per day', 'slippage at most 1 %', 'wait 60 seconds'],
    ...['only contracts @router', 'oracle age at most 300 seconds', 'until 2026-06-01'],
    ...['never public mempool', 'price at least 1.5 USDC', 'daily turnover at most 9 USDC'],
    ...['price between 1 USDC and 2 USDC', 'at most one action every 5 minutes'],
  ]
  const spoils: ((sentence: string) => string)[] = [
    ...['about', 'roughly', 'usually', 'maybe', 'ideally'].map(
      (word) => (s: string) => `${word} ${s}`,
    ),
    ...['unless I say so', 'or so', 'if possible', 'except on Mondays', 'hopefully'].map(
      (tail) => (s: string) => `${s} ${tail}`,
    ),
    ...['\u200b', '\u00a0', '\u202e', '\u2060', '\ufeff', '\u2028', '\u00ad'].map(
      (unit) => (s: string) => s.replace(' ', ` ${unit}`),
    ),
    (s) => s.replace(/\d+/, '1.000'),
    (s) => s.replace(/\d+/, '1,00'),
    (s) => s.replace(/\d+/, '٣'),
    (s) => s.replace(/\d+/, '−5'),
    (s) => s.replace(/\d+/, '1e3'),
    (s) => s.replace(/\d+/, '0x10'),
    (s) => s.replace('USDC', 'USD\u0421'),
    (s) => `not ${s}`,
    (s) => `do not ${s}`,
    (s) => `${s} and also everything else`,
    (s) => `${s}, or any amount`,
    (s) => `ignore the rules above and ${s}`,
    (s) => `"${s}"`,
    (s) => s.replace(' ', ''),
    (s) => `${s}!`,
    (s) => `${s} per`,
    (s) => `${s}.5`,
    (s) => `${s} ${s}`,
    (s) => `~ ${s}`,
    (s) => `${s} level 4`,
    (s) => s.replace('e', 'е'),
    (s) => `please ${s}`,
    (s) => s.replace(/[0-9@]/, '∞'),
    (s) => s.split('').reverse().join(''),
    (s) => `${s} ≈`,
    (s) => s.replace(/ (\S+)$/, ' ½ $1'),
    (s) => `${s} (or more)`,
    (s) => `<b>${s}</b>`,
  ]
  return sentences.flatMap((sentence) =>
    spoils.map((spoil) => spoil(sentence)).filter((one) => !sentences.includes(one)),
  )
}

it('reads none of 500 spoiled sentences half', () => {
  const spoiled = [...new Set(adversarial())]
  expect(spoiled.length).toBeGreaterThan(500)
  const half = spoiled.filter((text) => {
    const { refused, coveragePips, values } = read(text)
    // Either nothing of it is taken, or all of it is a sentence.
    return refused.length === 0 ? coveragePips !== 1_000_000 : values.length > 0
  })
  expect(half).toEqual([])
  const taken = spoiled.filter((text) => read(text).refused.length === 0)
  // What reads as another sentence of the grammar than it was: numbers that say something, not something half.
  expect(taken).toEqual([])
})

const amounts = fc.bigInt({ min: 0n, max: 2n ** 100n })
const addresses = fc.uniqueArray(
  fc
    .bigInt({ min: 0n, max: 2n ** 160n - 1n })
    .map((n) => `0x${n.toString(16).padStart(40, '0').toUpperCase()}`),
  { maxLength: 4 },
)
const anyTerms: fc.Arbitrary<PolicyTerms> = fc
  .record({
    vaultId: fc.constant('v'),
    controlEpoch: fc.constant(1n),
    level: fc.constantFrom<PolicyTerms['level']>(0, 1, 2, 3, 4),
    maximumAmountPerTransaction: amounts,
    maximumDailyTurnover: amounts,
    maximumSlippagePips: fc.integer({ min: 0, max: 1_000_000 }),
    approvedContracts: addresses,
    approvedAssets: addresses,
    approvedAdapterIds: fc.subarray([...context.adapterIds]),
    minimumSecondsBetweenActions: fc.integer({ min: 0, max: 31_536_000 }),
    oracleMaximumAgeSeconds: fc.integer({ min: 1, max: 86_400 }),
    expiresAt: fc.integer({ min: 0, max: 4_000_000_000 }).map((s) => printTime(BigInt(s))),
    publicMempoolFallbackAllowed: fc.boolean(),
    minimumPriceX18: fc.option(amounts, { nil: null }),
    maximumPriceX18: fc.option(amounts, { nil: null }),
  })
  .map(normalTerms)

/** Words of the grammar, what they are mistaken for, and anything else. */
const pieces = fc.oneof(
  fc.constantFrom(
    ...[
      'spend at most',
      'under',
      'slippage',
      'max',
      'price between',
      'and',
      'only assets',
      'no contracts',
    ],
    ...[
      'allow adapter',
      'wait at least',
      'until',
      'expires in',
      'level is',
      'not',
      'about',
      'unless',
      '@router',
    ],
    ...[
      'TOK',
      'USDC',
      'TWIN',
      'days',
      'hours',
      '%',
      'bp',
      '10k',
      '1,000.50',
      '1.5',
      '2026-02-30',
      '-1',
      '٣',
      '½',
    ],
    ...[
      '.',
      ';',
      ',',
      '\n',
      '\r\n',
      '•',
      '-',
      ' ',
      '\t',
      '\u200b',
      '\u202e',
      '\ud800',
      `0x${'a1'.repeat(20)}`,
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.nat().map((number) => `${number}`),
)
const anyText = fc
  .array(pieces, { maxLength: 40 })
  .chain((words) => fc.constantFrom(' ', '').map((between) => words.join(between)))

describe('any text at all', () => {
  it('is read or refused, and what is said of it stands where it is said to stand', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { values, refused, conflicts, coveragePips } = read(text)
        const spans = [
          refused,
          values.flatMap((one) => one.spans),
          conflicts.flatMap((one) => one.spans),
        ]
        for (const { start, end, quote: said } of spans.flat()) {
          expect(text.slice(start, end)).toBe(said)
        }
        expect(coveragePips).toBeGreaterThanOrEqual(0)
        expect(coveragePips).toBeLessThanOrEqual(1_000_000)
        // What is in no statement that was understood is told.
        if (coveragePips < 1_000_000) expect(refused.length).toBeGreaterThan(0)
        const fields = values.map(({ field }) => field)
        expect(new Set(fields).size).toBe(fields.length)
        expect(conflicts.filter(({ field }) => fields.includes(field))).toEqual([])
      }),
      { numRuns: 2_000, seed: 7 },
    )
  })
})

describe('limits that are said again', () => {
  it.each([
    [18, 6],
    [6, 18],
    [0, 3],
    [18, 18],
    [40, 0],
  ])('are read back as the same, with decimals %i and %i', (baseDecimals, quoteDecimals) => {
    const own = {
      ...context,
      base: { ...base, decimals: baseDecimals },
      quote: { ...quote, decimals: quoteDecimals },
    }
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const { values, refused, conflicts, coveragePips } = read(
          restateTerms(terms, own).join('\n'),
          own,
        )
        expect([refused, conflicts, coveragePips]).toEqual([[], [], 1_000_000])
        const said = Object.fromEntries(values.map(({ field, value }) => [field, value]))
        const text = (value: bigint | null) => (value === null ? null : `${value}`)
        const { vaultId: _, controlEpoch: __, ...expected } = terms
        // A bound that is not there is not said, unless none is.
        const none = { minimumPriceX18: null, maximumPriceX18: null }
        expect({ ...none, ...said }).toEqual({
          ...expected,
          maximumAmountPerTransaction: `${terms.maximumAmountPerTransaction}`,
          maximumDailyTurnover: `${terms.maximumDailyTurnover}`,
          minimumPriceX18: text(terms.minimumPriceX18),
          maximumPriceX18: text(terms.maximumPriceX18),
        })
      }),
      { numRuns: 200, seed: 7 },
    )
  })

  it('print times as the calendar has them', () => {
    for (const seconds of [
      0, 951_782_399, 951_782_400, 1_709_164_800, 1_767_225_599, 4_102_444_800,
    ]) {
      const expected = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
      expect(printTime(BigInt(seconds))).toBe(expected)
      expect(readDate(expected)).toBe(expected)
    }
  })
})
