import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sqrtRatioAtTick } from '../amm/v3/tick-math.ts'
import { layRanges, type Place } from './lay-ranges.ts'

const place = (change: Partial<Place> = {}): Place => ({
  tick: 0,
  sqrtPriceX96: sqrtRatioAtTick(change.tick ?? 0),
  tickSpacing: 60,
  orientation: { base: 0, quote: 1 },
  volatility: () => null,
  ...change,
})

const baseIsToken1 = { orientation: { base: 1, quote: 0 } }

describe('a range template', () => {
  it('is a part of the price to each side, widened outwards to the spacing', () => {
    // Half the price is 6,931.8 ticks down, twice the price as many up: ln price would put them at 5,000 and 10,000.
    const template = { kind: 'RANGE', lowerPips: 500_000, upperPips: 1_000_000 } as const
    expect(layRanges(template, place())).toEqual([{ tickLower: -6960, tickUpper: 6960 }])
    expect(layRanges(template, place({ tick: 30 }))).toEqual([
      { tickLower: -6960, tickUpper: 7020 },
    ])
    const steep = { kind: 'RANGE', lowerPips: 999_999, upperPips: 10_000 } as const
    // One over a million is 138,162.01 ticks.
    expect(layRanges(steep, place())).toEqual([{ tickLower: -138_180, tickUpper: 120 }])
    expect(layRanges(steep, place(baseIsToken1))).toEqual([{ tickLower: -120, tickUpper: 138_180 }])
  })

  it('has no lower edge at a price of zero', () => {
    const template = { kind: 'RANGE', lowerPips: 1_000_000, upperPips: 10_000 } as const
    expect(() => layRanges(template, place())).toThrow('lowerPips must be at most 999999')
  })

  it('of no width is one spacing wide', () => {
    const template = { kind: 'RANGE', lowerPips: 0, upperPips: 0 } as const
    expect(layRanges(template, place({ tick: 61 }))).toEqual([{ tickLower: 60, tickUpper: 120 }])
    expect(layRanges(template, place({ tick: 60 }))).toEqual([{ tickLower: 60, tickUpper: 120 }])
  })

  it('of the whole curve ends at the last ticks of the spacing', () => {
    expect(layRanges({ kind: 'FULL_RANGE' }, place({ tickSpacing: 200 }))).toEqual([
      { tickLower: -887_200, tickUpper: 887_200 },
    ])
  })

  it('takes ticks as they are, or refuses them', () => {
    const ticks = (lower: number, upper: number) =>
      layRanges({ kind: 'TICKS', lower, upper }, place())
    expect(ticks(-120, 180)).toEqual([{ tickLower: -120, tickUpper: 180 }])
    expect(() => ticks(-100, 180)).toThrow('not multiples of the spacing 60')
    expect(() => ticks(180, 180)).toThrow('there is no range')
    expect(() => ticks(-887_280, 180)).toThrow('are not between')
  })

  it('scales with the volatility over its window, and is not known without one', () => {
    const template = {
      kind: 'VOL_SCALED',
      kMilli: 2000,
      horizonSeconds: 86_400,
      volWindowSeconds: 3600,
    } as const
    expect(layRanges(template, place())).toBe(null)
    const asked: number[] = []
    const volatility = (window: number) => {
      asked.push(window)
      return 0.03 / Math.sqrt(86_400)
    }
    // Twice 3 % a day: 600.03 ticks.
    expect(layRanges(template, place({ volatility }))).toEqual([
      { tickLower: -660, tickUpper: 660 },
    ])
    expect(asked).toEqual([3600])
  })

  it('puts one side beside the price and never over it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -500_000, max: 500_000 }),
        fc.constantFrom(1, 10, 60, 200),
        fc.integer({ min: 0, max: 300_000 }),
        fc.integer({ min: 0, max: 300_000 }),
        fc.constantFrom('BASE', 'QUOTE'),
        fc.constantFrom(0, 1),
        (tick, tickSpacing, offsetPips, widthPips, side, base) => {
          const orientation = { base, quote: 1 - base }
          const [range] =
            layRanges(
              { kind: 'SINGLE_SIDED', side, offsetPips, widthPips },
              place({ tick, tickSpacing, orientation }),
            ) ?? []
          expect(range!.tickLower).toBeLessThan(range!.tickUpper)
          expect([
            Math.abs(range!.tickLower % tickSpacing),
            Math.abs(range!.tickUpper % tickSpacing),
          ]).toEqual([0, 0])
          // Token0 alone lies above the tick, token1 alone at it or below.
          if ((side === 'BASE') === (base === 0)) expect(range!.tickLower).toBeGreaterThan(tick)
          else expect(range!.tickUpper).toBeLessThanOrEqual(tick)
        },
      ),
    )
  })

  it('makes a ladder of rungs that follow each other and grow', () => {
    const template = {
      kind: 'LADDER',
      side: 'BASE',
      count: 3,
      firstOffsetPips: 12_000,
      widthPips: 60_000,
      growthPips: 1_000_000,
    } as const
    const rungs = layRanges(template, place({ tickSpacing: 1 }))!
    expect(rungs).toEqual([
      { tickLower: 120, tickUpper: 721 },
      { tickLower: 721, tickUpper: 1921 },
      { tickLower: 1921, tickUpper: 4321 },
    ])
    const below = layRanges({ ...template, side: 'QUOTE' }, place({ tickSpacing: 1 }))!
    expect(below).toEqual(rungs.map((r) => ({ tickLower: -r.tickUpper, tickUpper: -r.tickLower })))
  })
})
