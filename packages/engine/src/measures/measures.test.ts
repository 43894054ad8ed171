import { describe, expect, it } from 'vitest'
import { InventoryWatch } from './inventory-course.ts'
import { MarkoutLedger } from './markout-ledger.ts'
import { ShockWatch } from './shock-recovery.ts'

const at = (price: bigint) => ({ num: price, den: 1n })

describe('depth after a shock', () => {
  it('follows a trade of more than half of the depth, and no smaller one', () => {
    let depth = 1000n
    const watch = new ShockWatch(() => depth, 9)
    watch.before(500n)
    watch.after(10)
    watch.before(501n)
    depth = 400n
    watch.after(20)
    watch.passTo(79)
    depth = 700n
    watch.passTo(80)
    depth = 900n
    watch.passTo(4000)
    expect(watch.finish()).toEqual({
      shocks: 1,
      after: [
        { seconds: 0, depthPips: [400_000] },
        { seconds: 60, depthPips: [700_000] },
        { seconds: 300, depthPips: [900_000] },
        { seconds: 1800, depthPips: [900_000] },
        { seconds: 3600, depthPips: [900_000] },
      ],
    })
  })

  it('says nothing of a time that does not come, and counts what it no longer follows', () => {
    const watch = new ShockWatch(() => 10n, 64)
    for (let shock = 0; shock < 70; shock++) {
      watch.before(6n)
      watch.after(shock)
    }
    watch.passTo(100)
    const { shocks, after } = watch.finish()
    expect(shocks).toBe(70)
    expect(after.map(({ depthPips }) => depthPips.length)).toEqual([64, 41, 0, 0, 0])
  })

  it('is no shock where there was no depth to take', () => {
    const watch = new ShockWatch(() => 0n, 9)
    watch.before(6n)
    watch.after(0)
    expect(watch.finish().shocks).toBe(0)
  })
})

describe('inventory', () => {
  it('remembers when base came to its target and when the quote was gone', () => {
    const watch = new InventoryWatch({ pips: 500_000, tolerancePips: 10_000 }, 10_000n)
    watch.see(0, 800_000, 2000n)
    watch.see(60, 510_000, 10n)
    watch.see(120, 490_000, 9n)
    const nothing = { base: 0n, quote: 0n }
    expect(watch.finish(nothing, nothing, { base: 0n, quote: 0n })).toMatchObject({
      secondsToTarget: 60,
      quoteDepletedAt: 120,
      averagePriceX18: null,
      vwapX18: null,
    })
  })

  it('compares what a sale and a purchase brought with the average of the market', () => {
    const watch = new InventoryWatch(null, 1n)
    const sold = watch.finish(
      { base: 10n, quote: 0n },
      { base: 6n, quote: 9n },
      { base: 8n, quote: 16n },
    )
    expect(sold).toMatchObject({ baseSold: 4n, averagePriceX18: 2250n * 10n ** 15n })
    expect(sold).toMatchObject({ vwapX18: 2n * 10n ** 18n, versusVwapPips: 125_000 })
    const bought = watch.finish(
      { base: 6n, quote: 9n },
      { base: 10n, quote: 0n },
      { base: 8n, quote: 16n },
    )
    expect(bought).toMatchObject({ baseSold: -4n, versusVwapPips: 125_000, hasTarget: false })
    const given = watch.finish(
      { base: 6n, quote: 9n },
      { base: 5n, quote: 8n },
      { base: 8n, quote: 16n },
    )
    expect(given).toMatchObject({ averagePriceX18: null, versusVwapPips: null })
  })
})

describe('markouts at irregular times', () => {
  it('values each trade at the price in force so long after it', () => {
    const ledger = new MarkoutLedger()
    ledger.add(0, 2n, -20n)
    ledger.add(0, 1n, -10n)
    ledger.passTo(59, at(11n))
    ledger.add(100, -1n, 12n)
    ledger.passTo(100, at(13n))
    ledger.passTo(400, at(9n))
    expect(ledger.finish()).toEqual([
      { seconds: 0, quote: 3n * 11n - 30n + 12n - 13n },
      { seconds: 60, quote: 3n * 13n - 30n + 12n - 9n },
      { seconds: 300, quote: 3n * 9n - 30n + 12n - 9n },
      { seconds: 1800, quote: 0n },
    ])
  })
})
