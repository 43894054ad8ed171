import type { Drawing } from '../drawing.ts'
import { type Paper, paperWidths } from '../paper.ts'
import { breakText, type Picture, widthOf } from '../picture.ts'
import { maxRows, rowsOf } from './bars.ts'
import { type Chart, chartsOf, countHidden, readValue } from './data.ts'
import { drawHeat, maxHeatRows } from './heat.ts'
import { drawLegend, type LegendEntry, legendOf } from './legend.ts'
import { printValue } from './numbers.ts'
import { drawPath } from './path.ts'
import { readableSummary, withSymbols } from './readable.ts'
import { drawRows } from './rows.ts'
import { letter, lineHeight, Sheet } from './sheet.ts'
import type { ChartSpec } from './spec.ts'
import { lightTheme, type Theme } from './theme.ts'
import { drawXy, endLabelsOf, type Space } from './xy.ts'

/** A chart with a place for each shape, as every renderer draws it. */
export type Scene = Picture

const margin = 8
const panelGap = 28
/** A sheet that is narrower has its panels below each other. */
const minTwoColumns = 680

/**
 * Places a chart on a sheet. Pure: equal arguments give an equal scene.
 *
 * @param width in `paperWidths`
 * @throws RangeError for another width, or for a column that the table does not have
 */
export function layout(spec: ChartSpec, width: number, theme: Theme = lightTheme): Scene {
  if (!(width >= paperWidths.least && width <= paperWidths.most))
    throw new RangeError(
      `A chart must be ${paperWidths.least} to ${paperWidths.most} wide, got ${width}.`,
    )
  const sheet = new Sheet(width, theme)
  const charts = chartsOf(spec)
  const entries = charts.map((chart) => legendOf(chart, theme))
  const shared = isOneLegend(entries) ? (entries[0] ?? []) : null
  const columns = charts.length > 1 && width >= minTwoColumns ? 2 : 1
  const wide = (width - 2 * margin - (columns - 1) * panelGap) / columns
  let top = margin
  if (shared && !isLabeled(charts, wide) && !charts.every(isEmpty))
    top = drawLegend(sheet, shared, { x: margin, y: top, width: width - 2 * margin })
  for (let index = 0; index < charts.length; index += columns) {
    const row = charts.slice(index, index + columns)
    const spaces = row.map((_, column) => ({
      x: margin + column * (wide + panelGap),
      y: top,
      width: wide,
    }))
    const heads = row.map((chart, column) => {
      const own = shared || isLabeled([chart], wide) ? [] : (entries[index + column] ?? [])
      return drawHead(sheet, chart, own, spaces[column]!)
    })
    // Charts in one row start at the same height.
    const y = Math.max(...heads)
    const bottoms = row.map((chart, column) => drawBody(sheet, chart, { ...spaces[column]!, y }))
    top = Math.max(...bottoms) + (index + columns < charts.length ? 14 : 0)
  }
  for (const note of notesOf(spec, charts)) top = drawNote(sheet, note, top)
  const { id, title, summary } = spec
  const description = readableSummary(summary)
  const {
    shapes,
    spots,
    theme: { paper },
  } = sheet
  const isWhite = paper === lightTheme.paper
  return {
    id,
    title,
    description,
    width,
    height: Math.ceil(top + margin),
    shapes,
    spots: charts.every(isPlotted) ? alongX(spots) : alongY(spots),
    ...(isWhite ? null : { paper }),
  }
}

/** The keys of a reader lead along a series: from left to right, or from row to row. */
const alongX = (spots: Sheet['spots']) => spots.toSorted((a, b) => a.x - b.x || a.y - b.y)
const alongY = (spots: Sheet['spots']) => spots.toSorted((a, b) => a.y - b.y || a.x - b.x)

/** True if the lines of all charts have labels. */
const isLabeled = (charts: readonly Chart[], width: number) =>
  charts.every((chart) => isPlotted(chart) && endLabelsOf(chart, width).length > 0)

const isOneLegend = (entries: readonly (readonly LegendEntry[])[]) =>
  new Set(entries.map((one) => one.map(({ text }) => text).join('\n'))).size <= 1

/** Bars over a time or a number are upright, those over names lie in rows. */
const isPlotted = ({ spec: { kind }, x }: Chart) =>
  kind === 'xy' || kind === 'ladder' || (kind === 'bars' && x.scale !== 'band')

