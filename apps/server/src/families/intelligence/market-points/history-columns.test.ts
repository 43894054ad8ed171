import { expect, it } from 'vitest'
import { daySeconds } from '../../../units.ts'
import { gridOf } from './history-columns.ts'

const now = 20_000 * daySeconds

it('ends with a stored point, and never after now', () => {
  const from = now - 200 * daySeconds
  const past = gridOf({ from, to: from + 30 * daySeconds + 1800 }, 480, now)
  expect(past.stored).toBe(3600)
  expect(past.to).toBe(from + 30 * daySeconds + 3600)
  expect(gridOf({ from: now - daySeconds, to: now }, 480, now).to).toBe(now)
})

it('reads a resolution whose point before the window is still stored', () => {
  const window = (days: number) => ({ from: now - days * daySeconds, to: now - 6 * daySeconds })
  expect(gridOf(window(7), 1200, now).stored).toBe(60)
  expect(gridOf({ ...window(7), from: now - 7 * daySeconds - 1 }, 1200, now).stored).toBe(600)
})
