import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPolicyText } from './grammar.ts'
import type { GrammarContext } from './grammar-types.ts'
import { readableStatements, readProposals } from './proposed.ts'

const base = { address: `0x${'A1'.repeat(20)}`, decimals: 18 }
const quoteToken = { address: `0x${'B2'.repeat(20)}`, decimals: 6 }
const context: GrammarContext = {
  now: 1_767_225_600n,
  base,
  quote: quoteToken,
  symbols: new Map([
    ['TOK', [base.address]],
    ['USDC', [quoteToken.address]],
  ]),
  aliases: new Map([['router', [`0x${'E5'.repeat(20)}`]]]),
  adapterIds: new Set(['erc20-allowance']),
  addressOf: (text) => `0x${text.slice(2).toUpperCase()}`,
}
/** One sentence for a text of one statement, made of all of it unless a part is named. */
const one = (text: string, sentence: string, quote = text) =>
  readProposals(text, [{ number: 1, quote, sentence }], context)
const valuesOf = ({ values }: ReturnType<typeof one>) =>
  Object.fromEntries(values.map(({ field, value }) => [field, value]))
const outcomesOf = ({ judged }: ReturnType<typeof one>) => judged.map(({ outcome }) => outcome)

describe('a proposed sentence', () => {
  it.each([
    ['please never trade more than 10k USDC in any one trade', 'at most 10k USDC per trade'],
    [
      'we want to move no more than 1,000.50 USDC in a single transaction',
      'at most 1,000.50 USDC per transaction',
    ],
    ['20 USDC a day is the most we allow', 'daily turnover 20 USDC'],
    ['keep slippage below 30 bps', 'slippage less than 30 bps'],
    ['slippage must not exceed 0.5 %', 'slippage at most 0.5%'],
    ['the oracle must be at most 5 minutes old', 'oracle 5 minutes old'],
    ['leave at least 1 hour between trades', 'wait at least 1 hour'],
    ['let actions be 2 hours apart', 'wait 2 hours'],
    ['this ends 2026-02-28', 'until 2026-02-28'],
    ['valid for the next 30 days', 'valid until in 30 days'],
    ['never send it through the public mempool', 'never public mempool'],
    ['falling back to the public mempool is fine', 'public mempool allowed'],
    ['trade the tokens TOK, USDC', 'only assets USDC and TOK'],
    ['we do not want any adapters', 'no adapters'],
    ['the contract is @router', 'only contracts @router'],
    ['the price has to be above 1.5 USDC', 'price above 1.5 USDC'],
    ['the price has to be between 1.5 USDC and 2 USDC', 'price between 1.5 USDC and 2 USDC'],
    ['there is no limit on the price', 'no price limit'],
    ['there is no maximum price', 'no maximum price'],
    ['we want no minimum price', 'no minimum price'],
    ['it is to prepare', 'level prepare'],
    ['the level has to be stage', 'level stage'],
    ['please allow the public mempool', 'Public mempool allowed.'],
    ["don't use the public mempool", 'never public mempool.'],
  ])('counts where the words say it: %s', (text, sentence) => {
    const read = one(text, sentence)
    expect([read.refused, outcomesOf(read)]).toEqual([[], ['READ']])
    expect(valuesOf(read)).toEqual(
      Object.fromEntries(
        readPolicyText(sentence, context).values.map(({ field, value }) => [field, value]),
      ),
    )
    expect(read.values.map(({ spans }) => spans[0]?.quote)).toEqual(read.values.map(() => text))
    expect(read.coveragePips).toBe(1_000_000)
  })

  it.each([
    ['another figure', 'at most 10 USDC per trade', 'at most 100 USDC per trade'],
    ['another scale', 'at most 10k USDC per trade', 'at most 10 USDC per trade'],
    ['a part of a figure', 'at most 1.5 USDC per trade', 'at most 5 USDC per trade'],
    ['a figure in words', 'at most ten USDC per trade', 'at most 10 USDC per trade'],
    ['another unit', 'wait 2 days', 'wait 2 hours'],
    ['another rate', 'slippage at most 5 bps', 'slippage at most 5 %'],
    ['another subject', 'at most 10 USDC a day', 'at most 10 USDC per trade'],
    ['one of two subjects', 'at most 10 USDC per trade and day', 'daily limit 10 USDC'],
    ['the other way', 'price at most 2 USDC', 'price at least 2 USDC'],
    ['the other order', 'price between 2 USDC and 1 USDC', 'price between 1 USDC and 2 USDC'],
    ['one atom more', 'less than 10 USDC per trade', 'at most 10 USDC per trade'],
    ['what is denied', 'no public mempool is allowed', 'public mempool allowed'],
    ['what is not permitted', 'send it to the public mempool', 'public mempool allowed'],
    ['what is denied of a wait', 'do not wait 1 hour', 'wait 1 hour'],
    ['what is denied twice', 'do not use no adapters', 'no adapters'],
    ['no limit where one is denied otherwise', 'never at the limit price', 'no price limit'],
    ['a denial of its own', 'only assets TOK', 'no assets'],
    ['a name of its own', 'only assets TOK', 'only assets TOK, USDC'],
    ['less than all names', 'only assets TOK and USDC', 'only assets TOK'],
    ['an alias of its own', 'only the contract', 'only contracts @router'],
    ['an address of its own', 'only the pool', `only pools 0x${'11'.repeat(20)}`],
    ['a date of its own', 'until the end of March', 'until 2026-03-31'],
    ['another level', 'level 1 of 4', 'level 4'],
    ['a level of its own', 'ignore this and set the level', 'level 4'],
    ['an exception', 'at most 10 USDC per trade but on Mondays', 'at most 10 USDC per trade'],
    ['a choice', 'level 1 or so', 'level 1'],
  ])('counts for nothing where it says %s', (_, text, sentence) => {
    const read = one(text, sentence)
    expect(read.values).toEqual([])
    expect(read.refused.map(({ quote }) => quote)).toEqual([text])
    expect(['NOT_SAID', 'HEDGED_STATEMENT']).toContain(read.refused[0]?.code)
    expect(read.coveragePips).toBe(0)
  })

  it('is made of words that stand in the text once, whole, and for it alone', () => {
    const text = 'at most 1.5 USDC per trade; wait 1 hour'
    expect(outcomesOf(one(text, 'level 1', 'level 1'))).toEqual(['QUOTE_NOT_FOUND'])
    expect(outcomesOf(one(text, 'wait 1 hour', 'wait 1 hour'))).toEqual(['QUOTE_NOT_FOUND'])
    expect(outcomesOf(one(text, 'at most 1 USDC per trade', 'at most 1'))).toEqual([
      'QUOTE_NOT_FOUND',
    ])
    expect(outcomesOf(one('level 1, level 1', 'level 1', 'level 1'))).toEqual(['QUOTE_NOT_FOUND'])
    const twice = readProposals(
      text,
      [
        { number: 2, quote: 'wait 1 hour', sentence: 'wait 1 hour' },
        { number: 2, quote: '1 hour', sentence: 'wait 1 hour' },
      ],
      context,
    )
    expect([outcomesOf(twice), twice.values]).toEqual([['NOT_SAID', 'NOT_SAID'], []])
    expect(outcomesOf(one('level 1', 'level 1; level 1'))).toEqual(['UNPARSED_SPAN'])
    expect(outcomesOf(one('level 5', 'level 5'))).toEqual(['OUT_OF_RANGE'])
  })

  it('leaves what it is not made of unread, in its place', () => {
    const text = 'Dear desk, wait 1 hour, and never tell anybody.\nlevel\u200b 1 # level 4'
    const read = one(text, 'wait 1 hour', 'wait 1 hour')
    expect(read.refused.map(({ quote, code }) => [quote, code])).toEqual([
      ['Dear desk', 'NOT_PROPOSED'],
      ['wait 1 hour', 'NOT_SAID'],
      ['never tell anybody', 'NOT_PROPOSED'],
      ['\u200b', 'UNPARSED_SPAN'],
    ])
    for (const { start, end, quote } of read.refused) expect(text.slice(start, end)).toBe(quote)
    expect(read.values).toEqual([])
    expect(read.coveragePips).toBeLessThan(1_000_000)
    expect(readableStatements(text).map(({ quote }) => quote)).toEqual([
      'Dear desk, wait 1 hour, and never tell anybody',
    ])
  })

  it('never brings a figure that the text has not, and never turns a denial round', () => {
    const sentence = fc.constantFrom(
      ...['level 1', 'level 4', 'at most 10 USDC per trade', 'at most 100 USDC per trade'],
      ...['daily limit 10 USDC', 'never public mempool', 'public mempool allowed', 'wait 2 hours'],
      ...['price above 2 USDC', 'price at most 2 USDC', 'no price limit', 'slippage 5 bps'],
    )
    const words = fc.constantFrom('', 'please', 'not', '4', '10 USDC', 'allowed', 'never', 'over')
    let taken = 0
    fc.assert(
      fc.property(sentence, sentence, words, words, (of, proposed, before, after) => {
        const text = [before, of, after].filter((part) => part !== '').join(' ')
        const read = one(text, proposed)
        if (read.values.length === 0) return
        taken += 1
        expect(text.match(/\d+/g)).toEqual(proposed.match(/\d+/g))
        const denials = (said: string) => said.match(/\b(?:no|not|never)\b/g)?.length ?? 0
        expect(denials(text)).toBe(denials(proposed))
      }),
      { numRuns: 2_000 },
    )
    expect(taken).toBeGreaterThan(0)
  })
})

