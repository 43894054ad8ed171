import {
  type Axis,
  type Box,
  chartBox,
  type Drawing,
  drawing,
  emptyNotes,
  flowedKeys,
  frameOf,
  hatch,
  ink,
  isNarrow,
  magnitudeOf,
  moved,
  numberAxis,
  type Paper,
  type Point,
  type Shape,
  styleOf,
  textAt,
  timeUnitOf,
  usualPaper,
} from '@liquidity-os/drawing'
import {
  type Coverage,
  coverageOf,
  type DrawnObservation,
  type DrawnVenue,
  type Stretch,
  secondsOf,
} from './drawn-venue.ts'

const height = 416

/** Stacked panels over a common time axis. */
interface Sheet {
  readonly ribbon: Box
  /** Observations removed by a reorg are below their replacements. */
  readonly overtaken: Box
  readonly price: Box
  readonly depth: Box
  readonly paper: Paper
}

function sheetOn(paper: Paper): Sheet {
  const row = (y: number, height: number) => chartBox({ x: 66, y, height }, 24, paper)
  return {
    ribbon: row(40, 16),
    overtaken: row(59, 6),
    price: row(92, 110),
    depth: row(278, 90),
    paper,
  }
}

const shownBandPips = 20_000

/** States differ by color, and by pattern for print without color. */
const looks: Readonly<Record<Coverage, { color: string; name: string }>> = {
  PROVED: { color: '#009e73', name: 'proved' },
  GAP: { color: '#e69f00', name: 'gap' },
  MISMATCH: { color: '#c1272d', name: 'mismatch' },
  OVERTAKEN: { color: '#7a7a7a', name: 'overtaken' },
}

interface Place {
  readonly axis: Axis
  readonly at: (seconds: number) => number
}

/** Observed and proven coverage of a venue, with price and depth. */
export function drawCoverage(venue: DrawnVenue, paper: Paper = usualPaper): Drawing {
  const sheet = sheetOn(paper)
  const stretches = coverageOf(venue)
  const about = {
    id: 'venue-coverage',
    title: 'Observation coverage',
    description: descriptionOf(venue, stretches),
  }
  const table = { columns, rows: stretches.map(rowOf) }
  const ends = venue.observations.flatMap(({ range }) => [
    ...[secondsOf(range.from.timestamp), secondsOf(range.to.timestamp)],
  ])
  if (ends.length === 0) {
    const shapes = emptyNotes({ ...sheet.price, y: 20 }, 'This venue has no observations yet.')
    return drawing(about, table, { height: 160, shapes }, paper)
  }
  const place = timePlace(Math.min(...ends), Math.max(...ends), sheet)
  const counting = {
    ...venue,
    observations: venue.observations.filter(({ isOvertaken }) => !isOvertaken),
  }
  const keys = flowedKeys(coverageKeys(sheet.ribbon), paper)
  const charts = [
    ...stretches.flatMap((stretch) => ribbonOf(stretch, place, sheet)),
    ...pricePanel(counting, place, sheet),
    ...depthPanel(counting, place, sheet),
  ]
  const drawn = {
    height: height + keys.more + (isNarrow(paper) ? 18 : 0),
    shapes: [...keys.shapes, ...moved(charts, 0, keys.more)],
  }
  return drawing(about, table, drawn, paper)
}

const columns = [
  ...['coverage', 'from', 'to', 'fromBlock', 'toBlock', 'events', 'mismatch'],
  ...['midX18', 'depthBuyQuote', 'depthSellQuote'],
]

function rowOf({ coverage, from, to, observation }: Stretch) {
  const times = [coverage, timeOf(from), timeOf(to)]
  if (observation === null) return [...times, ...Array(7).fill(null)]
  const { range, continuity, metrics } = observation
  const { firstDivergence, eventsReplayed } = continuity.fidelity
  const field = continuity.firstMismatch?.field ?? firstDivergence?.field ?? null
  const [buy, sell] = depthsOf(observation)
  return [
    ...[...times, range.from.number, range.to.number, eventsReplayed, field],
    ...[metrics.midX18, buy, sell],
  ]
}

const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()

function descriptionOf({ name, observations }: DrawnVenue, stretches: readonly Stretch[]): string {
  const count = (coverage: Coverage) =>
    stretches.filter((stretch) => stretch.coverage === coverage).length
  const overtaken = count('OVERTAKEN')
  const parts = [
    `${count('PROVED')} intervals proved, ${count('GAP')} gaps, ${count('MISMATCH')} mismatches`,
    ...(overtaken > 0 ? [`${overtaken} overtaken`] : []),
  ].join(', ')
  return `${name}: ${observations.length} observations; ${parts}.`
}

function depthsOf({ metrics }: DrawnObservation): [buy: string | null, sell: string | null] {
  const of = (wanted: 'BUY' | 'SELL') =>
    metrics.depth.find(({ bandPips, side }) => bandPips === shownBandPips && side === wanted)
      ?.quote ?? null
  return [of('BUY'), of('SELL')]
}

