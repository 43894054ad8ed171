import type { contract } from '@liquidity-os/contract'
import {
  type Drawing,
  drawing,
  drawingWidth,
  emptyNote,
  endLabels,
  frameOf,
  ink,
  numberAxis,
  printShort,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import { hourSeconds } from '../../../../units.ts'

type Plan = contract.LaunchPlan
type Mechanism = Plan['computed']['mechanisms'][number]

const box = { x: 66, y: 44, width: drawingWidth - 240, height: 210 }
const priceOf = (priceX36: string) => Number(BigInt(priceX36)) / 1e36

/** The price of every mechanism on the same demand: whole lines with it, broken ones while nobody buys. */
export function drawPrices({ computed }: Plan): Drawing {
  const { mechanisms } = computed
  const courses = mechanisms.map(({ quiet, outcome }) => ({
    quiet: quiet.map(({ atSeconds, priceX36 }) => ({
      at: atSeconds / hourSeconds,
      price: priceOf(priceX36),
    })),
    traded: (outcome?.path ?? []).map(({ atSeconds, priceX36 }) => ({
      ...{ at: atSeconds / hourSeconds, price: priceOf(priceX36) },
    })),
  }))
  const all = courses.flatMap(({ quiet, traded }) => [...quiet, ...traded])
  const x = numberAxis([0, ...all.map(({ at }) => at)], [box.x, box.x + box.width], {
    title: 'hours after the sale opens',
  })
  const y = numberAxis([0, ...all.map(({ price }) => price)], [box.y + box.height, box.y], {
    title: 'price, quote atoms for a token atom',
  })
  const shapes: Shape[] =
    all.length === 0 ? [emptyNote(box, 'No mechanism was computed.')] : frameOf(box, x, y)
  const place = ({ at, price }: { at: number; price: number }) => ({
    ...{ x: x.scale.at(at), y: y.scale.at(price) },
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
  shapes.push(...endLabels(labels, box.x + box.width + 4, box, 150))
  shapes.push(...outcomeRows(mechanisms, box.y + box.height + 56))
  const sold = mechanisms.filter(({ outcome }) => outcome !== null).length
  return drawing(
    {
      id: 'launch-prices',
      title: 'What each mechanism does on the same demand',
      description: `${mechanisms.length} mechanisms, ${sold} of them tried on a demand that is assumed. Nobody sells during the sale.`,
    },
    {
      columns: [
        'mechanism',
        'opening price, X36',
        'sold, atoms of the token',
        'raised, atoms of the quote',
        'average price, X36',
        'bids served',
        'succeeds',
      ],
      rows: mechanisms.map(({ kind, openingPriceX36, outcome }) => [
        ...[kind, openingPriceX36, outcome?.sold ?? null, outcome?.raised ?? null],
        ...[outcome?.averagePriceX36 ?? null, outcome?.filled ?? null],
        outcome ? (outcome.isSuccessful ? 'yes' : 'no') : null,
      ]),
    },
    { height: box.y + box.height + 62 + mechanisms.length * 15, shapes },
  )
}

type Course = readonly { readonly at: number; readonly price: number }[]

/** A price that nobody moves holds to the end. */
const held = (quiet: Course, end: number): Course =>
  quiet.length === 1 ? [...quiet, { at: end, price: quiet[0]!.price }] : quiet

/** A price holds until the next point. */
const stairs = (course: Course, end: number): Course =>
  course.flatMap((point, place) => {
    const next = course[place + 1]
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

function outcomeRows(mechanisms: readonly Mechanism[], y: number): Shape[] {
  return mechanisms.flatMap((one, place): Shape[] => {
    const { outcome, missing } = one
    const said = outcome
      ? `sells ${printShort(Number(outcome.sold))} atoms for ${printShort(Number(outcome.raised))}, serves ${outcome.filled} of ${outcome.bids} bids${outcome.isSuccessful ? '' : ', and pays back'}`
      : (missing ?? 'no demand is assumed')
    return [
      textAt(6, y + place * 15, labelOf(one), {
        size: 9.5,
        isBold: true,
        color: styleOf(place).color,
      }),
      textAt(136, y + place * 15, said, { size: 9.5, color: ink.text }),
    ]
  })
}
