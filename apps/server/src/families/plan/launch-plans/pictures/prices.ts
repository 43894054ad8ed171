import type { contract } from '@liquidity-os/contract'
import {
  chartBox,
  type Drawing,
  drawing,
  emptyNote,
  frameOf,
  ink,
  isNarrow,
  numberAxis,
  type Paper,
  printShort,
  type Shape,
  seriesNames,
  styleOf,
  textAt,
  wrapText,
} from '@liquidity-os/drawing'
import { hourSeconds } from '../../../../units.ts'

type Plan = contract.LaunchPlan
type Mechanism = Plan['computed']['mechanisms'][number]

const priceOf = (priceX36: string) => Number(BigInt(priceX36)) / 1e36

/** Price of every mechanism under equal demand: solid lines with demand, dashed lines without. */
export function drawPrices({ computed }: Plan, paper: Paper): Drawing {
  const box = chartBox({ x: 66, y: 44, height: 210 }, 174, paper)
  const { mechanisms } = computed
  const courses = mechanisms.map(({ quiet, outcome }) => ({
    quiet: quiet.map(({ atSeconds, priceX36 }) => ({
      at: atSeconds / hourSeconds,
      price: priceOf(priceX36),
    })),
    traded: (outcome?.path ?? []).map(({ atSeconds, priceX36 }) => ({
      at: atSeconds / hourSeconds,
      price: priceOf(priceX36),
    })),
  }))
  const all = courses.flatMap(({ quiet, traded }) => [...quiet, ...traded])
  const x = numberAxis([0, ...all.map(({ at }) => at)], [box.x, box.x + box.width], {
    title: 'hours after the sale opens',
    count: isNarrow(paper) ? 3 : 5,
  })
  const y = numberAxis([0, ...all.map(({ price }) => price)], [box.y + box.height, box.y], {
    title: 'price, quote atoms per token atom',
  })
  const shapes: Shape[] =
    all.length === 0 ? [emptyNote(box, 'No mechanism computed.')] : frameOf(box, x, y)
  const place = ({ at, price }: { at: number; price: number }) => ({
    x: x.scale.at(at),
    y: y.scale.at(price),
  })
  const ends = x.ticks.at(-1)?.value ?? 1
  const labels = courses.flatMap(({ quiet, traded }, index) => {
    const style = styleOf(index)
    const lines = [
      { points: held(quiet, ends), dash: [3, 3], width: 1 },
      { points: stairs(traded, ends), dash: [], width: 1.8 },
    ]
    for (const { points, dash, width } of lines) {
      if (points.length < 2) continue
      shapes.push({
        kind: 'line',
        points: points.map(place),
        stroke: { color: style.color, width, dash },
      })
    }
    const last = (traded.length > 0 ? traded : quiet).at(-1)
    return last ? [{ text: labelOf(mechanisms[index]!), y: y.scale.at(last.price), style }] : []
  })
  const below = box.y + box.height + 56
  const wide = { ...box, width: box.width + 4 }
  const names = seriesNames(labels, { box: wide, availableWidth: 150, below, paper })
  const outcomes = outcomeRows(mechanisms, below + names.height, paper)
  shapes.push(...names.shapes, ...outcomes.shapes)
  const sold = mechanisms.filter(({ outcome }) => outcome !== null).length
  return drawing(
    {
      id: 'launch-prices',
      title: 'Mechanisms compared on the same demand',
      description: `${mechanisms.length} mechanisms, ${sold} of them simulated with an assumed demand. The model has no resale during the sale.`,
    },
    {
      columns: [
        'mechanism',
        'opening price, X36',
        'sold, token atoms',
        'raised, quote atoms',
        'average price, X36',
        'bids filled',
        'succeeds',
      ],
      rows: mechanisms.map(({ kind, openingPriceX36, outcome }) => [
        ...[kind, openingPriceX36, outcome?.sold ?? null, outcome?.raised ?? null],
        ...[outcome?.averagePriceX36 ?? null, outcome?.filled ?? null],
        outcome ? (outcome.isSuccessful ? 'yes' : 'no') : null,
      ]),
    },
    { height: below + names.height + 6 + outcomes.rows * 15, shapes },
    paper,
  )
}

type Course = readonly { readonly at: number; readonly price: number }[]

/** Without trades the price is constant to the end. */
const held = (quiet: Course, end: number): Course =>
  quiet.length === 1 ? [...quiet, { at: end, price: quiet[0]!.price }] : quiet

/** A price applies until the next point. */
const stairs = (course: Course, end: number): Course =>
  course.flatMap((point, index) => {
    const next = course[index + 1]
    return [point, { at: next?.at ?? Math.max(point.at, end), price: point.price }]
  })

const words: Readonly<Record<Mechanism['kind'], string>> = {
  V2_SEED: 'constant product',
  V3_SEED: 'ranges',
  LBP: 'bootstrapping pool',
  CCA: 'clearing auction',
  DUTCH_DYNAMIC: 'Dutch auction',
  FIXED_PRICE: 'fixed price',
}
const labelOf = ({ kind }: Mechanism) => words[kind]

/** Outcome per mechanism next to its name, or below it on narrow paper. */
function outcomeRows(
  mechanisms: readonly Mechanism[],
  y: number,
  paper: Paper,
): { readonly shapes: Shape[]; readonly rows: number } {
  let rows = 0
  const shapes = mechanisms.flatMap((one, index): Shape[] => {
    const { outcome, missing } = one
    const label = outcome
      ? `sells ${printShort(Number(outcome.sold))} atoms for ${printShort(Number(outcome.raised))}, fills ${outcome.filled} of ${outcome.bids} bids${outcome.isSuccessful ? '' : ', and pays back'}`
      : (missing ?? 'no assumed demand')
    const name = textAt(6, y + rows * 15, labelOf(one), {
      size: 9.5,
      isBold: true,
      color: styleOf(index).color,
    })
    const lines = isNarrow(paper) ? wrapText(label, paper.width - 18, 11) : [label]
    if (isNarrow(paper)) rows += 1
    const lineShapes = lines.map((text, line) =>
      textAt(isNarrow(paper) ? 12 : 136, y + (rows + line) * 15, text, {
        size: 9.5,
        color: ink.text,
      }),
    )
    rows += lines.length
    return [name, ...lineShapes]
  })
  return { shapes, rows }
}