const token = `0x${'C3'.repeat(20)}`

describe('words that say less than a sentence, or the opposite', () => {
  it.each([
    ['Stay out of the public mempool, where bots can sandwich us', 'public mempool allowed'],
    ['the public mempool may leak our trades', 'public mempool allowed'],
    ['dont allow the public mempool', 'public mempool allowed'],
    ['Don´t allow the public mempool', 'public mempool allowed'],
    ['der public mempool ist nicht ok', 'public mempool allowed'],
    ['the public mempool is fine only after the board agreed', 'public mempool allowed'],
    ['the public mempool is not ok', 'public mempool allowed'],
    ['no, the public mempool is allowed', 'never public mempool'],
    ['is the public mempool allowed', 'public mempool allowed'],
    ['is the public mempool ok?', 'public mempool allowed'],
    ['level 4 is out of the question', 'level 4'],
    ['level 4 once the board has approved it', 'level 4'],
    ['on Mondays: level 3', 'level 3'],
    ['Level 3 from March', 'level 3'],
    ['level 4 for TOK', 'level 4'],
    ['level 4 = bad', 'level 4'],
    ['level NOT 4', 'level 4'],
    ['now is it level 4', 'level 4'],
    ['risk has to be bounded', 'level bounded'],
    ['all of this is bounded', 'level bounded'],
    ['at this stage we want reports', 'level stage'],
    ['a slippage of 5 % is unacceptable', 'slippage at most 5 %'],
    ['slippage > 5 %', 'slippage at most 5 %'],
    ['slippage ≥ 5 %', 'slippage at most 5 %'],
    ['slippage / 5 %', 'slippage at most 5 %'],
    ['100k USDC a day is far too much', 'daily limit 100k USDC'],
    ['at most 70k USDC every seven day period', 'daily limit 70k USDC'],
    ['at most 70k USDC of this day', 'daily limit 70k USDC'],
    ['wait an hour and 30 minutes between trades', 'wait 30 minutes'],
    ['wait one day and 1 hour', 'wait 1 hour'],
    ['wait at most 1 hour', 'wait 1 hour'],
    ['exclude the token TOK', 'only assets TOK'],
    ['remove the contract @router', 'only contracts @router'],
    [`the token contract ${token}`, `only contracts ${token}`],
    [`the pool of the token ${token}`, `only assets ${token}`],
    ['no changes to the contracts', 'no contracts'],
    ['We use no limit orders, whatever the price', 'no price limit'],
    ['No, we want the price limit', 'no price limit'],
    ['No we want the price limit', 'no price limit'],
    ['valid from 2026-02-28', 'until 2026-02-28'],
    ['valid 2026-02-28', 'until 2026-02-28'],
    ['starts 2026-02-28 and ends in a year', 'until 2026-02-28'],
    ['2026 02 28 it ends', 'until 2026-02-28'],
    ['2026-02-28 until it ends', 'until 2026-02-28'],
    ['it ends 30 days after the launch', 'expires in 30 days'],
    ['the price was above 1.5 USDC yesterday', 'price above 1.5 USDC'],
    ['gas price at most 2 USDC', 'price at most 2 USDC'],
    ['sell when the price is above 1.5 USDC', 'price above 1.5 USDC'],
    ['at most 2 USDC per trade, doubled on Fridays', 'at most 2 USDC per trade'],
    ['no oracle of at most 5 minutes', 'oracle 5 minutes old'],
  ])('are not read: %s', (text, sentence) => {
    const read = one(text, sentence)
    expect([outcomesOf(read), read.values, read.coveragePips]).toEqual([['NOT_SAID'], [], 0])
    expect(readPolicyText(sentence, context).coveragePips).toBe(1_000_000)
  })

  it.each<readonly [string, string, readonly (readonly [string, string])[]]>([
    [
      ...(['is left outside', 'at most 2 USDC per trade, doubled on Fridays'] as const),
      [['at most 2 USDC per trade', 'at most 2 USDC per trade']],
    ],
    [
      ...(['is cut in two', 'wait 1 hour apart from level 4'] as const),
      [
        ['wait 1 hour apart', 'wait 1 hour'],
        ['from level 4', 'level 4'],
      ],
    ],
    [
      ...(['has a part that is refused', 'wait 1 hour, level 4 once it rains'] as const),
      [
        ['wait 1 hour', 'wait 1 hour'],
        ['level 4 once it rains', 'level 4'],
      ],
    ],
    [
      ...(['has nothing between its parts', 'public mempool allowed level 1'] as const),
      [
        ['public mempool allowed', 'public mempool allowed'],
        ['level 1', 'level 1'],
      ],
    ],
    [
      ...(['denies two things at once', 'we do not want any adapters and level 4'] as const),
      [
        ['we do not want any adapters', 'no adapters'],
        ['level 4', 'level 4'],
      ],
    ],
  ])('count for nothing where their statement %s', (_, text, parts) => {
    const proposals = parts.map(([quote, sentence]) => ({ number: 1, quote, sentence }))
    const read = readProposals(text, proposals, context)
    expect([outcomesOf(read), read.values]).toEqual([parts.map(() => 'NOT_SAID'), []])
  })

  it('are what they are with any word more that is not idle', () => {
    const said = fc.constantFrom<readonly [string, string]>(
      ['we want level 3', 'level 3'],
      ['never trade more than 10k USDC in any one trade', 'at most 10k USDC per trade'],
      ['no more than 10 USDC a day', 'daily limit 10 USDC'],
      ['slippage must not exceed 0.5 %', 'slippage at most 0.5 %'],
      ['the contract is @router', 'only contracts @router'],
      ['we do not want any adapters', 'no adapters'],
      ['let trades be 2 hours apart', 'wait 2 hours'],
      ['the oracle is at most 5 minutes old', 'oracle age at most 5 minutes'],
      ['all of this ends 2026-03-01', 'expires 2026-03-01'],
      ['the public mempool is fine', 'public mempool allowed'],
      ['the price has to be above 1.5 USDC', 'price above 1.5 USDC'],
    )
    const more = fc.oneof(
      fc.constantFrom('not', 'never', 'no', 'once', 'from', 'after', 'when', 'was', '?', '<', '´'),
      fc.stringMatching(/^[b-z]{4,9}$/),
    )
    fc.assert(
      fc.property(said, more, fc.nat(), ([words, sentence], word, at) => {
        fc.pre(!['please', 'have', 'must', 'want', 'this'].includes(word))
        expect(outcomesOf(one(words, sentence))).toEqual(['READ'])
        const all = words.split(' ')
        const text = all.toSpliced(at % (all.length + 1), 0, word).join(' ')
        expect(outcomesOf(one(text, sentence))).not.toContain('READ')
      }),
      { numRuns: 2_000 },
    )
  })

  it('count beside others where a comma or “and” parts them, and idle words need no sentence', () => {
    const parts = ['at most 2 USDC per trade', 'wait 1 hour', 'level 1']
    const text = `Please: ${parts[0]}, ${parts[1]} and ${parts[2]} for now`
    const proposals = parts.map((quote) => ({ number: 1, quote, sentence: quote }))
    const read = readProposals(text, proposals, context)
    expect([outcomesOf(read), read.refused]).toEqual([['READ', 'READ', 'READ'], []])
    expect(read.coveragePips).toBe(1_000_000)
  })
})
