import { expect, it } from 'vitest'
import { mulberry32 } from '../../apps/server/test/support/seeded-random.ts'
import { type Point, slopeOf } from './slope.ts'

const series = (valueAt: (seconds: number) => number): Point[] =>
  Array.from({ length: 60 }, (_, place) => ({ seconds: place * 10, value: valueAt(place * 10) }))

it('gives the slope of a line, exactly', () => {
  const slope = slopeOf(series((seconds) => 100 + seconds / 10))
  expect(slope.perHour).toBeCloseTo(360, 6)
  expect(slope.uncertainty).toBeCloseTo(0, 6)
  expect(slope.isGrowth).toBe(true)
})

it('distinguishes a leak from noise', () => {
  const random = mulberry32(24)
  const noise = () => (random() - 0.5) * 40
  expect(slopeOf(series(() => 200 + noise())).isGrowth).toBe(false)
  expect(slopeOf(series((seconds) => 200 + seconds / 10 + noise())).isGrowth).toBe(true)
  expect(slopeOf(series((seconds) => 200 - seconds / 10 + noise())).isGrowth).toBe(false)
})

it('does not call growth what adds less than a twentieth', () => {
  expect(slopeOf(series((seconds) => 10_000 + seconds / 10)).isGrowth).toBe(false)
})

it('requires three measurements', () => {
  expect(() => slopeOf(series(() => 1).slice(0, 2))).toThrow('three')
})
