import type { contract } from '@liquidity-os/contract'
import {
  amountColors,
  type Box,
  type Drawing,
  drawing,
  emptyNote,
  extentOf,
  fitText,
  hatch,
  ink,
  linearScale,
  lineBetween,
  type NamedRows,
  namedRows,
  niceTicks,
  type Paper,
  printShort,
  type Shape,
  textAt,
  wordsAbove,
} from '@liquidity-os/drawing'
import { quoteWords, shortAsset, unitsOf } from './units.ts'

type Study = contract.TreasuryStressStudy
type Scenario = Study['scenarios'][number]

const top = 58
const row = 24

/** One bar from where the one before ended. */
interface Step {
  readonly label: string
  readonly from: number
  readonly to: number
  readonly kind: 'WHOLE' | 'LOSS' | 'GAIN' | 'STAYS'
}

const words: Readonly<Record<string, string>> = {
  IMPACT: 'sale costs',
  RECOVERY: 'peg recovery',
  LOCKED: 'restricted longer',
  FROZEN: 'frozen longer',
  UNSOLD: 'unsold in time',
}

/** From mark-to-market to liquidation value, in the scenario with the largest loss. */
export function drawWaterfall(study: Study, paper: Paper): Drawing {
  const layout = namedRows(paper, { left: 250, rightMargin: 84, height: row })
  const [worst] = study.scenarios.toSorted(
    (a, b) => unitsOf(study, headline(b).lossQuote) - unitsOf(study, headline(a).lossQuote),
  )
  const about = {
    id: 'stress-waterfall',
    title: 'From mark value to liquidation value',
    description: worst
      ? `${worst.label}: the largest loss of ${study.scenarios.length} scenarios. Each bar starts at the end of the bar above.${countedWords(worst)}`
      : 'No scenario was computed.',
  }
  const table = {
    columns: ['scenario', 'step', 'loss, quote atoms'],
    rows: study.scenarios.flatMap((scenario) => {
      const { scenarioId } = scenario
      const { beforeQuote, drivers, realisableQuote } = headline(scenario)
      return [
        [scenarioId, 'mark-to-market value', beforeQuote],
        ...drivers.map(({ subject, lossQuote }) => [scenarioId, subject, lossQuote]),
        [scenarioId, 'liquidation value', realisableQuote],
      ]
    }),
  }
  if (!worst) {
    const box: Box = { x: 20, y: 20, width: paper.width - 40, height: 60 }
    const note = emptyNote(box, 'No scenario was computed.')
    return drawing(about, table, { height: 100, shapes: [note] }, paper)
  }
  const steps = stepsOf(study, worst)
  const domain = extentOf([0, ...steps.flatMap(({ from, to }) => [from, to])])
  const scale = linearScale(domain, [layout.left, layout.right])
  const bottom = top + steps.length * layout.height
  const shapes: Shape[] = [
    textAt(6, 16, fitText(worst.label, paper.width - 20, 12, true), { size: 12, isBold: true }),
    textAt(6, 34, `${ownWords(study)} the own token, in ${quoteWords(study)}`, {
      color: ink.faint,
    }),
  ]
  for (const value of niceTicks(domain, layout.isNarrow ? 2 : 4).values) {
    const at = scale.at(value)
    const color = value === 0 ? ink.axis : ink.grid
    shapes.push(lineBetween({ x: at, y: top - 4 }, { x: at, y: bottom }, { color, width: 0.7 }))
    shapes.push(textAt(at, bottom + 14, printShort(value), { color: ink.faint, anchor: 'middle' }))
  }
  for (const [index, step] of steps.entries()) {
    shapes.push(
      ...barOf(step, top + index * layout.height + layout.drop, (value) => scale.at(value), layout),
    )
  }
  return drawing(about, table, { height: bottom + 24, shapes }, paper)
}

const ownWords = ({ request }: Study) => (request.ownToken === 'COUNTED' ? 'with' : 'without')

/** Values of controlled holdings; for an older study, those of all holdings. */
function headline({ counted, drivers, controlled }: Scenario) {
  if (!controlled?.beforeQuote || !controlled.lossQuote || !controlled.drivers) {
    return { ...counted, drivers }
  }
  const { beforeQuote, lossQuote, realisableQuote } = controlled
  return { beforeQuote, lossQuote, realisableQuote, drivers: controlled.drivers }
}