/** Title and legend. @returns the y coordinate below it */
function drawHead(
  sheet: Sheet,
  chart: Chart,
  legend: readonly LegendEntry[],
  { x, y, width }: Space,
): number {
  const { title } = chart
  const top = title === '' ? y : sheet.lines(x, y + 12, title, width, { isBold: true }) - 4
  return isEmpty(chart) ? top : drawLegend(sheet, legend, { x, y: top, width })
}

function drawBody(sheet: Sheet, chart: Chart, space: Space): number {
  if (isEmpty(chart)) return drawEmpty(sheet, chart, space)
  if (isPlotted(chart)) return drawXy(sheet, chart, space)
  if (chart.spec.kind === 'heat') return drawHeat(sheet, chart, space)
  return chart.spec.kind === 'path' ? drawPath(sheet, chart, space) : drawRows(sheet, chart, space)
}

/** A heat map and a path have classes and names; other charts need a number. */
function isEmpty(chart: Chart): boolean {
  const data = chart.series.flatMap((one) => one.data)
  if (!isPlotted(chart)) return data.length === 0
  return !data.some(({ x, y }) => x !== null && y.some((value) => value !== null))
}

function drawEmpty(sheet: Sheet, { spec }: Chart, { x, y, width }: Space): number {
  const { axis, faint } = sheet.theme
  const text = spec.empty ?? 'No data.'
  const lines = breakText(text, width - 32, letter)
  const height = lines.length * lineHeight + 24
  const stroke = { color: axis, width: 0.8, dash: [4, 3] }
  sheet.add({ kind: 'rect', x, y: y + 2, width, height, fill: null, stroke })
  sheet.lines(x + 16, y + 28, text, width - 32, { color: faint })
  return y + height + 8
}

/** Omitted data with reasons, then the notes of the spec. */
function notesOf({ gaps = [], notes = [], x }: ChartSpec, charts: readonly Chart[]): string[] {
  const reasons = [...Map.groupBy(gaps, ({ reason }) => reason)].map(([reason, own]) => {
    const isDrawn = !charts.every(isEmpty) && own.some(({ from }) => readValue(from, x) !== null)
    const count = own.length === 1 ? '' : ` (${own.length} gaps)`
    return isDrawn ? `Hatched: ${reason}${count}` : `${reason}${count}`
  })
  const hidden = charts.reduce((sum, chart) => sum + countHidden(chart), 0)
  const logs =
    hidden === 0
      ? []
      : [
          `${printValue(hidden)} ${hidden === 1 ? 'value' : 'values'} at or below zero omitted from the logarithmic axis.`,
        ]
  const omitted = Math.max(0, ...charts.map(countOmitted))
  const more = omitted === 0 ? [] : [`${omitted} more in the table.`]
  return [...reasons, ...logs, ...more, ...notes]
}

function countOmitted(chart: Chart): number {
  if (isPlotted(chart) || chart.spec.kind === 'path') return 0
  const most = chart.spec.kind === 'heat' ? maxHeatRows(chart) : maxRows
  return Math.max(0, rowsOf(chart).length - most)
}

function drawNote(sheet: Sheet, note: string, top: number): number {
  const availableWidth = sheet.width - 2 * margin
  const { faint } = sheet.theme
  if (widthOf(note, letter) <= availableWidth)
    sheet.text(margin, top + lineHeight, note, { color: faint })
  else
    return (
      sheet.lines(margin, top + lineHeight, note, availableWidth, { color: faint }) - lineHeight
    )
  return top + lineHeight
}

/** The pictures of a record, one for each of its charts. */
export const drawCharts = (specs: readonly ChartSpec[], paper: Paper): Drawing[] =>
  specs.map((spec) => drawChart(withSymbols(spec, paper.symbols), paper))

/** A chart as the pictures of a record are served: with its table. A report is not pointed at, so it has no spots. */
export function drawChart(spec: ChartSpec, { width, minFontSize }: Paper): Drawing {
  const { spots = [], ...scene } = layout(spec, width)
  const columns = spec.table.columns.map(({ label, unit }) =>
    unit === '' ? label : `${label}, ${unit}`,
  )
  return {
    picture: minFontSize === 0 ? scene : { ...scene, spots },
    columns,
    rows: spec.table.rows,
  }
}
