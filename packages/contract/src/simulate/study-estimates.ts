import Type, { type Static } from 'typebox'
import { Ref } from '../envelope.ts'
import { data, operation, scoped } from '../operation.ts'
import { AtomicAmount, closed, list, named, oneOf, orNull, Pips, SignedAmount } from '../scalars.ts'
import { ArmId } from './study-spec.ts'
import { interval, orNothing } from './study-statistics.ts'

const Count = Type.Integer({ minimum: 0 })

/**
 * A mean over the paths so far. Without an interval if all values are equal, because the error is
 * then unknown.
 */
const EstimatedAmount = named(
  'EstimatedAmount',
  closed({
    mean: SignedAmount,
    standardError: AtomicAmount,
    interval: orNull(interval(SignedAmount, 'Low and high.')),
  }),
)

/** A share of the paths so far, or of their time. */
const EstimatedShare = named(
  'EstimatedShare',
  closed({
    pips: Pips,
    standardErrorPips: Pips,
    intervalPips: interval(Pips, 'Low and high.'),
  }),
)

/** Interim estimates of one arm; fields are named like those of its result. */
const EstimatedArm = named(
  'EstimatedArm',
  closed({
    armId: ArmId,
    netVsHold: EstimatedAmount,
    waterfallHolder: closed({
      net: EstimatedAmount,
      fees: EstimatedAmount,
      divergenceLoss: EstimatedAmount,
    }),
    waterfallMaker: closed({ lvr: EstimatedAmount }),
    timeInRangePips: EstimatedShare,
    failure: closed({
      any: orNothing(EstimatedShare, 'Any risk limit breach; null if the study defines no limit.'),
    }),
  }),
)

/**
 * Interim estimates of a running study. They are never part of its result or hash. A result covers
 * all paths, has more values, and its intervals are those of a single look.
 */
export const StudyEstimates = named(
  'StudyEstimates',
  closed({
    state: Type.Literal('PRELIMINARY'),
    paths: closed({ done: Count, most: Count }),
    halfWidthPips: closed(
      { asked: Count, reached: Count },
      {
        description:
          'Half width of the usual 95 % interval of the mean result vs initial capital, for the least precise arm, in pips of the capital. The study ends when it is at most the requested value, checked after each batch of 200 paths.',
      },
    ),
    levelPips: Type.Literal(950_000, {
      description:
        'Coverage of the intervals of one figure over all reads together: exact for shares, asymptotic in the number of paths for amounts, and lower early on for skewed amounts.',
    }),
    method: Type.Literal('CONFIDENCE_SEQUENCE', {
      description:
        'Type of all intervals here: valid at any number of reads, and therefore wider than the interval of the result.',
    }),
    arms: list(EstimatedArm, 16, {
      description: 'Arms in the order of the result, benchmarks last.',
    }),
  }),
)
export type StudyEstimates = Static<typeof StudyEstimates>

/** Progress of a study. */
export const StudyProgress = named(
  'StudyProgress',
  closed({
    study: Ref,
    state: oneOf(
      ['WAITING', 'PRELIMINARY', 'ENDED'],
      'WAITING: no estimates yet, or a REPLAY, which has no paths. ENDED: read the result of the study.',
    ),
    estimates: orNothing(StudyEstimates, 'Null unless PRELIMINARY.'),
  }),
)
export type StudyProgress = Static<typeof StudyProgress>

export const readStudyProgress = operation({
  id: 'readStudyProgress',
  isExtension: true,
  method: 'GET',
  path: '/studies/{id}/progress',
  tag: 'Simulate',
  family: 'Simulation studies and sharing',
  summary: 'Read interim results of a running study',
  description:
    'Interim estimates over the completed paths, with anytime-valid intervals: first over 40 paths, then over every batch of 200. The service commits them with their paths, so they survive a worker crash. The stream of job events returns the same data as `preliminary` of the job.',
  auth: scoped('studies:read'),
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [404],
  response: data(StudyProgress),
})
