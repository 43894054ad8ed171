import type { AnomalyPayload } from '../subject.ts'

export type DrawnAnomaly = AnomalyPayload

type Unit = NonNullable<AnomalyPayload['feature']>['unit']

/** Display value in whole quote tokens or %. Only for chart positions. */
export function readable(value: string | bigint, unit: Unit, { subject }: DrawnAnomaly): number {
  return unit === 'PIPS' ? Number(value) / 10_000 : Number(value) / 10 ** subject.pair.quoteDecimals
}

export const unitWords = (unit: Unit) => (unit === 'PIPS' ? '%' : 'quote tokens')

/** A contract code in lower case: `ONE_SIDED_FLOW` becomes "one sided flow". */
export const inWords = (code: string) => code.toLowerCase().replaceAll('_', ' ')
