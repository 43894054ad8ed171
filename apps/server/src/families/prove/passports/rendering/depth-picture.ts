import {
  ink,
  linearScale,
  lineBetween,
  type Picture,
  type Point,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { decimalText } from '../../../../reports/cell-text.ts'
import type { Pair, Payload } from './words.ts'

const width = 380
const box = { left: 46, right: 366, top: 34, bottom: 150 }
const sides = [
  { name: 'buying', member: 'buySlippagePips', color: '#0072b2', form: 'circle', dash: [] },
  { name: 'selling', member: 'sellSlippagePips', color: '#d55e00', form: 'square', dash: [5, 3] },
] as const

/**
 * What a trade of each size costs, both sides in one frame, as wide as a phone. Sizes stand at equal distances; what cannot
 * be filled is a cross at the upper edge.
 */
export function depthPicture({ usableDepthByTradeSize: rows }: Payload, pair: Pair): Picture {
  const filled = rows.flatMap(({ buySlippagePips, sellSlippagePips }) =>
    [buySlippagePips, sellSlippagePips].filter((pips) => pips < 1_000_000),
  )
  const top = niceTop(Math.max(1, ...filled))
  const x = linearScale([-0.5, rows.length - 0.5], [box.left, box.right])
  const y = linearScale([0, top], [box.bottom, box.top])
  const shapes: Shape[] = []
  for (const part of [0, 0.5, 1]) {
    const at = y.at(top * part)
    shapes.push(
      lineBetween({ x: box.left, y: at }, { x: box.right, y: at }, { color: ink.grid, width: 1 }),
      textAt(box.left - 5, at + 3.5, percent(top * part), {
        ...{ size: 9.5, anchor: 'end', color: ink.faint },
      }),
    )
  }
  for (const [place, { tradeSizeQuote }] of rows.entries()) {
    const label = decimalText(BigInt(tradeSizeQuote), pair.quoteDecimals)
    shapes.push(
      textAt(x.at(place), box.bottom + 15, label, {
        size: 9.5,
        anchor: 'middle',
        color: ink.faint,
      }),
    )
  }
  shapes.push(
    textAt((box.left + box.right) / 2, box.bottom + 31, 'size of the trade, quote tokens', {
      ...{ size: 10, anchor: 'middle', color: ink.faint },
    }),
  )
  for (const [index, { name, member, color, form, dash }] of sides.entries()) {
    const points: Point[] = []
    for (const [place, row] of rows.entries()) {
      const pips = row[member]
      const at = { x: x.at(place), y: y.at(Math.min(pips, top)) }
      if (pips >= 1_000_000) {
        shapes.push({ kind: 'mark', form: 'cross', ...at, size: 9, color, isHollow: false })
      } else points.push(at)
    }
    if (points.length > 1)
      shapes.push({ kind: 'line', points, stroke: { color, width: 1.8, dash } })
    for (const at of points) {
      shapes.push({ kind: 'mark', form, ...at, size: 7, color, isHollow: false })
    }
    const left = box.left + index * 90
    shapes.push(
      { kind: 'mark', form, x: left + 4, y: 14, size: 7, color, isHollow: false },
      textAt(left + 13, 17.5, name, { size: 10.5 }),
    )
  }
  const words = rows.map(
    ({ tradeSizeQuote, buySlippagePips, sellSlippagePips }) =>
      `${decimalText(BigInt(tradeSizeQuote), pair.quoteDecimals)}: buying ${percent(buySlippagePips)}, selling ${percent(sellSlippagePips)}`,
  )
  return {
    ...{ id: 'passport-depth', title: 'What a trade costs, fee included' },
    description: `Slippage by size in quote tokens. ${words.join('; ')}.`,
    ...{ width, height: box.bottom + 40, shapes },
  }
}

const percent = (pips: number) => `${decimalText(BigInt(Math.round(pips)), 4)} %`

/** The least of 1, 2 and 5 times a power of ten that is not below a number of pips. */
function niceTop(pips: number): number {
  for (let power = 10; ; power *= 10) {
    for (const step of [1, 2, 5]) if (step * power >= pips) return step * power
  }
}
