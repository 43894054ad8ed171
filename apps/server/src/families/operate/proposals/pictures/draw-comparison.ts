import type { contract } from '@liquidity-os/contract'
import {
  type Drawing,
  drawing,
  fitText,
  ink,
  isNarrow,
  letterOn,
  lineBetween,
  noteOn,
  type Paper,
  type Shape,
  styleOf,
  textAt,
  usualPaper,
} from '@liquidity-os/drawing'
import { decimalText } from '../../../../reports/cell-text.ts'

type Comparison = contract.ProposalComparison

function linesOn(paper: Paper) {
  const { width } = paper
  if (isNarrow(paper))
    return { left: 26, right: width - 26, better: width - 12, drop: 32, height: 62 }
  const scale = width / usualPaper.width
  return { left: 250 * scale, right: 610 * scale, better: 720 * scale, drop: 0, height: 44 }
}

const grid = { color: ink.grid, width: 1 }
type Metric = Comparison['proposals'][number]['metrics'][number]

const names: Readonly<Record<string, string>> = {
  costQuote: 'Cost',
  minimumOut: 'Minimum output',
  priceImpactPips: 'Price impact',
  gasUnits: 'Gas',
  turnoverPips: 'Share of daily cap',
  smallestMarginPips: 'Margin to nearest limit',
  exposureAfterPips: 'Exposure after',
  irreversibleCalls: 'Irreversible calls',
  blockFlags: 'Blocking flags',
  warnFlags: 'Warning flags',
  oldestSourceSeconds: 'Oldest source age',
}
const arrows = { LOWER: '← better', HIGHER: 'better →', NEITHER: '' } as const

/** One line per metric, from the minimum to the maximum of the proposals. No weighting. */
export function drawComparison({ proposals, relations, state }: Comparison, paper: Paper): Drawing {
  const line = linesOn(paper)
  const { left, right, drop } = line
  const availableWidth = paper.width - 40
  const isScreen = paper.minFontSize > 0
  const metrics = proposals[0]?.metrics ?? []
  const top = 30 + proposals.length * 16
  const shapes: Shape[] = [
    ...proposals.flatMap(({ title }, index): Shape[] => {
      const { color, mark } = styleOf(index)
      const y = 14 + index * 16
      return [
        { kind: 'mark', form: mark, x: 26, y: y - 3, size: 8, color, isHollow: false },
        textAt(38, y, fitText(`${index + 1}  ${title}`, availableWidth - 40, letterOn(paper, 10))),
      ]
    }),
    ...metrics.flatMap(({ metricId, unit, better }, row) => {
      const y = top + row * line.height
      const values = proposals.map(({ metrics: own }) => {
        const value = own.find((one) => one.metricId === metricId)?.value ?? null
        return value === null ? null : BigInt(value)
      })
      const [known, unknown] = [valuesText(values, unit), unknownText(values)]
      const label = isScreen ? [unknown, known].filter(Boolean).join('  ·  ') : known
      return [
        textAt(20, y + 4, names[metricId] ?? metricId, { size: 10.5, isBold: true }),
        textAt(20, y + 18, fitText(label, availableWidth, letterOn(paper, 10)), {
          size: 10,
          color: ink.faint,
        }),
        lineBetween({ x: left, y: y + drop }, { x: right, y: y + drop }, grid),
        textAt(line.better, y + 4, arrows[better], { size: 10, color: ink.faint, anchor: 'end' }),
        ...dots(values, y + drop, line),
        ...(isScreen || unknown === '' ? [] : [labelUnknown(unknown, left, y)]),
      ]
    }),
  ]
  const bottom = top + metrics.length * line.height
  const sentences = relations.flatMap((one) => sentencesOf(one, proposals))
  let end = bottom + 8
  for (const sentence of sentences) {
    const words = isScreen ? sentence : fitText(sentence, availableWidth, 9.5)
    const note = noteOn(paper, { x: 20, y: end }, words, { size: 9.5 })
    shapes.push(...note.shapes)
    end += 15 + note.more
  }
  return drawing(
    {
      id: 'proposal-comparison',
      title: state === 'COMPLETED' ? 'Proposals compared' : 'Proposals compared, incomplete data',
      description: sentences.join(' '),
    },
    {
      columns: ['figure', 'unit', 'better', ...proposals.map(({ proposal }) => proposal.id)],
      rows: metrics.map(({ metricId, unit, better }) => [
        ...[metricId, unit, better],
        ...proposals.map(
          ({ metrics: own }) => own.find((one) => one.metricId === metricId)?.value ?? null,
        ),
      ]),
    },
    { height: end + 12, shapes },
    paper,
  )
}

