import { durationOf } from '../../fields/numbers.ts'

/** Answer of `POST /alert-rules/preview`. Times are Unix seconds; values as in the contract. */
export interface Preview {
  readonly from: number
  readonly to: number
  readonly series: readonly (readonly [at: number, value: string | null])[]
  readonly firings: readonly { readonly from: number; readonly to: number | null }[]
  readonly current: string | null
}

/** `Would have fired 3 times in 1 d of data, 42 min in total.` */
export function firedText({ firings, series, from, to }: Preview): string {
  const known = series.filter(([, value]) => value !== null).length
  // Windows that are no multiple of 10 minutes have fewer days of data.
  const days = `${Math.round((to - from) / 86_400)} days`
  if (known === 0) return `No data in the last ${days}.`
  const seconds = Math.round((known / series.length) * (to - from))
  const span = known === series.length ? days : `${durationOf(seconds)} of data`
  if (firings.length === 0) return `Would not have fired in ${span}.`
  const fired = firings.reduce((sum, firing) => sum + ((firing.to ?? to) - firing.from), 0)
  const times = firings.length === 1 ? 'once' : `${firings.length} times`
  return `Would have fired ${times} in ${span}, ${durationOf(fired)} in total.`
}
