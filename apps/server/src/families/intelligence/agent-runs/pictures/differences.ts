import type { contract } from '@liquidity-os/contract'
import { type Drawing, drawing, drawingWidth } from '../../../../drawing/drawing.ts'
import {
  amountColors,
  fitText,
  ink,
  lineBetween,
  type Shape,
  textAt,
} from '../../../../drawing/picture.ts'
import { extentOf, linearScale, type Scale } from '../../../../drawing/scale.ts'
import type { Run } from '../records.ts'

type Report = contract.ResearchReport
type Alternative = Report['alternatives'][number]

const rowHeight = 44
const [left, right, top] = [230, drawingWidth - 150, 42]

const colors: Readonly<Record<string, string>> = {
  SUPERIOR: amountColors.gain,
  INFERIOR: amountColors.loss,
  GUARDRAIL_FAILED: amountColors.loss,
}

/** Mean difference of every alternative from the baseline with its interval, beside zero and the effect that would matter. */
export function drawDifferences(run: Run): Drawing {
  const report = run.report?.reportVersion === 'research-report-v1' ? run.report : null
  const about = {
    id: 'research-differences',
    title: report ? `Differences by ${report.primary.metric}` : 'Differences',
    description: report
      ? `${report.state}. ${report.alternatives.map(({ label, verdict }) => `${label}: ${verdict}.`).join(' ')}`
      : 'There is no report yet.',
  }
  const table = {
    columns: ['alternative', 'verdict', 'mean', 'low', 'high', 'confidence pips', 'unit'],
    rows: (report?.alternatives ?? []).map(({ label, verdict, difference }) => [
      ...[label, verdict, difference?.mean ?? null, difference?.low ?? null],
      ...[difference?.high ?? null, difference?.confidencePips ?? null, report?.primary.unit ?? ''],
    ]),
  }
  if (!report || report.state === 'ABSTAINED') {
    const words = report ? `abstained: ${report.reasons.join(', ')}` : 'there is no report yet'
    const shapes = [textAt(20, 30, words, { color: ink.faint })]
    return drawing(about, table, { height: 50, shapes })
  }
  const scale = scaleOf(report)
  const bottom = top + report.alternatives.length * rowHeight
  const shapes = [
    ...guides(report, scale, bottom),
    ...report.alternatives.flatMap((one, place) => rowOf(one, top + place * rowHeight, scale)),
    textAt(left, bottom + 22, legendOf(report), { size: 9, color: ink.faint }),
  ]
  return drawing(about, table, { height: bottom + 34, shapes })
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
  const at = (value: number) => ({ x: scale.at(value), y: top - 8 })
  const upright = (value: number, dash: readonly number[], words: string): Shape[] => [
    lineBetween(at(value), { x: scale.at(value), y: bottom }, { color: ink.axis, width: 1, dash }),
    textAt(scale.at(value), top - 14, words, { size: 9, anchor: 'middle', color: ink.faint }),
  ]
  const effect = effectOf(report)
  return [
    ...upright(0, [], 'baseline'),
    ...(effect === 0 ? [] : upright(effect, [4, 3], 'would matter')),
  ]
}

function rowOf(
  { label, verdict, difference, guardrails, reason }: Alternative,
  y: number,
  scale: Scale,
): Shape[] {
  const middle = y + 16
  const color = colors[verdict] ?? ink.faint
  const broken = guardrails.filter(({ isBroken }) => isBroken).length
  const rails =
    guardrails.length === 0
      ? ''
      : `${guardrails.length - broken} of ${guardrails.length} guardrails hold`
  const shapes: Shape[] = [
    textAt(6, middle + 3, fitText(label, left - 16, 10, true), { isBold: true }),
    textAt(right + 10, middle, verdict, { size: 9, isBold: true, color }),
    textAt(right + 10, middle + 13, rails, {
      size: 8.5,
      color: broken > 0 ? amountColors.loss : ink.faint,
    }),
  ]
  if (!difference) {
    const words = fitText(reason ?? 'no outcome', right - left, 9)
    const told = textAt(left, middle + 3, words, { size: 9, color: ink.faint, halo: ink.paper })
    return [...shapes, told]
  }
  const [low, high, mean] = [difference.low, difference.high, difference.mean].map((value) =>
    scale.at(Number(value)),
  ) as [number, number, number]
  return [
    ...shapes,
    lineBetween({ x: low, y: middle }, { x: high, y: middle }, { color, width: 2.2 }),
    ...[low, high].map((x) =>
      lineBetween({ x, y: middle - 5 }, { x, y: middle + 5 }, { color, width: 1.4 }),
    ),
    { kind: 'mark', form: 'diamond', x: mean, y: middle, size: 9, color, isHollow: false },
    textAt(mean, middle + 18, Number(difference.mean).toPrecision(4), {
      ...({ size: 8.5, anchor: 'middle', halo: ink.paper, color: ink.faint } as const),
    }),
  ]
}

const legendOf = ({ primary }: Report): string =>
  `mean difference, ${primary.unit === 'PIPS' ? 'millionths' : 'quote atoms'}, with its interval; ${primary.direction.toLowerCase()} is better`