const countedWords = (scenario: Scenario) =>
  headline(scenario).beforeQuote === scenario.counted.beforeQuote
    ? ''
    : ' Only proven and attested holdings count.'

function stepsOf(study: Study, scenario: Scenario): Step[] {
  const { beforeQuote, drivers } = headline(scenario)
  const { legs } = scenario
  const units = (atoms: string) => unitsOf(study, atoms)
  let at = units(beforeQuote)
  const steps: Step[] = [{ label: 'mark-to-market value', from: 0, to: at, kind: 'WHOLE' }]
  for (const { subject, lossQuote } of drivers) {
    const loss = units(lossQuote)
    if (loss === 0) continue
    const name = subject.split(' ').at(-1) ?? subject
    const stays = name === 'LOCKED' || name === 'FROZEN' || name === 'UNSOLD'
    const kind = stays ? 'STAYS' : loss > 0 ? 'LOSS' : 'GAIN'
    const label = legWords(legs[Number.parseInt(subject, 10)]) ?? words[name] ?? subject
    steps.push({ label, from: at, to: at - loss, kind })
    at -= loss
  }
  return [...steps, { label: 'liquidation value', from: 0, to: at, kind: 'WHOLE' }]
}

/** Label of a price leg; null for other drivers. */
function legWords(leg: Scenario['legs'][number] | undefined): string | null {
  if (leg === undefined) return null
  const percent = (pips: number) => `${pips > 0 ? '+' : '−'}${Math.abs(pips) / 10_000} %`
  switch (leg.kind) {
    case 'PRICE':
      return `${'tier' in leg ? leg.tier : shortAsset(leg.asset)} ${percent(leg.movePips)}`
    case 'DEPEG':
      return `${shortAsset(leg.asset)} ${percent(leg.pricePips - 1_000_000)} for ${leg.days} days`
    case 'CORRELATED':
      return `with ${shortAsset(leg.factor)} ${percent(leg.movePips)}`
    case 'HISTORICAL':
      return `as ${leg.from.slice(0, 10)} to ${leg.to.slice(0, 10)}`
    default:
      return null
  }
}

const fills = {
  WHOLE: amountColors.net,
  LOSS: amountColors.loss,
  GAIN: amountColors.gain,
  STAYS: amountColors.loss,
} as const

function barOf(
  { label, from, to, kind }: Step,
  y: number,
  at: (value: number) => number,
  layout: NamedRows,
): Shape[] {
  const { left, right } = layout

  const [low, high] = [Math.min(at(from), at(to)), Math.max(at(from), at(to))]
  const box = { x: low, y, width: Math.max(high - low, 0.8), height: row - 8 }
  const text =
    kind === 'WHOLE' ? printShort(to) : `${to > from ? '+' : '−'}${printShort(Math.abs(to - from))}`
  const isNearEnd = high > right - 40
  const name = layout.isNarrow
    ? wordsAbove(layout, { name: label, value: text, top: y })
    : [textAt(left - 8, y + 12, fitText(label, left - 20, 11), { size: 11, anchor: 'end' })]
  const bar: Shape[] = [
    ...name,
    // Unsold holdings are hatched: they still exist, but count as zero.
    ...(kind === 'STAYS'
      ? hatch(box, fills[kind])
      : [{ kind: 'rect' as const, ...box, fill: fills[kind] }]),
    lineBetween(
      { x: at(to), y: y + row - 8 },
      { x: at(to), y: y + row },
      { color: ink.axis, width: 0.8 },
    ),
  ]
  if (layout.isNarrow) return bar
  return [
    ...bar,
    isNearEnd && kind === 'WHOLE'
      ? textAt(high - 6, y + 12, text, { size: 10.5, anchor: 'end', color: ink.paper })
      : textAt(isNearEnd ? low - 5 : high + 5, y + 12, text, {
          size: 10.5,
          anchor: isNearEnd ? 'end' : 'start',
        }),
  ]
}
