import { describe, expect, it } from 'vitest'
import { lnOf, PriceMemory } from './price-memory.ts'

const rat = (price: number) => ({ num: BigInt(Math.round(price * 1e9)), den: 10n ** 9n })

describe('the memory of a price', () => {
  it('averages over time, each price by how long it held', () => {
    const memory = new PriceMemory(3600)
    memory.note(0, rat(1))
    memory.note(100, rat(Math.E))
    memory.note(400, rat(Math.E ** 2))
    // Of the last 400 s, ln P was 0 for 100 s and 1 for 300 s.
    expect(memory.average(400)).toBeCloseTo(0.75, 8)
    expect(memory.average(300)).toBeCloseTo(1, 8)
    expect(memory.average(1)).toBeCloseTo(1, 8)
    expect(memory.latest).toBeCloseTo(2, 8)
  })

  it('gives the root of the squared returns over the time, once it has eight of them', () => {
    const memory = new PriceMemory(86_400)
    for (let step = 0; step <= 8; step++) {
      expect(memory.volatility(86_400)).toBe(null)
      memory.note(step * 60, rat(step % 2 === 0 ? 1 : Math.E ** 0.01))
    }
    // Eight moves of one per cent in 480 s.
    expect(memory.volatility(86_400)).toBeCloseTo(Math.sqrt((8 * 0.0001) / 480), 9)
    // A shorter window sees fewer.
    expect(memory.volatility(300)).toBe(null)
  })

  it('forgets what is older than its window, and nothing that is in it', () => {
    const short = new PriceMemory(600)
    const long = new PriceMemory(10_000_000)
    for (let step = 0; step < 5000; step++) {
      const price = rat(1 + 0.01 * ((step * 7919) % 13))
      short.note(step * 60, price)
      long.note(step * 60, price)
      expect(short.average(600)).toBe(long.average(600))
      expect(short.volatility(600)).toBe(long.volatility(600))
    }
  })
})

it('takes the logarithm of any ratio of integers', () => {
  for (const [num, den] of [
    [1n, 1n],
    [3n, 7n],
    [10n ** 40n, 3n],
    [1n, 10n ** 50n],
    [2n ** 200n + 1n, 2n ** 190n],
  ] as const) {
    const digits = (value: bigint) => `${value}`.length - 1
    const scaled = (value: bigint) => Number(value) / 10 ** digits(value)
    const expected = Math.log(scaled(num) / scaled(den)) + (digits(num) - digits(den)) * Math.LN10
    expect(lnOf({ num, den })).toBeCloseTo(expected, 11)
  }
})
