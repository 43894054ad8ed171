import type { HourRow } from './mandates.ts'

/** Hours in a row with the same note. */
export interface HourSpan {
  readonly from: string
  readonly to: string
  readonly note: string
}

/** Hours below the promise, newest first. */
export const breachedSpans = (hours: readonly HourRow[]): HourSpan[] =>
  joined(hours, ({ bid, ask, bidQuoted, askQuoted, counted }) => {
    const sides = [
      ...(bid === 'Breached' ? [`bids ${minutes(bidQuoted)}`] : []),
      ...(ask === 'Breached' ? [`asks ${minutes(askQuoted)}`] : []),
    ]
    return sides.length === 0
      ? null
      : `${sides.join(', ')} of ${minutes(counted)}\u00a0min as promised`
  })

/** Hours without enough data, or excluded, newest first. */
export const gapSpans = (hours: readonly HourRow[]): HourSpan[] =>
  joined(hours, ({ reason, known, counted }) =>
    reason === 'Too few samples'
      ? `${reason}: ${minutes(known)} of ${minutes(counted)}\u00a0min observed`
      : reason,
  )

const minutes = (seconds: number) => Math.floor(seconds / 60)

function joined(hours: readonly HourRow[], noteOf: (hour: HourRow) => string | null): HourSpan[] {
  const spans: HourSpan[] = []
  for (const hour of hours) {
    const note = noteOf(hour)
    if (note === null) continue
    const last = spans.at(-1)
    if (last?.to === hour.from && last.note === note) {
      spans[spans.length - 1] = { ...last, to: hour.to }
    } else {
      spans.push({ from: hour.from, to: hour.to, note })
    }
  }
  return spans.reverse()
}
