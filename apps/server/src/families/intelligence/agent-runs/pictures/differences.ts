import {
  amountColors,
  type Drawing,
  drawing,
  extentOf,
  fitText,
  ink,
  isNarrow,
  letterOn,
  linearScale,
  lineBetween,
  lineOn,
  linesOn,
  noteOn,
  type Paper,
  type Point,
  type Scale,
  type Shape,
  type Spot,
  textAt,
  usualPaper,
  widthOf,
} from '@liquidity-os/drawing'
import {
  type DrawnRun,
  figureText,
  metricWords,
  type Report,
  researchOf,
  unitWords,
  verdictWords,
} from './drawn.ts'

type Alternative = Report['alternatives'][number]

const top = 52

/** Positions of intervals and their offset: right of the names, or below them on narrow paper. */
function placesOn(paper: Paper) {
  if (isNarrow(paper)) {
    const [left, right] = [12, paper.width - 12]
    return { left, right, name: left, verdict: left, drop: 48, rowHeight: 92, paper }
  }
  const left = (230 * paper.width) / usualPaper.width
  const right = paper.width - 170
  return { left, right, name: 16, verdict: right + 24, drop: 18, rowHeight: 52, paper }
}
type Places = ReturnType<typeof placesOn>

const colors: Readonly<Record<string, string>> = {
  SUPERIOR: amountColors.gain,
  INFERIOR: amountColors.loss,
  GUARDRAIL_FAILED: amountColors.loss,
}

/**
 * Mean difference from the baseline with its interval, per alternative, with guides at zero and at
 * the minimum effect.
 */
export function drawDifferences({ run, quoteDecimals }: DrawnRun, paper: Paper): Drawing {
  const report = researchOf(run)
  const about = {
    id: 'research-differences',
    title: report
      ? `Difference from the baseline: ${metricWords[report.primary.metric]}`
      : 'Difference from the baseline',
    description: report ? describe(report, quoteDecimals) : 'No report yet.',
  }
  const table = {
    columns: ['alternative', 'verdict', 'mean', 'low', 'high', 'confidence pips', 'unit'],
    rows: (report?.alternatives ?? []).map(({ label, verdict, difference }) => [
      ...[label, verdict, difference?.mean ?? null, difference?.low ?? null],
      ...[
        difference?.high ?? null,
        difference?.confidencePips ?? null,
        report?.primary.unit ?? null,
      ],
    ]),
  }
  if (!report || report.state === 'ABSTAINED') {
    const words = report ? `No comparison: ${report.reasons.join(', ')}` : 'No report yet.'
    const note = noteOn(paper, { x: 20, y: 30 }, words, { color: ink.faint })
    return drawing(about, table, { height: 50 + note.more, shapes: note.shapes }, paper)
  }
  const places = placesOn(paper)
  const scale = scaleOf(report, places)
  let bottom = top
  const spots: Spot[] = []
  const rows = report.alternatives.flatMap((one, index) => {
    const row = rowOf(one, bottom, { ...places, scale, report, quoteDecimals })
    if (one.difference) {
      const x = scale.at(Number(one.difference.mean))
      spots.push({ x, y: bottom + places.drop, row: index, series: one.label })
    }
    bottom += places.rowHeight + row.more
    return row.shapes
  })
  const legend = legendAt(bottom + 20, legendOf(report, quoteDecimals), places)
  const shapes = [...guides(report, scale, bottom, paper), ...rows, ...legend.shapes]
  return drawing(about, table, { height: bottom + 34 + legend.more, shapes, spots }, paper)
}

function legendAt(y: number, text: string, { left, name, paper }: Places) {
  const style = { size: 10, color: ink.faint } as const
  return paper.minFontSize === 0
    ? { shapes: [textAt(left, y, text, style)], more: 0 }
    : noteOn(paper, { x: name, y }, text, style)
}

function describe({ alternatives, primary, state }: Report, decimals: number | null): string {
  const unit = unitWords(primary.unit, decimals)
  const descriptions = alternatives.map(({ label, verdict, difference, reason }) =>
    difference
      ? `${label}: ${verdictWords[verdict]}, mean ${figureText(difference.mean, primary.unit, decimals)} ${unit}, interval ${figureText(difference.low, primary.unit, decimals)} to ${figureText(difference.high, primary.unit, decimals)}.`
      : `${label}: ${verdictWords[verdict]}${reason === null ? '' : ` (${reason})`}.`,
  )
  return `${state === 'ABSTAINED' ? 'Result withheld. ' : ''}${descriptions.join(' ')}`
}

/** Minimum effect, signed by its direction. */
const effectOf = ({ primary }: Report): number =>
  Number(primary.minimumEffect) * (primary.direction === 'HIGHER' ? 1 : -1)

function scaleOf(report: Report, { left, right }: Places): Scale {
  const ends = report.alternatives.flatMap(({ difference }) =>
    difference ? [Number(difference.low), Number(difference.high)] : [],
  )
  const [low, high] = extentOf([0, effectOf(report), ...ends])
  const margin = (high - low) * 0.06 || 1
  return linearScale([low - margin, high + margin], [left, right])
}

