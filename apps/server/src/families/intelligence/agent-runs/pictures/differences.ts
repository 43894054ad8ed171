import {
  amountColors,
  type Drawing,
  drawing,
  drawingWidth,
  extentOf,
  fitText,
  ink,
  linearScale,
  lineBetween,
  type Scale,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import {
  type DrawnRun,
  figureText,
  type Report,
  researchOf,
  unitWords,
  verdictWords,
  wordsOf,
} from './drawn.ts'

type Alternative = Report['alternatives'][number]

const rowHeight = 52
const [left, right, top] = [230, drawingWidth - 170, 52]

const colors: Readonly<Record<string, string>> = {
  SUPERIOR: amountColors.gain,
  INFERIOR: amountColors.loss,
  GUARDRAIL_FAILED: amountColors.loss,
}

/** Mean difference of every alternative from the baseline with its interval, beside zero and the effect that would matter. */
export function drawDifferences({ run, quoteDecimals }: DrawnRun): Drawing {
  const report = researchOf(run)
  const about = {
    id: 'research-differences',
    title: report
      ? `Against the baseline, by ${wordsOf(report.primary.metric)}`
      : 'Against the baseline',
    description: report ? describe(report, quoteDecimals) : 'There is no report yet.',
  }
  const table = {
    columns: ['alternative', 'verdict', 'mean', 'low', 'high', 'confidence pips', 'unit'],
    rows: (report?.alternatives ?? []).map(({ label, verdict, difference }) => [
      ...[label, verdict, difference?.mean ?? null, difference?.low ?? null],
      ...[difference?.high ?? null, difference?.confidencePips ?? null, report?.primary.unit ?? ''],
    ]),
  }
  if (!report || report.state === 'ABSTAINED') {
    const words = report
      ? `Nothing is compared: ${report.reasons.join(', ')}`
      : 'There is no report yet.'
    const shapes = [textAt(20, 30, fitText(words, drawingWidth - 40, 10), { color: ink.faint })]
    return drawing(about, table, { height: 50, shapes })
  }
  const scale = scaleOf(report)
  const bottom = top + report.alternatives.length * rowHeight
  const shapes = [
    ...guides(report, scale, bottom),
    ...report.alternatives.flatMap((one, place) =>
      rowOf(one, top + place * rowHeight, { scale, report, quoteDecimals }),
    ),
    textAt(left, bottom + 20, legendOf(report, quoteDecimals), { size: 10, color: ink.faint }),
  ]
  return drawing(about, table, { height: bottom + 34, shapes })
}

function describe({ alternatives, primary, state }: Report, decimals: number | null): string {
  const unit = unitWords(primary.unit, decimals)
  const told = alternatives.map(({ label, verdict, difference, reason }) =>
    difference
      ? `${label}: ${verdictWords[verdict]}, ${figureText(difference.mean, primary.unit, decimals)} ${unit} on average, between ${figureText(difference.low, primary.unit, decimals)} and ${figureText(difference.high, primary.unit, decimals)}.`
      : `${label}: ${verdictWords[verdict]}${reason === null ? '' : ` (${reason})`}.`,
  )
  return `${state === 'ABSTAINED' ? 'The run abstained. ' : ''}${told.join(' ')}`
}

/** The effect that matters, with the sign in which it is one. */
const effectOf = ({ primary }: Report): number =>
  Number(primary.minimumEffect) * (primary.direction === 'HIGHER' ? 1 : -1)

function scaleOf(report: Report): Scale {
  const ends = report.alternatives.flatMap(({ difference }) =>
    difference ? [Number(difference.low), Number(difference.high)] : [],
  )
  const [low, high] = extentOf([0, effectOf(report), ...ends])
  const margin = (high - low) * 0.06 || 1
  return linearScale([low - margin, high + margin], [left, right])
}

function guides(report: Report, scale: Scale, bottom: number): Shape[] {
  const upright = (value: number, dash: readonly number[], words: string, y: number): Shape[] => [
    lineBetween(
      { x: scale.at(value), y: y + 4 },
      { x: scale.at(value), y: bottom },
      { color: ink.axis, width: 1, dash },
    ),
    textAt(scale.at(value), y, words, { size: 10, anchor: 'middle', color: ink.faint }),
  ]
  const effect = effectOf(report)
  // Two lines of words, since the two may stand near to each other.
  return [
    ...upright(0, [], 'as the baseline', 34),
    ...(effect === 0 ? [] : upright(effect, [4, 3], 'would matter', 18)),
  ]
}

interface Frame {
  readonly scale: Scale
  readonly report: Report
  readonly quoteDecimals: number | null
}

function rowOf(
  { label, verdict, difference, guardrails, reason }: Alternative,
  y: number,
  { scale, report, quoteDecimals }: Frame,
): Shape[] {
  const middle = y + 18
  const color = colors[verdict] ?? ink.faint
  const broken = guardrails.filter(({ isBroken }) => isBroken).length
  const rails =
    guardrails.length === 0
      ? ''
      : `${guardrails.length - broken} of ${guardrails.length} guardrails hold`
  const shapes: Shape[] = [
    textAt(16, middle + 3, fitText(label, left - 40, 11, true), { size: 11, isBold: true }),
    textAt(right + 24, middle, verdictWords[verdict], { size: 10.5, isBold: true, color }),
    textAt(right + 24, middle + 15, rails, {
      ...{ size: 10, color: broken > 0 ? amountColors.loss : ink.faint },
    }),
  ]
  if (!difference) {
    const words = fitText(reason ?? 'no outcome', right - left, 10)
    const told = textAt(left, middle + 3, words, { size: 10, color: ink.faint, halo: ink.paper })
    return [
      ...shapes,
      {
        kind: 'mark',
        form: 'cross',
        x: left - 14,
        y: middle,
        size: 9,
        color: amountColors.loss,
        isHollow: false,
      },
      told,
    ]
  }
  const [low, high, mean] = [difference.low, difference.high, difference.mean].map((value) =>
    scale.at(Number(value)),
  ) as [number, number, number]
  const said = figureText(difference.mean, report.primary.unit, quoteDecimals)
  return [
    ...shapes,
    lineBetween({ x: low, y: middle }, { x: high, y: middle }, { color, width: 2.2 }),
    ...[low, high].map((x) =>
      lineBetween({ x, y: middle - 5 }, { x, y: middle + 5 }, { color, width: 1.4 }),
    ),
    { kind: 'mark', form: 'diamond', x: mean, y: middle, size: 9, color, isHollow: false },
    textAt(mean, middle + 20, said, {
      ...({ size: 10, anchor: 'middle', halo: ink.paper, color: ink.faint } as const),
    }),
  ]
}

const legendOf = ({ primary }: Report, decimals: number | null): string =>
  `mean difference in ${unitWords(primary.unit, decimals)}, with its interval; ${primary.direction === 'HIGHER' ? 'further right' : 'further left'} is better`
