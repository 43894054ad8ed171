import { expect, it } from 'vitest'
import type { FileCost } from './cpu-reporter.ts'
import { mergeCosts } from './print-long-costs.ts'

const cost = (path: string, seconds: number, rest: Partial<FileCost> = {}): FileCost => ({
  path,
  seconds,
  isShort: false,
  isFirstOfWorker: false,
  residentMiB: 100,
  slowness: 1,
  ...rest,
})

it('reports the cost of a file on the reference machine, without the start of its worker', () => {
  const last = [cost('a', 40, { slowness: 2 }), cost('b', 31.2, { isFirstOfWorker: true })]
  expect(mergeCosts({}, last, ['a', 'b'])).toEqual({ a: 20, b: 26 })
  expect(mergeCosts({}, [cost('a', 0.1)], ['a'])).toEqual({ a: 1 })
})

it('keeps the cost of a file that did not run, and drops that of one that is gone', () => {
  expect(
    mergeCosts({ a: 7, gone: 9 }, [cost('b', 3), cost('short', 2)], ['b', 'a', 'new']),
  ).toEqual({ a: 7, b: 3 })
})
