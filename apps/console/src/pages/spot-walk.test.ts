import { expect, it } from 'vitest'
import { nearestSpot, spotAfter } from './spot-walk.ts'

const spot = (series: string, row: number, x: number, y: number) => ({ series, row, x, y })
const wide = [spot('wide', 0, 0, 10), spot('wide', 1, 50, 12), spot('wide', 2, 100, 14)]
const narrow = [spot('narrow', 3, 10, 40), spot('narrow', 4, 90, 44)]
const spots = [...wide, ...narrow]

it('the nearest spot is found by distance in both directions', () => {
  expect(nearestSpot(spots, { x: 55, y: 20 })).toBe(wide[1])
  expect(nearestSpot(spots, { x: 80, y: 38 })).toBe(narrow[1])
  expect(nearestSpot([], { x: 0, y: 0 })).toBeNull()
})

it('keys lead along a series to its ends, and to the other series as near as it has a spot', () => {
  expect(spotAfter(spots, null, 'ArrowRight')).toBe(wide[0])
  expect(spotAfter(spots, wide[0]!, 'ArrowRight')).toBe(wide[1])
  expect(spotAfter(spots, wide[2]!, 'ArrowRight')).toBe(wide[2])
  expect(spotAfter(spots, wide[0]!, 'ArrowLeft')).toBe(wide[0])
  expect(spotAfter(spots, wide[2]!, 'ArrowDown')).toBe(narrow[1])
  expect(spotAfter(spots, narrow[0]!, 'ArrowUp')).toBe(wide[0])
  expect(spotAfter(spots, narrow[0]!, 'ArrowDown')).toBe(narrow[0])
  expect(spotAfter(spots, wide[1]!, 'End')).toBe(wide[2])
  expect(spotAfter(spots, narrow[1]!, 'Home')).toBe(narrow[0])
})
