import type { Alert } from '../alert.ts'

/** Content about one alert. A digest contains several. */
export interface AlertNotice {
  readonly kind: 'OPEN' | 'RESOLVED'
  readonly at: string
  readonly alert: Pick<
    Alert,
    'id' | 'kind' | 'severity' | 'title' | 'openedAt' | 'subject' | 'source' | 'evidenceHash'
  >
}

/** A message to send: one row of the queue. */
export interface NewMessage {
  readonly channelId: string
  readonly alertId: string
  /** Counts the messages of one alert to one channel. */
  readonly number: number
  readonly kind: 'OPEN' | 'RESOLVED'
  readonly rank: number
  readonly notice: AlertNotice
  /** Release time of a held message; null if it is not held. */
  readonly heldUntil: number | null
}

export const noticeOf = (
  kind: AlertNotice['kind'],
  { id, severity, title, openedAt, subject, source, evidenceHash, ...rest }: AlertNotice['alert'],
  now: number,
): AlertNotice => ({
  kind,
  at: new Date(now).toISOString(),
  alert: { id, kind: rest.kind, severity, title, openedAt, subject, source, evidenceHash },
})
