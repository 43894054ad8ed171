import { expect, it } from 'vitest'
import type { Job } from '../api/records.ts'
import { looksIn, rowsOfLooks, rowsOfResult, scaleOf } from './estimates.ts'

const look = (done: number, reach: number) => ({
  paths: { done, most: 400 },
  halfWidthPips: { asked: 2500, reached: reach },
  arms: [
    { armId: 'a', netVsHold: { mean: '5', interval: [`${5 - reach}`, `${5 + reach}`] as const } },
    { armId: 'still', netVsHold: { mean: '0', interval: null } },
    { armId: 'benchmark-hold', netVsHold: { mean: '0', interval: null } },
  ],
})
const makeJob = (preliminary?: object) => ({ status: 'RUNNING', preliminary }) as unknown as Job
const labels = new Map([
  ['a', 'Arm A'],
  ['still', 'Still'],
])

it('stores each interim result once and in order', () => {
  const jobs = [
    makeJob(),
    makeJob(look(40, 9)),
    makeJob(look(40, 9)),
    makeJob(look(200, 4)),
    makeJob(),
  ]
  expect(looksIn(jobs).map(({ paths }) => paths.done)).toEqual([40, 200])
})

it('shows the newest interval of each requested arm and the earlier ones', () => {
  const rows = rowsOfLooks([look(40, 9), look(200, 4)], labels)
  expect(rows).toEqual([
    { armId: 'a', label: 'Arm A', mean: 5n, interval: [1n, 9n], earlier: [[-4n, 14n]] },
    { armId: 'still', label: 'Still', mean: 0n, interval: null, earlier: [] },
  ])
  expect(rowsOfLooks([], labels)).toEqual([])
})

it('shows the intervals of a result over paths, and nothing of a replay', () => {
  const arm = { armId: 'a', netVsHold: { mean: '5', meanCi95: ['3', '7'] as const } }
  expect(rowsOfResult([arm], labels)).toMatchObject([{ mean: 5n, interval: [3n, 7n] }])
  expect(rowsOfResult([{ armId: 'a' }], labels)).toEqual([])
})

it('puts all values and zero on one line, and what lies beyond at its ends', () => {
  const at = scaleOf([-10n, 30n])
  expect([-10n, 30n, 10n, -900n, 900n].map(at)).toEqual([4, 96, 50, 0, 100])
  expect(scaleOf([0n])(0n)).toBe(4)
})
