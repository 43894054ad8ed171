import type { Scheduled } from '../../../jobs/schedules.ts'
import { limits } from '../../../limits.ts'
import { codeInWords, roundedDuration } from '../../../texts.ts'
import type { Alert } from './alert.ts'

const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

/** Alerts for scheduled subjects whose data is stale. */
export function scheduleAlerts(scheduled: Scheduled, now: number): Alert[] {
  return [
    ...overdueAlert(scheduled, now),
    ...(scheduled.task === 'FEED_PULL' ? staleFeedAlert(scheduled, now) : []),
    ...(scheduled.task === 'PROVIDER_PROBE' ? downAlert(scheduled, now) : []),
  ]
}

function alertOf(
  { subject, source }: Scheduled,
  now: number,
): Pick<Alert, 'source' | 'state' | 'subject' | 'lastSeenAt' | 'evidenceHash'> {
  return {
    source,
    state: 'OPEN',
    lastSeenAt: iso(now),
    subject: {
      pair: null,
      venueId: subject.resourceType === 'VenueProfile' ? subject.id : null,
    },
    evidenceHash: source.resourceVersion as Alert['evidenceHash'],
  }
}

/** A subject without a successful refresh for six intervals, even if no worker runs. */
function overdueAlert(scheduled: Scheduled, now: number): Alert[] {
  const { task, subject, state, lagSeconds, everySeconds } = scheduled
  if (state !== 'OVERDUE') return []
  return [
    {
      ...alertOf(scheduled, now),
      id: `SCHEDULE_OVERDUE:${task}:${subject.id}`,
      kind: 'SCHEDULE_OVERDUE',
      severity: 'WARNING',
      occurrences: 1,
      title: `${codeInWords(task)} has not succeeded for ${roundedDuration(lagSeconds)}. It should run every ${roundedDuration(everySeconds)}.`,
      openedAt: iso(now - (lagSeconds - limits.overdueIntervals * everySeconds) * 1000),
    },
  ]
}

/** Price feeds without a successful reading for three intervals, even if no attempt failed. */
function staleFeedAlert(scheduled: Scheduled, now: number): Alert[] {
  const { subject, state, lagSeconds, everySeconds, succeededAt } = scheduled
  const stale = Math.max(limits.alertStaleLeastSeconds, limits.alertStaleIntervals * everySeconds)
  if (state === 'OFF' || lagSeconds <= stale) return []
  return [
    {
      ...alertOf(scheduled, now),
      id: `FEED_STALE:${subject.id}`,
      kind: 'FEED_STALE',
      occurrences: 1,
      severity: lagSeconds > limits.alertEscalation * stale ? 'CRITICAL' : 'WARNING',
      title:
        succeededAt === null
          ? 'The prices of a provider have never been read completely.'
          : `The prices of a provider were last read completely at ${iso(succeededAt)}.`,
      openedAt: iso(now - (lagSeconds - stale) * 1000),
    },
  ]
}

/** A chain provider that fails the checks it passed at admission. */
function downAlert(scheduled: Scheduled, now: number): Alert[] {
  const { subject, state, unset } = scheduled
  const { failures, failingSince, failure } = unset
  if (state === 'OFF' || failingSince === null) return []
  return [
    {
      ...alertOf(scheduled, now),
      id: `PROVIDER_DOWN:${subject.id}`,
      kind: 'PROVIDER_DOWN',
      occurrences: failures,
      severity: failures >= limits.alertFailuresInARow ? 'CRITICAL' : 'WARNING',
      title: `A chain provider fails its probe${failure === null ? '' : ` (${failure})`}.`,
      openedAt: iso(failingSince),
    },
  ]
}
