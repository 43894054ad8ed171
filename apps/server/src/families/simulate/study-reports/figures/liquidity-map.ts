import type { Cell, FigureData } from '../../../../drawing/figure.ts'
import { liquidityAt } from '../liquidity-history.ts'
import {
  actionsOf,
  type Findings,
  layoutsOf,
  type SeriesSample,
  samplesOf,
} from '../report-input.ts'

const timeBins = 56
const tickBins = 40
/** Maximum points of the path, and maximum actions and layouts per arm. */
const maxPath = 240
const maxMarks = 150
/** Minimum view around the price: 10 % up and down. */
const minTicks = 953

const columns: FigureData['columns'] = [
  { name: 'layer', unit: 'TEXT' },
  { name: 'arm', unit: 'TEXT' },
  { name: 'fromSeconds', unit: 'SECONDS' },
  { name: 'toSeconds', unit: 'SECONDS' },
  { name: 'tickLower', unit: 'TICK' },
  { name: 'tickUpper', unit: 'TICK' },
  { name: 'liquidity', unit: 'LIQUIDITY' },
  { name: 'priceX18', unit: 'PRICE_X18' },
  { name: 'refused', unit: 'FLAG' },
  { name: 'what', unit: 'TEXT' },
]

interface View {
  readonly start: number
  readonly end: number
  readonly low: number
  readonly high: number
  readonly tickOf: (sample: SeriesSample) => number
}

/** Chart 5: liquidity over price and time, the price, and the arms' actions. For replays only. */
export function liquidityMapFigures(findings: Findings): FigureData[] {
  const { replayed, arms } = findings
  const [model] = replayed.map(({ flowModel }) => flowModel)
  const [first] = replayed
  if (first === undefined || model === undefined) return []
  // All arms store the same prices at the same times, so the first arm suffices.
  const path = samplesOf(findings, first.armId, model)
  const view = viewOf(findings, path)
  if (view === null) return []
  const rows = [
    ...liquidityRows(findings, view),
    ...pathRows(path, view),
    ...arms.flatMap(({ armId }) => [
      ...rangeRows(findings, armId, model, view),
      ...actionRows(findings, armId, model, view),
    ]),
  ]
  return [
    {
      id: 'liquidity-map',
      kind: 'LIQUIDITY_MAP',
      title: 'Liquidity by price and time',
      description:
        'Darker areas mean more liquidity in the observed market. The black line is the price; colored lines are the range bounds of the candidates. Marks are their actions, hollow if a guard rejected the action.',
      columns,
      rows,
    },
  ]
}

/**
 * The view around the reference price. It uses price ticks, because the pool's tick moves to the
 * end of the scale without liquidity.
 */
function viewOf({ study }: Findings, path: readonly SeriesSample[]): View | null {
  const { base, quote } = study.payload.spec.pair
  const sign = base.toLowerCase() < quote.toLowerCase() ? 1 : -1
  const tickOf = ({ priceX18 }: SeriesSample) =>
    priceX18 === '0' ? 0 : Math.round((sign * Math.log(Number(priceX18) / 1e18)) / Math.log(1.0001))
  const [first, last] = [path[0], path.at(-1)]
  if (first === undefined || last === undefined || last.timestamp === first.timestamp) return null
  let [low, high] = [Infinity, -Infinity]
  for (const sample of path) {
    const tick = tickOf(sample)
    low = Math.min(low, tick)
    high = Math.max(high, tick)
  }
  const margin = Math.max(minTicks, Math.ceil((high - low) * 0.35))
  return {
    start: first.timestamp,
    end: last.timestamp,
    low: low - margin,
    high: high + margin,
    tickOf,
  }
}

const row = (cells: Readonly<Record<string, Cell>>): Cell[] =>
  columns.map(({ name }) => cells[name] ?? null)

/** Cells of the grid; neighbors in time with the same liquidity are merged. */
function liquidityRows({ liquidity }: Findings, view: View): Cell[][] {
  if (liquidity === null) return []
  const { start, end, low, high } = view
  const edge = (bin: number) => start + Math.round(((end - start) * bin) / timeBins)
  const tick = (bin: number) => low + Math.round(((high - low) * bin) / tickBins)
  const moments = Array.from({ length: timeBins }, (_, bin) =>
    Math.floor((edge(bin) + edge(bin + 1)) / 2),
  )
  const middles = Array.from({ length: tickBins }, (_, bin) =>
    Math.floor((tick(bin) + tick(bin + 1)) / 2),
  )
  const grid = liquidityAt(liquidity, moments, middles)
  const rows: Cell[][] = []
  for (let index = 0; index < tickBins; index += 1) {
    for (let bin = 0; bin < timeBins; ) {
      const held = grid[bin]?.[index] ?? 0n
      const from = bin
      while (bin < timeBins && (grid[bin]?.[index] ?? 0n) === held) bin += 1
      if (held <= 0n) continue
      rows.push(
        row({
          layer: 'LIQUIDITY',
          fromSeconds: edge(from) - start,
          toSeconds: edge(bin) - start,
          tickLower: tick(index),
          tickUpper: tick(index + 1),
          liquidity: `${held}`,
        }),
      )
    }
  }
  return rows
}

function pathRows(path: readonly SeriesSample[], { start, tickOf }: View): Cell[][] {
  return every(path, maxPath).map((sample) =>
    row({
      layer: 'PRICE',
      fromSeconds: sample.timestamp - start,
      tickLower: tickOf(sample),
      tickUpper: tickOf(sample),
      priceX18: sample.priceX18,
    }),
  )
}

/**
 * Edges of the positions of a candidate, from each layout to the next. Omits positions that span
 * the whole view.
 */
function rangeRows(findings: Findings, armId: string, model: string, view: View): Cell[][] {
  const arm = findings.replayed.find((one) => one.armId === armId && one.flowModel === model)
  const chosenLayouts = layoutsOf(findings, armId, model)
  const layouts =
    chosenLayouts.length > 0
      ? chosenLayouts
      : [{ timestamp: view.start, positions: arm?.positions ?? [] }]
  return every(layouts, maxMarks).flatMap(({ timestamp, positions }, index, all) => {
    const from = Math.max(view.start, timestamp ?? view.start)
    const to = all[index + 1]?.timestamp ?? view.end
    return positions
      .filter(({ tickLower, tickUpper }) => tickLower > view.low || tickUpper < view.high)
      .map(({ tickLower, tickUpper }) =>
        row({
          layer: 'RANGE',
          arm: armId,
          fromSeconds: from - view.start,
          toSeconds: to - view.start,
          tickLower,
          tickUpper,
        }),
      )
  })
}

function actionRows(findings: Findings, armId: string, model: string, view: View): Cell[][] {
  const samples = samplesOf(findings, armId, model)
  return every(actionsOf(findings, armId, model), maxMarks).flatMap(
    ({ timestamp, action, refusedBy }) => {
      if (timestamp === null || timestamp < view.start) return []
      const sample = samples.findLast((one) => one.timestamp <= timestamp)
      if (sample === undefined) return []
      return [
        row({
          layer: 'ACTION',
          arm: armId,
          fromSeconds: timestamp - view.start,
          tickLower: view.tickOf(sample),
          refused: refusedBy !== null,
          what: refusedBy ?? action,
        }),
      ]
    },
  )
}

/** An evenly spaced subset of a list with a maximum size, including the last entry. */
function every<T>(list: readonly T[], max: number): T[] {
  if (list.length <= max) return [...list]
  return Array.from({ length: max }, (_, index) => {
    // The index is within the list.
    return list[Math.round((index * (list.length - 1)) / (max - 1))]!
  })
}
