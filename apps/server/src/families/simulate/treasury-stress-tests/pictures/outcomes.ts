import type { contract } from '@liquidity-os/contract'
import {
  amountColors,
  type Drawing,
  drawing,
  fitText,
  ink,
  lineBetween,
  type Paper,
  type Point,
  printShort,
  type Shape,
  textAt,
  usualPaper,
  widthOf,
  wrapText,
} from '@liquidity-os/drawing'
import { quoteWords, unitsOf } from './units.ts'

type Study = contract.TreasuryStressStudy
type Outcome = NonNullable<Study['before']>

const columns = [
  { x: 300, words: 'liquidation value' },
  { x: 460, words: 'coverage' },
  { x: 575, words: 'months' },
  { x: 660, words: 'limits' },
] as const
const row = 22
const bar = 92
/** Stacked, a scenario has three lines: its name, its bar, and its figures. */
const narrowRow = 62

/** Below the usual width the columns do not fit side by side. */
const isStacked = ({ width }: Paper) => width < usualPaper.width

/** Outcome of every scenario next to the current state: value, coverage, runway and breaches. */
export function drawOutcomes(study: Study, paper: Paper): Drawing {
  const height = isStacked(paper) ? narrowRow : row
  const { before, scenarios, reverse } = study
  const lines = [
    ...(before ? [{ label: 'now', isNow: true, outcome: before as Outcome }] : []),
    ...scenarios.map((scenario) => ({ label: scenario.label, isNow: false, outcome: scenario })),
  ]
  const max = Math.max(1, ...lines.map(({ outcome }) => worth(study, outcome)))
  const heads = isStacked(paper) ? [{ x: 6, words: columns[0].words }] : columns
  const shapes: Shape[] = heads.map(({ x, words }) =>
    textAt(x, 18, words, { size: 10.5, color: ink.faint }),
  )
  for (const [index, { label, isNow, outcome }] of lines.entries()) {
    const y = 40 + index * height
    if (isStacked(paper)) {
      shapes.push(
        ...narrowLines(study, { label, isNow, outcome }, { y, most: max, width: paper.width }),
      )
      continue
    }
    const long = (worth(study, outcome) / max) * bar
    shapes.push(
      textAt(6, y, fitText(label, columns[0].x - 20, 11, isNow), { size: 11, isBold: isNow }),
      {
        kind: 'rect',
        x: columns[0].x,
        y: y - 9,
        width: Math.max(long, 0.8),
        height: 11,
        fill: amountColors.net,
      },
      textAt(columns[0].x + long + 4, y, worthWords(study, outcome), { size: 10 }),
      textAt(columns[1].x, y, percent(headline(outcome).coveragePips), { size: 11 }),
      textAt(columns[2].x, y, monthsOf(headline(outcome).runwayMonthsX3), { size: 11 }),
      ...limitsOf(study, outcome, { x: columns[3].x, y }),
    )
  }
  if (lines.length === 0)
    shapes.push(textAt(6, 40, 'No holding has a price.', { color: ink.faint }))
  const bottom = 40 + Math.max(1, lines.length) * height
  const reverseLines = reverse
    .flatMap((one) =>
      isStacked(paper) ? wrapText(reverseWords(one), paper.width - 12, 11) : [reverseWords(one)],
    )
    .map((text, index) => textAt(6, bottom + 18 + index * 18, text, { size: 11 }))
  if (reverseLines.length > 0) {
    const end = { x: paper.width - 6, y: bottom - 4 }
    shapes.push(
      lineBetween({ x: 6, y: bottom - 4 }, end, { color: ink.grid, width: 0.8 }),
      ...reverseLines,
    )
  }
  return drawing(
    {
      id: 'stress-outcomes',
      title: 'Result of each scenario',
      description: `Liquidation value, coverage (liquid assets over 30-day net outflow) and runway in months, now and after ${scenarios.length} scenarios, in ${quoteWords(study)}.${countedWords(lines)}`,
    },
    {
      columns: [
        'scenario',
        'liquidation value, atoms',
        'coverage, pips',
        'runway, thousandths of a month',
        'limits breached',
        'liquidation value of controlled holdings, atoms',
        'coverage of controlled holdings, pips',
        'runway of controlled holdings, thousandths of a month',
        'limits breached by controlled holdings',
      ],
      rows: lines.map(({ label, outcome }) => [
        ...[label, outcome.counted.realisableQuote, outcome.coverage.coveragePips],
        ...[outcome.runwayMonthsX3, outcome.breaches.map(({ metric }) => metric).join(' ')],
        outcome.controlled?.realisableQuote ?? null,
        outcome.controlled?.coveragePips ?? null,
        outcome.controlled?.runwayMonthsX3 ?? null,
        outcome.controlled?.breaches.map(({ metric }) => metric).join(' ') ?? null,
      ]),
    },
    { height: bottom + 14 + reverseLines.length * 18, shapes },
    paper,
  )
}