function valuesText(values: readonly (bigint | null)[], unit: Metric['unit']): string {
  const known = values.flatMap((value, index) =>
    value === null ? [] : [`${index + 1}: ${valueText(value, unit)}`],
  )
  return known.join('  ·  ')
}

/** Note that lists proposals with an unknown value; empty if all are known. */
function unknownText(values: readonly (bigint | null)[]): string {
  const unknown = values.flatMap((value, index) => (value === null ? [index + 1] : []))
  if (unknown.length === 0) return ''
  return unknown.length === values.length ? 'unknown' : `unknown for ${unknown.join(', ')}`
}

const labelUnknown = (words: string, left: number, y: number): Shape =>
  textAt(left - 8, y + 4, words, { size: 10, color: ink.faint, anchor: 'end' })

function valueText(value: bigint, unit: Metric['unit']): string {
  switch (unit) {
    case 'PIPS':
      return `${decimalText(value, 4)} %`
    case 'SECONDS':
      return `${decimalText(value, 0)} s`
    case 'QUOTE_ATOMS':
      return `${decimalText(value, 0)} quote atoms`
    case 'ATOMS':
      return `${decimalText(value, 0)} output atoms`
    default:
      return decimalText(value, 0)
  }
}

function dots(
  values: readonly (bigint | null)[],
  y: number,
  { left, right }: { left: number; right: number },
): Shape[] {
  const known = values.filter((value) => value !== null)
  const least = known.reduce((min, one) => (one < min ? one : min), known[0] ?? 0n)
  const most = known.reduce((max, one) => (one > max ? one : max), known[0] ?? 0n)
  const span = most - least
  return values.flatMap((value, index): Shape[] => {
    if (value === null) return []
    const { color, mark } = styleOf(index)
    // Chart position: four digits are sufficient. Equal values get a small offset.
    const share = span === 0n ? 0.5 : Number(((value - least) * 10_000n) / span) / 10_000
    const x = left + share * (right - left) + (span === 0n ? (index - 0.5) * 12 : 0)
    return [{ kind: 'mark', form: mark, x, y, size: 9, color, isHollow: false }]
  })
}

const namesOf = (ids: readonly string[]) =>
  ids.map((id) => (names[id] ?? id).toLowerCase()).join(', ')

/** Relation of two proposals in two sentences, so that each fits on a line. */
function sentencesOf(
  { first, second, relation, betterIn, worseIn, notCompared }: Comparison['relations'][number],
  proposals: Comparison['proposals'],
): string[] {
  const nameOf = (id: string) => proposals.findIndex(({ proposal }) => proposal.id === id) + 1
  const words = {
    DOMINATES: 'is no worse in any figure than',
    DOMINATED: 'is no better in any figure than',
    TRADE_OFF: 'is a trade-off against',
    EQUAL: 'is equal in every figure to',
  } as const
  const details = [
    ...(betterIn.length > 0 ? [`better in ${namesOf(betterIn)}`] : []),
    ...(worseIn.length > 0 ? [`worse in ${namesOf(worseIn)}`] : []),
    ...(notCompared.length > 0 ? [`not compared, data missing: ${namesOf(notCompared)}`] : []),
  ]
  return [
    `${nameOf(first)} ${words[relation]} ${nameOf(second)}.`,
    ...details.map((detail) => `– ${detail}`),
  ]
}
