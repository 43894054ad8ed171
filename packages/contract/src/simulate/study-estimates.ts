import Type, { type Static } from 'typebox'
import { Ref } from '../envelope.ts'
import { data, operation, scoped } from '../operation.ts'
import { AtomicAmount, closed, list, named, oneOf, orNull, Pips, SignedAmount } from '../scalars.ts'
import { ArmId } from './study-spec.ts'
import { interval, orNothing } from './study-statistics.ts'

const Count = Type.Integer({ minimum: 0 })

/** A mean over the paths so far; without an interval where they all agree and so do not say how far off it is. */
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

/** What the paths so far say of one arm; members are named as those of its result. */
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
      any: orNothing(EstimatedShare, 'Any of the failures; null where the study names none.'),
    }),
  }),
)

/**
 * What the paths of a study that still runs say. Never part of its result, nor of the hash of it: a result has all paths and more
 * figures, and its intervals are those of one look.
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
          'Of the usual 95 % interval of the mean net vs hold, of the arm of which least is known, pips of the capital: the study ends when what is reached is no more than what was asked for, after a batch of 200 paths.',
      },
    ),
    levelPips: Type.Literal(950_000, {
      description:
        'How often the intervals of one figure hold, all of them at all looks together: of a share always, of an amount as paths grow, and of skewed ones early on less often.',
    }),
    method: Type.Literal('CONFIDENCE_SEQUENCE', {
      description:
        'Of every interval here: it holds however often it is looked at, and is wider for it than that of the result.',
    }),
    arms: list(EstimatedArm, 16, { description: 'As in the result, benchmarks last.' }),
  }),
)
export type StudyEstimates = Static<typeof StudyEstimates>

/** How far a study has come. */
export const StudyProgress = named(
  'StudyProgress',
  closed({
    study: Ref,
    state: oneOf(
      ['WAITING', 'PRELIMINARY', 'ENDED'],
      'WAITING: nothing is known yet, or a REPLAY runs, which has no paths. ENDED: the study itself has what came out.',
    ),
    estimates: orNothing(StudyEstimates, 'Null but for PRELIMINARY.'),
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
  summary: 'Read what a study that runs knows so far',
  description:
    'Estimates over the paths that are kept so far, with intervals that hold however often they are read: first over 40 paths, then over every batch of 200. They are written with the paths that they are of, so a worker that dies takes none away. The stream of job events tells the same as `preliminary` of the job.',
  auth: scoped('studies:read'),
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [404],
  response: data(StudyProgress),
})
