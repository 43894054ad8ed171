import { expect, it } from 'vitest'
import { fixedDecimals, isSameUnit, scaledCourse } from './price-scale.ts'

const native = 'eip155:1/slip44:60'
const usd = 'iso4217:USD'
const x36 = 10n ** 36n

/** A course with one price: so many whole units of the quote for one whole unit of the base. */
function printPrice(price: bigint, base: [string, number], quote: [string, number]) {
  const priceX36 = (price * x36 * 10n ** BigInt(quote[1])) / 10n ** BigInt(base[1])
  const course = { maximumAgeSeconds: 60, points: [{ at: 1, priceX36, errorPips: 5 }] }
  const key = { base: base[0], quote: quote[0], source: 'CHAINLINK', of: 'x' } as never
  return [course, { key, baseDecimals: base[1], quoteDecimals: quote[1] }] as const
}

it('reads dollars in cents, whatever decimals the feed was configured with', () => {
  for (const decimals of [0, 2, 6, 8, 18]) {
    const { course, quote } = scaledCourse(...printPrice(90_000n, [native, 18], [usd, decimals]))
    // 90,000.00 USD for 10^18 atoms.
    expect((course.points[0]!.priceX36 * 10n ** 18n) / x36).toBe(9_000_000n)
    expect(quote).toEqual({ assetKey: usd, decimals: 2 })
  }
  const yen = scaledCourse(...printPrice(150n, [usd, 8], ['iso4217:JPY', 8]))
  expect([yen.base.decimals, yen.quote.decimals]).toEqual([2, 0])
  // 150 yen for 100 cents.
  expect((yen.course.points[0]!.priceX36 * 100n) / x36).toBe(150n)
})

it('takes the decimals of a token from its record, else from the feed', () => {
  const token = 'eip155:1/erc20:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
  const wrong = printPrice(1n, [token, 18], [usd, 2])
  const known = scaledCourse(...wrong, (key) => (key === token ? 6 : null))
  expect((known.course.points[0]!.priceX36 * 10n ** 6n) / x36).toBe(100n)
  const unknown = scaledCourse(...wrong)
  expect(unknown.base.decimals).toBe(18)
  expect(isSameUnit(known.base, unknown.base)).toBe(false)
})

it('knows the decimals of money and of native coins', () => {
  expect([usd, 'iso4217:JPY', 'iso4217:BHD', native].map(fixedDecimals)).toEqual([2, 0, 3, 18])
  expect(['iso4217:ZZZ', 'eip155:1/erc20:0x1'].map(fixedDecimals)).toEqual([null, null])
})
