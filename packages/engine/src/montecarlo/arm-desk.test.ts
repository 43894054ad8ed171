import { expect, it } from 'vitest'
import { WaterfallError } from '../study/waterfall.ts'
import { ArmDesk } from './arm-desk.ts'

const one = { num: 1n, den: 1n }
const capital = { base: 1000n, quote: 1000n }

/** The books of a desk that starts with some atoms more than its capital, which no line explains. */
function close(unexplained: bigint, work: (desk: ArmDesk) => void) {
  const start = { ...capital, quote: capital.quote + unexplained }
  const desk = new ArmDesk(null, capital, start, one, () => 0n)
  work(desk)
  return desk.finish()
}

// Four valuations of the whole, three of a segment, two of a price, one of an action.
it.each<[string, bigint, (desk: ArmDesk) => void]>([
  ['nothing', 7n, () => {}],
  ['one move of the price', 9n, (desk) => desk.moveTo(one, 1)],
  [
    'two moves',
    11n,
    (desk) => {
      desk.moveTo(one, 1)
      desk.moveTo(one, 2)
    },
  ],
  ['an action', 11n, (desk) => desk.exchangeAtReference(10n)],
])(
  'after %s the books may leave %s atoms, one per valuation, and not one more',
  (_, most, work) => {
    for (const sign of [1n, -1n]) {
      expect(close(sign * most, work).maker.rounding).toBe(sign * most)
      expect(() => close(sign * (most + 1n), work)).toThrow(WaterfallError)
    }
  },
)