function narrowLines(
  study: Study,
  { label, isNow, outcome }: { label: string; isNow: boolean; outcome: Outcome },
  { y, most, width }: { y: number; most: number; width: number },
): Shape[] {
  const value = worthWords(study, outcome)
  const availableWidth = width - 20 - widthOf(value, 11)
  const long = Math.max((worth(study, outcome) / most) * availableWidth, 0.8)
  const { breaches, coveragePips, runwayMonthsX3 } = headline(outcome)
  const broken = breaches.length
  const limits =
    (study.request.limits ?? []).length === 0 ? '' : broken === 0 ? 'hold' : `${broken} broken`
  const figures = [
    percent(coveragePips),
    `${monthsOf(runwayMonthsX3)} months`,
    ...(limits === '' ? [] : [limits]),
  ]
  return [
    textAt(6, y, fitText(label, width - 12, 11, isNow), { size: 11, isBold: isNow }),
    { kind: 'rect', x: 6, y: y + 6, width: long, height: 11, fill: amountColors.net },
    textAt(12 + long, y + 15, value, { size: 11 }),
    textAt(6, y + 32, figures.join(' · '), {
      size: 11,
      color: broken > 0 ? amountColors.loss : ink.faint,
    }),
  ]
}

/** Values of controlled holdings; for an older study, those of all holdings. */
const headline = ({ controlled, counted, coverage, runwayMonthsX3, breaches }: Outcome) =>
  controlled ?? {
    realisableQuote: counted.realisableQuote,
    coveragePips: coverage.coveragePips,
    runwayMonthsX3,
    breaches,
  }

/** Added if asserted holdings change any outcome. */
const countedWords = (lines: readonly { readonly outcome: Outcome }[]) =>
  lines.some(({ outcome: { controlled, counted } }) =>
    controlled ? controlled.realisableQuote !== counted.realisableQuote : false,
  )
    ? ' Only proven and attested holdings count; asserted holdings are shown separately.'
    : ''

const worth = (study: Study, outcome: Outcome) => unitsOf(study, headline(outcome).realisableQuote)

/** Liquidation value of controlled holdings, then the asserted part. */
function worthWords(study: Study, outcome: Outcome): string {
  const { controlled, counted } = outcome
  if (!controlled || controlled.realisableQuote === counted.realisableQuote)
    return printShort(worth(study, outcome))
  const asserted = BigInt(counted.realisableQuote) - BigInt(controlled.realisableQuote)
  const [ours, theirs] = [controlled.realisableQuote, `${asserted}`]
  return `${printShort(unitsOf(study, ours))} + ${printShort(unitsOf(study, theirs))} asserted`
}

const percent = (pips: string | null) =>
  pips === null ? 'no payments due' : `${printShort(Number(pips) / 10_000)} %`

const monthsOf = (months: string | null) =>
  months === null ? '–' : printShort(Number(months) / 1000)

function limitsOf({ request }: Study, outcome: Outcome, { x, y }: Point): Shape[] {
  const { breaches } = headline(outcome)
  if ((request.limits ?? []).length === 0) return []
  return breaches.length === 0
    ? [textAt(x, y, 'hold', { size: 11, color: amountColors.gain })]
    : [
        textAt(x, y, `${breaches.length} broken`, {
          size: 11,
          isBold: true,
          color: amountColors.loss,
        }),
      ]
}

const metricWords = {
  RUNWAY_MONTHS_X3: 'runway',
  COVERAGE_PIPS: 'coverage',
  REALISABLE_QUOTE: 'liquidation value',
} as const

function reverseWords({ metric, scenarioId, ...all }: Study['reverse'][number]): string {
  const { severityX6, reached } = all.controlled ?? all
  const what = `${metricWords[metric]} falls below its limit`
  if (!reached)
    return `Even 3 times ${scenarioId} does not bring ${metricWords[metric]} below its limit.`
  if (severityX6 === 0) return `Without a shock, ${what}.`
  return `At ${(severityX6 / 1e6).toFixed(4)} times ${scenarioId}, ${what}.`
}
