import Type, { type Static } from 'typebox'
import { SourceRef } from '../envelope.ts'
import { closed, list, named, oneOf, orNull, RecordId, Timestamp } from '../scalars.ts'
import { IssuerIntentInput } from './issuer-intent.ts'

const success = IssuerIntentInput.properties.success.items.properties

export const measurementReasons = [
  'NO_SCORE',
  'SCORE_EXPIRED',
  'VENUES_OUTSIDE_LIMITS',
  'WINDOW_SHORTER',
  'WINDOW_LONGER',
  'SAMPLES_MISSING',
  'LAST_SAMPLE_ONLY',
  'BAND_NOT_SAMPLED',
] as const

const MeasuredSuccess = closed({
  metric: success.metric,
  movePips: success.movePips,
  comparator: success.comparator,
  value: success.value,
  windowDays: success.windowDays,
  result: oneOf(
    ['MET', 'MISSED', 'NOT_MEASURED'],
    'NOT_MEASURED: the data does not show it, and `reasons` say why.',
  ),
  observed: orNull(
    Type.String({
      pattern: '^(0|[1-9][0-9]{0,77})$',
      description: 'The figure, in the unit of `value`.',
    }),
  ),
  from: orNull(Timestamp),
  to: orNull(Timestamp),
  reasons: list(
    oneOf(
      measurementReasons,
      'NO_SCORE: no ACTIVE score of the pair with samples within the horizon. SCORE_EXPIRED: the ACTIVE score has expired. VENUES_OUTSIDE_LIMITS: the score covers a venue that `limits.venueAllow` or `limits.venueDeny` excludes. WINDOW_SHORTER: the samples cover fewer days than `windowDays`. WINDOW_LONGER: the score window begins before these days or before the horizon. SAMPLES_MISSING: parts of the window have no samples. LAST_SAMPLE_ONLY: value of the last sample, not of the window. BAND_NOT_SAMPLED: no depth is recorded at this move.',
    ),
    8,
  ),
})

export const IntentMeasurement = named(
  'IntentMeasurement',
  closed(
    {
      measuredAt: Timestamp,
      state: oneOf(
        ['COMPLETED', 'PARTIAL', 'ABSTAINED'],
        'PARTIAL: some data is missing. ABSTAINED: no criterion could be measured.',
      ),
      source: orNull(SourceRef),
      success: list(MeasuredSuccess, 16, { description: 'Criteria in the order of the intent.' }),
    },
    {
      description:
        'Success criteria of an intent, measured with the ACTIVE score of its pair. `from` and `to` bound the time of a figure, which is one moment for LAST_SAMPLE_ONLY.',
    },
  ),
)
export type IntentMeasurement = Static<typeof IntentMeasurement>

export const LastIntentMeasurement = named(
  'LastIntentMeasurement',
  closed({
    intentId: RecordId,
    eventId: orNull(RecordId),
    measurement: orNull(IntentMeasurement),
  }),
)
