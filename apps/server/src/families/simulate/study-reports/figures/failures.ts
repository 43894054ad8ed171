import type { contract } from '@liquidity-os/contract'
import type { FigureData } from '../../../../drawing/figure.ts'
import { decimalText } from '../../../../reports/cell-text.ts'
import { type Findings, samplesOf } from '../report-input.ts'

const columns: FigureData['columns'] = [
  { name: 'rule', unit: 'TEXT' },
  { name: 'arm', unit: 'TEXT' },
  { name: 'flowModel', unit: 'TEXT' },
  { name: 'seconds', unit: 'SECONDS' },
  { name: 'sharePips', unit: 'PIPS' },
  { name: 'lowPips', unit: 'PIPS' },
  { name: 'highPips', unit: 'PIPS' },
]

/**
 * Chart 8: time of the first breach of each risk limit, as a share of the paths, or as one time for
 * a replay.
 */
export function failureFigures(findings: Findings): FigureData[] {
  const { simulated, replayed, study } = findings
  const { pair } = study.payload.spec
  if (simulated.length > 0) {
    return curveFigures(simulated, ({ rule }) => ruleWords(rule, pair))
  }
  let end = 0
  const rows = replayed.flatMap((arm) => {
    const samples = samplesOf(findings, arm.armId, arm.flowModel)
    const start = samples[0]?.timestamp ?? 0
    end = Math.max(end, (samples.at(-1)?.timestamp ?? start) - start)
    return arm.failure.map(({ rule, failed, timestamp }) => [
      ruleWords(rule, pair),
      arm.armId,
      arm.flowModel,
      failed && timestamp !== null ? timestamp - start : null,
      failed ? 1_000_000 : 0,
      null,
      null,
    ])
  })
  if (rows.length === 0) return []
  // A row without a rule is the end of the history.
  rows.push(['', '', '', end, null, null, null])
  return [
    figure(
      'First breach of each risk limit in this history. A limit without a mark was not breached.',
      rows,
    ),
  ]
}

/** Times to breach on many paths, with the label of each rule. */
export function curveFigures<Rule extends { readonly passage: Passage }>(
  simulated: readonly {
    readonly armId: string
    readonly failure: { readonly rules: readonly Rule[]; readonly any: Passage | null }
  }[],
  wordsOf: (rule: Rule) => string,
): FigureData[] {
  const rows = simulated.flatMap(({ armId, failure: { rules, any } }) => {
    const all = [
      ...rules.map((rule) => ({ words: wordsOf(rule), passage: rule.passage })),
      ...(any && rules.length > 1 ? [{ words: 'any limit', passage: any }] : []),
    ]
    return all.flatMap(({ words, passage }) =>
      passage.curve.map(({ seconds, sharePips, lowPips, highPips }) => [
        words,
        armId,
        '',
        seconds,
        sharePips,
        lowPips,
        highPips,
      ]),
    )
  })
  if (rows.length === 0) return []
  const description =
    'Share of paths with a breach up to that time. Areas are Wilson 95 % intervals.'
  return [figure(description, rows)]
}

type Passage = Pick<Findings['simulated'][number]['failure']['rules'][number]['passage'], 'curve'>

function figure(description: string, rows: FigureData['rows']): FigureData {
  const title = 'First breach of each risk limit'
  return { id: 'failure', kind: 'FIRST_PASSAGE', title, description, columns, rows }
}

const percent = (pips: number) => `${Number((pips / 10_000).toFixed(4))} %`

type Pair = Pick<contract.StudyReport['pair'], 'baseDecimals' | 'quoteDecimals'>

/** Text of a rule, with amounts in whole tokens. */
export function ruleWords(
  rule: contract.FailureRule,
  { quoteDecimals, baseDecimals }: Pair,
): string {
  const tokens = (atoms: string) => decimalText(BigInt(atoms), quoteDecimals)
  switch (rule.kind) {
    case 'DEPTH_BELOW':
      return `depth within ${percent(rule.bandPips)} below ${tokens(rule.minQuote)} quote for ${percent(rule.timeSharePips)} of the time`
    case 'SLIPPAGE_ABOVE':
      return `slippage of ${tokens(rule.sizeQuote)} quote (${rule.side}) above ${percent(rule.maxPips)} for ${percent(rule.timeSharePips)} of the time`
    case 'OUT_OF_RANGE':
      return `out of range for ${percent(rule.timeSharePips)} of the time`
    case 'QUOTE_BELOW':
      return `less than ${tokens(rule.minQuote)} quote left`
    case 'BASE_SHARE_ABOVE':
      return `token share above ${percent(rule.pips)} of the inventory`
    case 'LOSS_VS_HOLD':
      return `loss vs initial capital above ${percent(rule.pips)}`
    case 'DRAWDOWN':
      return `drawdown above ${percent(rule.pips)} of the capital`
    case 'PRICE_BELOW':
      return `price below ${decimalText(BigInt(rule.priceX18), 18 + quoteDecimals - baseDecimals)}`
  }
}
