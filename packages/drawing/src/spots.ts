import { escapeXml } from './markup.ts'
import type { Point, Spot } from './picture.ts'

/** A point on paper with its series, for example an arm, a side or a scenario. */
export interface Place extends Point {
  readonly series: string
}

/** Spots of all drawn rows. @param places one entry per table row, in order; null if not drawn */
export const spotsOf = (places: readonly (Place | null)[]): Spot[] =>
  places.flatMap((place, row) => (place === null ? [] : [{ ...place, row }]))

/** Spots of the rows that were placed. */
export const spotsOn = <Row>(rows: readonly Row[], placed: ReadonlyMap<Row, Place>): Spot[] =>
  spotsOf(rows.map((row) => placed.get(row) ?? null))

const open = '<metadata>'
const close = '</metadata>'

/** Spots as a picture carries them: names of series once, places to a tenth of a unit. */
export function spotsToSvg(spots: readonly Spot[]): string {
  const series = [...new Set(spots.map((spot) => spot.series))]
  const tenth = (value: number) => Math.round(value * 10) / 10
  const encoded = spots.map(({ x, y, row, series: name }) => [
    ...[tenth(x), tenth(y), row],
    series.indexOf(name),
  ])
  return `${open}${escapeXml(JSON.stringify({ series, spots: encoded }))}${close}`
}

/** Spots in a picture made by the service; empty if it has no spots. */
export function spotsOfSvg(svg: string): Spot[] {
  const from = svg.indexOf(open)
  if (from < 0) return []
  const text = svg.slice(from + open.length, svg.indexOf(close, from))
  const { series, spots } = JSON.parse(unescapeXml(text)) as {
    series: string[]
    spots: [x: number, y: number, row: number, series: number][]
  }
  return spots.map(([x, y, row, index]) => ({ x, y, row, series: series[index] ?? '' }))
}

const letters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
}

const unescapeXml = (text: string) =>
  text.replaceAll(/&(?:lt|gt|quot|amp);/g, (one) => letters[one] ?? one)

export type { Spot }
