import { describe, expect, it } from 'vitest'
import { chooseRecoveries, LargestTrades, type Recovery, RecoveryWatch } from './recovery-watch.ts'

const level = (depth: number, mid: number) => ({ depth, mid })

/** A watch of one trade that took depth from 100 to 40 and the mid from 10 to 9. */
function watched(): RecoveryWatch {
  const watch = new RecoveryWatch()
  watch.trade({ at: 1000, sizeQuote: 5n, place: 3 }, level(100, 10), level(40, 9))
  return watch
}

describe('a recovery', () => {
  it('ends when both depth and price are half back', () => {
    const watch = watched()
    watch.look(1060, 9.2, () => 80)
    watch.look(1120, 9.6, () => 60)
    watch.look(1180, 9.6, () => 75)
    watch.stop(2000)
    expect(watch.recoveries()).toEqual([
      { at: 1000, sizeQuote: 5n, place: 3, time: 180, ended: true },
    ])
  })

  it('asks for depth only where the price is back', () => {
    const watch = watched()
    let asked = 0
    watch.look(1060, 9.2, () => ++asked)
    expect(asked).toBe(0)
    watch.look(1061, 9.5, () => ++asked)
    expect(asked).toBe(1)
  })

  it('needs no depth where the trade took none', () => {
    const watch = new RecoveryWatch()
    watch.trade({ at: 0, sizeQuote: 1n, place: 0 }, level(100, 10), level(120, 9))
    watch.look(30, 9.5, () => 0)
    watch.stop(40)
    expect(watch.recoveries()).toMatchObject([{ time: 30, ended: true }])
  })

  it('is cut short where the observation stops, and after a day', () => {
    const watch = watched()
    watch.trade({ at: 90_000, sizeQuote: 7n, place: 4 }, level(100, 10), level(40, 9))
    watch.look(90_500, 9, () => 0)
    watch.stop(91_000)
    expect(watch.recoveries()).toEqual([
      { at: 1000, sizeQuote: 5n, place: 3, time: 86_400, ended: false },
      { at: 90_000, sizeQuote: 7n, place: 4, time: 1000, ended: false },
    ])
  })
})

describe('the trades that count', () => {
  const trade = (size: number): Recovery => ({
    at: size,
    place: size,
    sizeQuote: BigInt(size),
    time: 1,
    ended: true,
  })

  it('are those of the reference size, or the twenty largest where those are fewer than five', () => {
    const all = Array.from({ length: 40 }, (_, index) => trade(index + 1))
    expect(chooseRecoveries(all, 36n)).toMatchObject({
      method: 'REFERENCE_SIZE',
      chosen: { length: 5 },
    })
    const { method, chosen } = chooseRecoveries(all, 37n)
    expect([method, chosen.map(({ at }) => at)]).toEqual([
      'LARGEST_20',
      Array.from({ length: 20 }, (_, index) => 40 - index),
    ])
  })

  it('are all admitted while they come, and few others', () => {
    const sizes = Array.from({ length: 1000 }, (_, index) => BigInt((index * 7919) % 1000) + 1n)
    const largest = new LargestTrades(10n ** 9n)
    const admitted = new Set(sizes.filter((size) => largest.admits(size)))
    for (let size = 981n; size <= 1000n; size++) expect(admitted).toContain(size)
    expect(admitted.size).toBeLessThan(200)
    expect(new LargestTrades(5n).admits(0n)).toBe(false)
  })

  it('are the thousand largest where more have the reference size, all of them admitted', () => {
    const sizes = Array.from({ length: 30_000 }, (_, index) => ((index * 7919) % 30_000) + 1)
    const largest = new LargestTrades(1n)
    const admitted = sizes.filter((size) => largest.admits(BigInt(size)))
    const { method, chosen } = chooseRecoveries(admitted.map(trade), 1n)
    expect([method, chosen.length]).toEqual(['LARGEST_1000', 1000])
    expect(chosen.map(({ at }) => at)).toEqual(
      Array.from({ length: 1000 }, (_, index) => 30_000 - index),
    )
    // 1,000 × (1 + ln 30) if they come in no order.
    expect(admitted.length).toBeLessThan(6000)
  })
})
