import {
  ink,
  isNarrow,
  laidOn,
  letterOn,
  linearScale,
  lineBetween,
  type Paper,
  type Picture,
  type Point,
  type Scale,
  type Shape,
  textAt,
  usualPaper,
  widthOf,
} from '@liquidity-os/drawing'
import { decimalText } from '../../../../reports/cell-text.ts'
import type { Pair, Payload } from './words.ts'

/** Width of the passport page. */
const pageWidth = 380
const [left, right, top, plotHeight] = [46, 14, 34, 116]
/** On screen, percentages use a larger font, and wide charts are taller. */
const [screenLeft, widePlotHeight] = [62, 190]
const labelStep = 15

function boxOn(paper: Paper) {
  if (paper.minFontSize === 0)
    return { left, right: pageWidth - right, top, bottom: top + plotHeight }
  const height = isNarrow(paper) ? plotHeight : widePlotHeight
  return { left: screenLeft, right: paper.width - right, top, bottom: top + height }
}
type PlotBox = ReturnType<typeof boxOn>

const sides = [
  { name: 'buying', member: 'buySlippagePips', color: '#0072b2', form: 'circle', dash: [] },
  { name: 'selling', member: 'sellSlippagePips', color: '#d55e00', form: 'square', dash: [5, 3] },
] as const

/**
 * Slippage by trade size, both sides in one frame; phone width by default. Sizes are evenly spaced.
 * A cross at the top marks a size that cannot be filled.
 */
export function depthPicture(
  { usableDepthByTradeSize: rows }: Payload,
  pair: Pair,
  paper: Paper = usualPaper,
): Picture {
  const box = boxOn(paper)
  const filled = rows.flatMap(({ buySlippagePips, sellSlippagePips }) =>
    [buySlippagePips, sellSlippagePips].filter((pips) => pips < 1_000_000),
  )
  const max = niceTop(Math.max(1, ...filled))
  const x = linearScale([-0.5, rows.length - 0.5], [box.left, box.right])
  const y = linearScale([0, max], [box.bottom, box.top])
  const shapes: Shape[] = []
  for (const part of [0, 0.5, 1]) {
    const at = y.at(max * part)
    shapes.push(
      lineBetween({ x: box.left, y: at }, { x: box.right, y: at }, { color: ink.grid, width: 1 }),
      textAt(box.left - 5, at + 3.5, percent(max * part), {
        size: 9.5,
        anchor: 'end',
        color: ink.faint,
      }),
    )
  }
  const sizes = sizesBelow(
    rows.map(({ tradeSizeQuote }) => decimalText(BigInt(tradeSizeQuote), pair.quoteDecimals)),
    x,
    box,
    paper,
  )
  shapes.push(...sizes.shapes)
  shapes.push(
    textAt((box.left + box.right) / 2, box.bottom + 31 + sizes.more, sizesTitle, {
      size: 10,
      anchor: 'middle',
      color: ink.faint,
    }),
  )
  for (const [index, { name, member, color, form, dash }] of sides.entries()) {
    const points: Point[] = []
    for (const [itemIndex, row] of rows.entries()) {
      const pips = row[member]
      const at = { x: x.at(itemIndex), y: y.at(Math.min(pips, max)) }
      if (pips >= 1_000_000) {
        shapes.push({ kind: 'mark', form: 'cross', ...at, size: 9, color, isHollow: false })
      } else points.push(at)
    }
    if (points.length > 1)
      shapes.push({ kind: 'line', points, stroke: { color, width: 1.8, dash } })
    for (const at of points) {
      shapes.push({ kind: 'mark', form, ...at, size: 7, color, isHollow: false })
    }
    const from = box.left + index * 90
    shapes.push(
      { kind: 'mark', form, x: from + 4, y: 14, size: 7, color, isHollow: false },
      textAt(from + 13, 17.5, name, { size: 10.5 }),
    )
  }
  const words = rows.map(
    ({ tradeSizeQuote, buySlippagePips, sellSlippagePips }) =>
      `${decimalText(BigInt(tradeSizeQuote), pair.quoteDecimals)}: buying ${percent(buySlippagePips)}, selling ${percent(sellSlippagePips)}`,
  )
  return {
    id: 'passport-depth',
    title: 'Slippage by trade size, fees included',
    description: `Slippage by size in quote tokens. ${words.join('; ')}.`,
    ...laidOn(paper.minFontSize === 0 ? { ...paper, width: pageWidth } : paper, {
      height: box.bottom + 40 + sizes.more,
      shapes,
    }),
  }
}

const sizesTitle = 'trade size, quote tokens'

/** Size labels below the axis; on screen staggered in several lines to avoid overlap. */
function sizesBelow(labels: readonly string[], x: Scale, box: PlotBox, paper: Paper) {
  const widest = Math.max(0, ...labels.map((label) => widthOf(label, letterOn(paper, 9.5))))
  const step = (box.right - box.left) / Math.max(1, labels.length)
  const lines = paper.minFontSize === 0 ? 1 : Math.max(1, Math.ceil((widest + 6) / step))
  const shapes = labels.map((label, index) =>
    textAt(x.at(index), box.bottom + 15 + (index % lines) * labelStep, label, {
      size: 9.5,
      anchor: 'middle',
      color: ink.faint,
    }),
  )
  return { shapes, more: (Math.min(lines, Math.max(1, labels.length)) - 1) * labelStep }
}

const percent = (pips: number) => `${decimalText(BigInt(Math.round(pips)), 4)} %`

/** The smallest of 1, 2 and 5 times a power of ten that is at least a number of pips. */
function niceTop(pips: number): number {
  for (let power = 10; ; power *= 10) {
    for (const step of [1, 2, 5]) if (step * power >= pips) return step * power
  }
}
