import { type Row, wordsOf } from '../figure.ts'
import type { Box } from '../frame.ts'
import { flowedKeys } from '../keys.ts'
import { noteOn } from '../note.ts'
import { isNarrow, type Paper } from '../paper.ts'
import { fitText, ink, lineBetween, type Shape, textAt } from '../picture.ts'
import { printShort } from '../scale.ts'
import { armLabel, armStyle, type ChartTerms } from './chart.ts'

/** From zero to maximum; lightness decreases evenly, so the map is readable without color. */
const shades = [
  '#ffffff',
  '#e3edf5',
  '#c3d9ea',
  '#9dc0dc',
  '#72a3ca',
  '#4a84b3',
  '#2c6496',
  '#174672',
] as const
const maxShade = shades.length - 1
const faint = { size: 10, color: ink.faint } as const

/** The shade of a share from 0 to 1 of the darkest; null of none. */
export function shadeOf(share: number): string | null {
  const itemIndex = Math.min(maxShade, Math.ceil(share * maxShade))
  return itemIndex === 0 ? null : (shades[itemIndex] ?? null)
}

/** Upper bound of a shade, as % of the maximum liquidity. The square root spreads small amounts. */
const percentOf = (index: number) => ((index / maxShade) ** 2 * 100).toFixed(0)

/** Legend of shades, lines and marks, right of the map and below it. */
export function keysOfMap(
  { max, ranged, acted }: { max: number; ranged: readonly Row[]; acted: readonly Row[] },
  box: Box,
  { terms, paper }: { terms: ChartTerms; paper: Paper },
): { readonly shapes: Shape[]; readonly bottom: number } {
  const below = box.y + box.height + 48
  const scale = isNarrow(paper)
    ? scaleBelow(max, below, paper)
    : { shapes: drawScale(max, box), height: 0 }
  const arms = [...new Set([...wordsOf(ranged, 'arm'), ...wordsOf(acted, 'arm')])]
  const top = below + scale.height
  const keys = flowedKeys(lineKeys(arms, top, terms, paper), paper)
  const isReport = paper.minFontSize === 0
  const rows = isReport ? Math.ceil((arms.length + 1) / 4) * 15 : 18 + keys.more
  const words = acted.length > 0 ? 'marks: actions; hollow: rejected by a guard' : ''
  const label = words === '' ? [] : [noteOn(paper, { x: 8, y: top + rows }, words, faint)]
  const more = label.reduce((sum, note) => sum + note.more, 0)
  return {
    shapes: [...scale.shapes, ...keys.shapes, ...label.flatMap(({ shapes }) => shapes)],
    bottom: isReport ? box.y + 400 : top + rows + more + 8,
  }
}

function drawScale(max: number, box: Box): Shape[] {
  const x = box.x + box.width + 22
  const shapes: Shape[] = [
    textAt(x, box.y + 4, 'liquidity', faint),
    textAt(x, box.y + 16, 'in the market', faint),
  ]
  const step = 18
  for (const [index, fill] of shades.toReversed().entries()) {
    const y = box.y + 26 + index * step
    const place = maxShade - index
    const stroke = { color: ink.grid, width: 0.5 }
    shapes.push({ kind: 'rect', x, y, width: 18, height: step, fill, stroke })
    shapes.push(textAt(x + 24, y + 12.5, place === 0 ? 'none' : `to ${percentOf(place)} %`, faint))
  }
  const bottom = box.y + 26 + shades.length * step + 13
  shapes.push(textAt(x, bottom, 'of the maximum,', faint))
  shapes.push(textAt(x, bottom + 12, `L = ${printShort(max)}`, faint))
  return shapes
}

function scaleBelow(
  max: number,
  top: number,
  paper: Paper,
): { readonly shapes: Shape[]; readonly height: number } {
  const [x, step] = [8, (paper.width - 16) / shades.length]
  const words = `market liquidity, up to % of the maximum, L\u00a0=\u00a0${printShort(max)}`
  const note = noteOn(paper, { x, y: top + 40 }, words, faint)
  const shapes = shades.flatMap((fill, index): Shape[] => {
    const [left, y] = [x + index * step, top]
    const stroke = { color: ink.grid, width: 0.5 }
    return [
      { kind: 'rect', x: left, y, width: step, height: 12, fill, stroke },
      textAt(left + step / 2, y + 24, index === 0 ? 'none' : percentOf(index), {
        ...faint,
        anchor: 'middle',
      }),
    ]
  })
  return { shapes: [...shapes, ...note.shapes], height: 64 + note.more }
}

/** Arms that are named. */
const maxArms = 11

function lineKeys(
  arms: readonly string[],
  top: number,
  terms: ChartTerms,
  paper: Paper,
): Shape[][] {
  const isReport = paper.minFontSize === 0
  const size = Math.max(10.5, paper.minFontSize)
  const availableWidth = isReport ? 150 : Math.min(240, paper.width - 46)
  const price = [
    lineBetween({ x: 8, y: top - 3 }, { x: 34, y: top - 3 }, { color: '#000000', width: 1.6 }),
    textAt(40, top, 'price', { size: 10.5 }),
  ]
  const named = arms.slice(0, maxArms).map((armId, index): Shape[] => {
    const { color, dash, mark } = armStyle(terms, armId)
    const row = isReport ? Math.floor((index + 1) / 4) : 0
    const [x, y] = [8 + ((index + 1) % 4) * 190, top + row * 15]
    return [
      lineBetween({ x, y: y - 3 }, { x: x + 26, y: y - 3 }, { color, width: 1.7, dash }),
      { kind: 'mark', form: mark, x: x + 13, y: y - 3, size: 6, color, isHollow: false },
      textAt(x + 32, y, fitText(armLabel(terms, armId), availableWidth, size), { size: 10.5 }),
    ]
  })
  return [price, ...named]
}
