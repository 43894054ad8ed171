import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPolicyText } from './grammar.ts'
import type { GrammarContext } from './grammar-types.ts'
import { readableStatements, readProposals } from './proposed.ts'

const base = { address: `0x${'A1'.repeat(20)}`, decimals: 18 }
const quoteToken = { address: `0x${'B2'.repeat(20)}`, decimals: 6 }
const context: GrammarContext = {
  ...{ now: 1_767_225_600n, base, quote: quoteToken },
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
    ['the oracle may be 5 minutes old and no more', 'oracle 5 minutes old'],
    ['leave at least 1 hour between trades', 'wait at least 1 hour'],
    ['let actions be 2 hours apart', 'wait 2 hours'],
    ['this ends 2026-02-28', 'until 2026-02-28'],
    ['valid for the next 30 days', 'valid until in 30 days'],
    ['never send it through the public mempool', 'never public mempool'],
    ['falling back to the public mempool is fine', 'public mempool allowed'],
    ['trade the tokens TOK, USDC', 'only assets USDC and TOK'],
    ['we do not want any adapters', 'no adapters'],
    ['the contract is @router', 'only contracts @router'],
    ['sell when the price is above 1.5 USDC', 'price above 1.5 USDC'],
    ['the price has to be between 1.5 USDC and 2 USDC', 'price between 1.5 USDC and 2 USDC'],
    ['there is no limit on the price', 'no price limit'],
    ['it is to prepare', 'level prepare'],
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
      ['never tell anybody', 'NOT_PROPOSED'],
      ['\u200b', 'UNPARSED_SPAN'],
    ])
    for (const { start, end, quote } of read.refused) expect(text.slice(start, end)).toBe(quote)
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