function guides(report: Report, scale: Scale, bottom: number, paper: Paper): Shape[] {
  // On a screen both lines begin below the lower label, so neither crosses it.
  const from = (y: number) => (paper.minFontSize === 0 ? y : 34) + 4

  const upright = (value: number, dash: readonly number[], words: string, y: number): Shape[] => [
    lineBetween(
      { x: scale.at(value), y: from(y) },
      { x: scale.at(value), y: bottom },
      { color: ink.axis, width: 1, dash },
    ),
    textAt(scale.at(value), y, words, { size: 10, anchor: 'middle', color: ink.faint }),
  ]
  const effect = effectOf(report)
  // The labels use two rows, because they can be close together.
  return [
    ...upright(0, [], 'baseline', 34),
    ...(effect === 0 ? [] : upright(effect, [4, 3], 'minimum effect', 18)),
  ]
}

interface Frame extends Places {
  readonly scale: Scale
  readonly report: Report
  readonly quoteDecimals: number | null
}

function rowOf(alternative: Alternative, y: number, frame: Frame): Drawn {
  const { difference, reason, verdict } = alternative
  const { left, right, drop, paper } = frame
  const middle = y + drop
  const color = colors[verdict] ?? ink.faint
  const words = isNarrow(paper)
    ? wordsAbove(alternative, y, frame)
    : drawLabels(alternative, middle, frame)
  if (difference) {
    const interval = intervalOf(difference, middle, color, frame)
    return { shapes: [...words, ...interval.shapes], more: interval.more }
  }
  const mark = { kind: 'mark', form: 'cross', y: middle, size: 9, isHollow: false } as const
  const place = isNarrow(paper) ? left + 6 : left - 14
  const from = isNarrow(paper) ? left + 20 : left
  const caption = lineOn(paper, { x: from, end: right, y: middle + 3 }, reason ?? 'no result', {
    size: 10,
    color: ink.faint,
    halo: ink.paper,
  })
  return {
    shapes: [...words, { ...mark, x: place, color: amountColors.loss }, ...caption.shapes],
    more: caption.more,
  }
}

interface Drawn {
  readonly shapes: Shape[]
  /** Height beyond one row. */
  readonly more: number
}

function railsOf({ guardrails }: Alternative): { readonly text: string; readonly color: string } {
  const broken = guardrails.filter(({ isBroken }) => isBroken).length
  return {
    text:
      guardrails.length === 0
        ? ''
        : `${guardrails.length - broken} of ${guardrails.length} guardrails met`,
    color: broken > 0 ? amountColors.loss : ink.faint,
  }
}

function drawLabels(alternative: Alternative, middle: number, places: Places): Shape[] {
  const { label, verdict } = alternative
  const { left, name, verdict: x } = places
  const rails = railsOf(alternative)
  const color = colors[verdict] ?? ink.faint
  return [
    textAt(name, middle + 3, fitText(label, left - 40, 11, true), { size: 11, isBold: true }),
    textAt(x, middle, verdictWords[verdict], { size: 10.5, isBold: true, color }),
    textAt(x, middle + 15, rails.text, { size: 10, color: rails.color }),
  ]
}

/** The halo makes the text readable over the guide lines. */
function wordsAbove(alternative: Alternative, y: number, { left, right }: Places): Shape[] {
  const { label, verdict } = alternative
  const rails = railsOf(alternative)
  const color = colors[verdict] ?? ink.faint
  const halo = ink.paper
  return [
    textAt(left, y + 14, fitText(label, right - left, 11, true), { size: 11, isBold: true, halo }),
    textAt(left, y + 30, verdictWords[verdict], { size: 10.5, isBold: true, color, halo }),
    textAt(right, y + 30, rails.text, { size: 10, anchor: 'end', color: rails.color, halo }),
  ]
}

function intervalOf(
  difference: NonNullable<Alternative['difference']>,
  middle: number,
  color: string,
  frame: Frame,
): Drawn {
  const { scale, report, quoteDecimals } = frame
  const [low, high, mean] = [difference.low, difference.high, difference.mean].map((value) =>
    scale.at(Number(value)),
  ) as [number, number, number]
  const shownText = figureText(difference.mean, report.primary.unit, quoteDecimals)
  const label = meanLabel(shownText, { x: mean, y: middle + 20 }, frame)
  const shapes: Shape[] = [
    lineBetween({ x: low, y: middle }, { x: high, y: middle }, { color, width: 2.2 }),
    ...[low, high].map((x) =>
      lineBetween({ x, y: middle - 5 }, { x, y: middle + 5 }, { color, width: 1.4 }),
    ),
    { kind: 'mark', form: 'diamond', x: mean, y: middle, size: 9, color, isHollow: false },
    ...label.shapes,
  ]
  return { shapes, more: label.more }
}

/** The mean below its mark. On a screen, the label stays within the chart. */
function meanLabel(text: string, { x, y }: Point, { left, right, paper }: Places): Drawn {
  const style = { size: 10, anchor: 'middle', halo: ink.paper, color: ink.faint } as const
  if (paper.minFontSize === 0) return { shapes: [textAt(x, y, text, style)], more: 0 }
  const half = Math.min(widthOf(text, letterOn(paper, 10)), right - left) / 2 + 1
  const center = Math.min(Math.max(x, left + half), right - half)
  return linesOn(paper, { x: center - half, end: center + half, y }, text, style)
}

const legendOf = ({ primary }: Report, decimals: number | null): string =>
  `mean difference in ${unitWords(primary.unit, decimals)}, with interval; ${primary.direction === 'HIGHER' ? 'further right' : 'further left'} is better`
