import type { contract } from '@liquidity-os/contract'
import { decimalText } from '../../../reports/cell-text.ts'
import type { Run } from './records.ts'

/** A run with the decimals of its amounts. */
export interface DrawnRun {
  readonly run: Run
  /** Null before the report exists, or if the reader lacks permission. */
  readonly report: contract.AgentRunResult['report'] | null
  /** Reason for a denied read: the role may not review, or the proposal has a newer version. */
  readonly withheld: 'ROLE' | 'VERSION' | null
  /** Null if no protocol states the decimals; amounts are then in atoms. */
  readonly quoteDecimals: number | null
}

export type Report = contract.ResearchReport

/** The research report; null before it exists. */
export const researchOf = ({ report }: Run): Report | null =>
  report?.reportVersion === 'research-report-v1' ? report : null

export const verdictWords: Readonly<Record<Report['alternatives'][number]['verdict'], string>> = {
  SUPERIOR: 'better',
  INFERIOR: 'worse',
  INDISTINGUISHABLE: 'not significant',
  GUARDRAIL_FAILED: 'guardrail breached',
  FAILED: 'failed',
  INCOMPATIBLE: 'incompatible',
  NOT_COMPARED: 'not compared',
}

export const metricWords: Readonly<Record<contract.ResearchMetric, string>> = {
  NET_VS_HOLD: 'net P&L vs initial capital',
  NET: 'net P&L',
  FEES: 'LP fees',
  LVR: 'LVR',
  DIVERGENCE_LOSS: 'impermanent loss',
  GAS: 'gas costs',
  MAX_DRAWDOWN: 'maximum drawdown',
  TIME_IN_RANGE: 'time in range',
  DEPTH_MEDIAN: 'median depth',
}

/** A code in lower case, with spaces: `GAS_UNPRICED` becomes `gas unpriced`. */
export const wordsOf = (code: string): string => code.toLowerCase().replaceAll('_', ' ')

type Unit = Report['primary']['unit']

/** Label of the unit of a figure. */
export const unitWords = (unit: Unit, decimals: number | null): string =>
  unit === 'PIPS' ? '%' : decimals === null ? 'quote atoms' : 'quote tokens'

/** A figure of a unit with six significant digits. */
export const figureText = (value: string, unit: Unit, decimals: number | null): string =>
  decimalText(BigInt(value), unit === 'PIPS' ? 4 : (decimals ?? 0))