/** Time axis in the most readable unit, counted back from the last block. */
function timePlace(first: number, last: number, { ribbon, paper }: Sheet): Place {
  const span = Math.max(1, last - first)
  const unit = timeUnitOf(span)
  const axis = numberAxis([-span / unit.seconds, 0], [ribbon.x, ribbon.x + ribbon.width], {
    title: `time before ${timeOf(last).slice(0, 16).replace('T', ' ')} UTC, ${unit.name}`,
    count: isNarrow(paper) ? 3 : 5,
    isTight: true,
  })
  return { axis, at: (seconds) => axis.scale.at((seconds - last) / unit.seconds) }
}

function ribbonOf(
  { coverage, from, to }: Stretch,
  { at }: Place,
  { ribbon, overtaken: overtakenBox }: Sheet,
): Shape[] {
  const { color } = looks[coverage]
  const x = Math.min(at(from), ribbon.x + ribbon.width - 2)
  const row = coverage === 'OVERTAKEN' ? overtakenBox : ribbon
  return lookOf(coverage, { ...row, x, width: Math.max(2, at(to) - x) }, color)
}

function lookOf(coverage: Coverage, box: Box, color: string): Shape[] {
  const stroke = { color, width: 0.8 }
  if (coverage === 'OVERTAKEN') return [{ kind: 'rect', ...box, fill: ink.paper, stroke }]
  if (coverage === 'PROVED') return [{ kind: 'rect', ...box, fill: color, stroke }]
  if (coverage === 'GAP') {
    return [{ kind: 'rect', ...box, fill: ink.paper, stroke }, ...hatch(box, color, 5)]
  }
  return [{ kind: 'rect', ...box, fill: color, stroke }, ...hatch(box, ink.paper, 4)]
}

function coverageKeys({ x }: Box): Shape[][] {
  return Object.entries(looks).map(([coverage, { color, name }], index) => {
    const box = { x: x + index * 110, y: 14, width: 18, height: 10 }
    return [...lookOf(coverage as Coverage, box, color), textAt(box.x + 24, box.y + 9, name)]
  })
}

/** Sampled prices per observation, interrupted at gaps. */
function pricePanel({ pair, observations }: DrawnVenue, place: Place, { price }: Sheet): Shape[] {
  const scale = 10 ** (pair.baseDecimals - pair.quoteDecimals - 18)
  const lines = observations.map(({ samples, range, metrics }) => [
    ...samples.flatMap(({ at, midX18 }) =>
      midX18 === null ? [] : [{ at, value: Number(midX18) * scale }],
    ),
    ...(metrics.midX18 === '0'
      ? []
      : [{ at: secondsOf(range.to.timestamp), value: Number(metrics.midX18) * scale }]),
  ])
  const values = lines.flat().map(({ value }) => value)
  if (values.length === 0) return emptyNotes(price, 'No observed price.')
  const y = numberAxis(values, [price.y + price.height, price.y], {
    title: 'price, quote per base',
    count: 4,
  })
  const { color } = styleOf(0)
  return [
    ...frameOf(price, place.axis, y),
    ...lines.flatMap((line) => {
      const points = line.map(({ at, value }) => ({ x: place.at(at), y: y.scale.at(value) }))
      return courseOf(points, color)
    }),
  ]
}

function courseOf(points: readonly Point[], color: string): Shape[] {
  const [only, second] = points
  if (second) return [{ kind: 'line', points, stroke: { color, width: 1.4 } }]
  return only ? [{ kind: 'mark', form: 'circle', ...only, size: 4, color, isHollow: false }] : []
}

/** Two-sided depth at the end of observations, if measured. */
function depthPanel({ pair, observations }: DrawnVenue, place: Place, sheet: Sheet): Shape[] {
  const { depth } = sheet
  const atoms = 10 ** pair.quoteDecimals
  const sides = [0, 1].map((side) =>
    observations.flatMap((observation) => {
      const quote = depthsOf(observation)[side]
      const at = secondsOf(observation.range.to.timestamp)
      return quote === null || quote === undefined ? [] : [{ at, value: Number(quote) / atoms }]
    }),
  )
  const values = sides.flat().map(({ value }) => value)
  if (values.length === 0) return emptyNotes(depth, 'No observed depth.')
  const { divisor, prefix } = magnitudeOf(Math.max(...values))
  const y = numberAxis(
    [0, ...values.map((value) => value / divisor)],
    [depth.y + depth.height, depth.y],
    { title: `2 % depth, ${prefix}quote tokens`, count: 4 },
  )
  const marks = sides.flatMap((some, side) => {
    const { color, mark } = styleOf(side + 1)
    return some.map(({ at, value }): Shape => {
      const point = { x: place.at(at), y: y.scale.at(value / divisor) }
      return { kind: 'mark', form: mark, ...point, size: 6, color, isHollow: side === 1 }
    })
  })
  return [...frameOf(depth, place.axis, y), ...marks, ...depthKeys(sheet)]
}

/** Right of the depth title, or at the bottom on narrow paper. */
function depthKeys({ depth, paper }: Sheet): Shape[] {
  const at = isNarrow(paper)
    ? { x: depth.x, y: height + 12 }
    : { x: depth.x + depth.width - 130, y: depth.y - 12 }
  return ['buying', 'selling'].flatMap((name, side): Shape[] => {
    const { color, mark } = styleOf(side + 1)
    const point = { x: at.x + side * 70, y: at.y }
    return [
      { kind: 'mark', form: mark, ...point, size: 6, color, isHollow: side === 1 },
      textAt(point.x + 8, at.y + 3, name, { size: 9.5 }),
    ]
  })
}
