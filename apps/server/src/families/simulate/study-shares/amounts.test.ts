import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountsAsGiven, amountsOfCapital } from './amounts.ts'

const x18 = 10n ** 18n
const text = (amount: bigint) => amount.toString()
const atoms = fc.bigInt({ min: 0n, max: 10n ** 30n })
const signed = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
const price = fc.bigInt({ min: 1n, max: 10n ** 24n })

describe('amounts as parts of the capital', () => {
  it('are worth at the start price, the capital being 1,000,000', () => {
    // 100 of base at 3 quote each, and 700 quote: worth 1,000.
    const amounts = amountsOfCapital({ base: '100', quote: '700' }, text(3n * x18))!
    expect(amounts.capital).toEqual({ base: '300000', quote: '700000' })
    expect(['1000', '1', '0', '-250'].map(amounts.quote)).toEqual([
      '1000000',
      '1000',
      '0',
      '-250000',
    ])
    expect(['1', '100'].map(amounts.base)).toEqual(['3000', '300000'])
  })

  it('are rounded to the nearest, halves away from zero', () => {
    const amounts = amountsOfCapital({ base: '0', quote: '4000000' }, '0')!
    expect(['1', '2', '5', '6', '-1', '-2', '-6'].map(amounts.quote)).toEqual([
      '0',
      '1',
      '1',
      '2',
      '0',
      '-1',
      '-2',
    ])
  })

  it('keep their ratios to half a unit, and the capital whole', () => {
    fc.assert(
      fc.property(atoms, atoms, price, signed, (base, quote, startPrice, amount) => {
        const worth = quote * x18 + base * startPrice
        fc.pre(worth > 0n)
        const capital = { base: text(base), quote: text(quote) }
        const amounts = amountsOfCapital(capital, text(startPrice))!
        const error = BigInt(amounts.quote(text(amount))) * worth - amount * x18 * 1_000_000n
        expect(2n * (error < 0n ? -error : error) <= worth).toBe(true)
        expect(BigInt(amounts.capital.base) + BigInt(amounts.capital.quote)).toBe(1_000_000n)
      }),
    )
  })

  it('do not reveal the size of the capital', () => {
    fc.assert(
      fc.property(atoms, atoms, price, signed, fc.bigInt(1n, 10n ** 12n), (b, q, p, amount, k) => {
        fc.pre(q * x18 + b * p > 0n)
        const small = amountsOfCapital({ base: text(b), quote: text(q) }, text(p))!
        const large = amountsOfCapital({ base: text(b * k), quote: text(q * k) }, text(p))!
        expect(large.capital).toEqual(small.capital)
        expect(large.quote(text(amount * k))).toBe(small.quote(text(amount)))
        expect(large.base(text(amount * k))).toBe(small.base(text(amount)))
      }),
    )
  })

  it('do not exist without a price, or of nothing', () => {
    expect(amountsOfCapital({ base: '1', quote: '1' }, null)).toBeNull()
    expect(amountsOfCapital({ base: '5', quote: '0' }, '0')).toBeNull()
  })
})

it('shows amounts as they are where they may be seen', () => {
  const amounts = amountsAsGiven({ base: '12', quote: '34' })
  expect([amounts.capital, amounts.quote('-7'), amounts.base('7')]).toEqual([
    { base: '12', quote: '34' },
    '-7',
    '7',
  ])
})
