import { hatch, lineBetween, type Point, type Shape } from '../picture.ts'
import type { DrawnSeries } from './data.ts'
import type { ChartClass, ChartRole } from './spec.ts'
import type { Rect, Style, Theme } from './theme.ts'
import { styleAt } from './theme.ts'

const roleDashes: Readonly<Partial<Record<ChartRole, readonly number[]>>> = {
  estimate: [2, 3],
  assumption: [7, 4],
  limit: [5, 3],
  stale: [1, 3],
}

/** Style of a series: of its index, changed by what its values are. */
export function styleOfSeries(theme: Theme, { style: index, dash, role }: DrawnSeries): Style {
  const style = styleAt(theme, index, dash)
  const color = role === 'limit' ? theme.ink : role === 'stale' ? theme.axis : style.color
  return { ...style, color, dash: roleDashes[role] ?? style.dash }
}

const corner = (x: number, y: number) => ({ x, y })

/** A rectangle in one color, no wider than it is high: negative sizes turn around. */
export function bar(from: Point, to: Point, minSize = 0): Rect {
  const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)]
  const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)]
  return { x, y, width: Math.max(minSize, width), height: Math.max(minSize, height) }
}

/** A bar with a pattern per series, readable without color: filled, hatched, or tinted. */
export function barShapes(box: Rect, color: string, pattern: number): Shape[] {
  const stroke = { color, width: 1 }
  if (pattern % 3 === 0) return [{ kind: 'rect', ...box, fill: color }]
  const outline: Shape = { kind: 'rect', ...box, fill: null, stroke }
  if (pattern % 3 === 1) return [...hatch(box, color, 5), outline]
  return [tint(box, color, 0.25), outline]
}

/** A transparent rectangle. */
export function tint({ x, y, width, height }: Rect, fill: string, opacity: number): Shape {
  const [right, bottom] = [x + width, y + height]
  const points = [corner(x, y), corner(right, y), corner(right, bottom), corner(x, bottom)]
  return { kind: 'area', points, fill, opacity }
}

/** A stretch without data: hatched in grey. */
export const gapShapes = (box: Rect, theme: Theme): Shape[] => hatch(box, theme.hatch, 6)

/** A box of a class: tinted, with a strong edge at its left, or hatched. */
export function classShapes(box: Rect, { tone, isHatched }: ChartClass, theme: Theme): Shape[] {
  const { edge, tint: fill } = theme.tones[tone]
  const left = { ...box, width: Math.min(4, box.width) }
  return [
    { kind: 'rect', ...box, fill: isHatched ? theme.paper : fill },
    ...(isHatched ? hatch(box, theme.hatch, 6) : []),
    { kind: 'rect', ...left, fill: edge },
  ]
}

/** A small box of a class: outlined, hatched, or filled if it is bad. */
export function smallClassShapes(
  box: Rect,
  { tone, isHatched }: ChartClass,
  theme: Theme,
): Shape[] {
  const { edge, tint: fill } = theme.tones[tone]
  const outline: Shape = { kind: 'rect', ...box, fill: null, stroke: { color: edge, width: 0.8 } }
  if (isHatched) return [...hatch(box, theme.hatch, 4), outline]
  return [{ kind: 'rect', ...box, fill: tone === 'bad' ? edge : fill }, outline]
}

/**
 * A range with ends, and its middle if it is known. An end that is unknown has no bar, and no line leads to it.
 *
 * @param at where a value is, moved across the range by an offset
 */
export function intervalShapes(
  [low, middle, high]: readonly [number | null, number | null, number | null],
  at: (value: number, offset: number) => Point,
  { color, paper }: { readonly color: string; readonly paper: string },
): Shape[] {
  const stroke = { color, width: 1.6 }
  const end = (value: number) => lineBetween(at(value, -5), at(value, 5), stroke)
  const mark = { kind: 'mark', form: 'square', size: 7, color, fill: paper } as const
  const known = [low, middle, high].filter((value) => value !== null)
  const [from, to] = [known[0], known.at(-1)]
  return [
    ...(from === undefined || to === undefined
      ? []
      : [lineBetween(at(from, 0), at(to, 0), stroke)]),
    ...[low, high].flatMap((value) => (value === null ? [] : [end(value)])),
    ...(middle === null ? [] : [{ ...mark, ...at(middle, 0), isHollow: false }]),
  ]
}

/** Lower end, middle and upper end of the values of an interval. */
export const endsOf = (values: readonly (number | null)[]) =>
  [
    values[0] ?? null,
    values.length > 2 ? (values[1] ?? null) : null,
    values.at(-1) ?? null,
  ] as const
