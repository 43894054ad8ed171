import Type, { type Static } from 'typebox'
import { Ref } from '../envelope.ts'
import { data, operation, scoped } from '../operation.ts'
import { AtomicAmount, closed, list, named, oneOf, orNull, Pips, SignedAmount } from '../scalars.ts'
import { ArmId, flowModels, StudySpec } from './study-spec.ts'

const SignedPips = Type.Integer({ description: 'Millionths of the capital; a loss is below zero.' })
const AmountRange = closed({ low: SignedAmount, high: SignedAmount })
const PipsRange = closed({ low: SignedPips, high: SignedPips })
const Apr = orNull(PipsRange)
const MaybeSignedPips = orNull(SignedPips)
const MaybePips = orNull(Pips)

export const verdictCodes = [
  'NO_VERDICT',
  'ALL_BELOW_HODL',
  'ONE_BEST',
  'BEST_TIED',
  'NO_CLEAR_DIFFERENCE',
] as const

export const VerdictCode = oneOf(
  verdictCodes,
  'ALL_BELOW_HODL: each position lost vs HODL. ONE_BEST: one position gained and stands above all others. BEST_TIED: the highest gained, but others may equal it. NO_CLEAR_DIFFERENCE: the highest may have lost.',
)

export const VerdictSentence = Type.String({
  maxLength: 500,
  description: 'Headline of the study, vs HODL of each position’s starting inventory.',
})

export const VerdictWithheld = orNull(
  oneOf(
    ['NOT_ENDED', 'FAILED', 'ABSTAINED', 'NO_START_PRICE', 'NO_START_INVENTORY', 'NO_POSITIONS'],
    'Reason for NO_VERDICT. NO_START_INVENTORY: the result does not contain the starting inventory of a candidate that changes it.',
  ),
)

/** Reason for null annual rates; null if they are given. */
export const AnnualRatesWithheld = orNull(
  oneOf(
    ['WINDOW_BELOW_7_DAYS', 'WINDOW_UNKNOWN'],
    'Reason for null annual rates: the window is shorter than 7 days, or the record does not state it.',
  ),
)

/** Result of one candidate. Backtest: one result per flow model. Simulation: means; `flowModel` is null. */
const VerdictRun = closed({
  flowModel: orNull(oneOf(flowModels, 'Null for a simulation.')),
  netVsHodlQuote: SignedAmount,
  netVsHodlPips: SignedPips,
  vsHodlAprPips: MaybeSignedPips,
  hodlPnlQuote: SignedAmount,
  feesQuote: SignedAmount,
  feesPips: SignedPips,
  feeAprPips: MaybeSignedPips,
  ilQuote: SignedAmount,
  ilPips: SignedPips,
  inventoryEffectQuote: SignedAmount,
  inRangePips: MaybePips,
})
const { flowModel, netVsHodlPips, vsHodlAprPips, feesPips, feeAprPips, ilPips } =
  VerdictRun.properties

/** Result of one candidate as shares of the capital. */
const SharedVerdictRun = closed({
  flowModel,
  netVsHodlPips,
  vsHodlAprPips,
  feesPips,
  feeAprPips,
  ilPips,
})

const VerdictArm = named(
  'StudyVerdictArm',
  closed({
    armId: ArmId,
    label: Type.String(),
    isBenchmark: Type.Boolean({
      description: 'True if it provides no liquidity, or runs as a benchmark. Never a winner.',
    }),
    netVsHodlQuote: AmountRange,
    netVsHodlPips: PipsRange,
    vsHodlAprPips: Apr,
    hodlPnlQuote: AmountRange,
    feesQuote: AmountRange,
    feesPips: PipsRange,
    feeAprPips: Apr,
    ilQuote: AmountRange,
    ilPips: PipsRange,
    inventoryEffectQuote: AmountRange,
    costsQuote: AmountRange,
    costsPips: PipsRange,
    inRangePips: MaybePips,
    depth2MedianQuote: orNull(AtomicAmount),
    maxDrawdownPips: Type.Integer({ minimum: 0, description: 'Millionths of the capital.' }),
    runs: list(VerdictRun, 2),
  }),
)

/** Headline of a study: P&L of the candidates vs HODL of the same starting inventory. */
export const StudyVerdict = named(
  'StudyVerdict',
  closed(
    {
      study: Ref,
      code: VerdictCode,
      sentence: VerdictSentence,
      withheld: VerdictWithheld,
      windowSeconds: orNull(
        Type.Integer({
          minimum: 0,
          description: 'Length of the replay or of a path. Null if the record does not state it.',
        }),
      ),
      annualRatesWithheld: AnnualRatesWithheld,
      inventory: closed({
        base: StudySpec.properties.capital.properties.base,
        quote: StudySpec.properties.capital.properties.quote,
        valueQuote: orNull(AtomicAmount),
      }),
      hodl: orNull(
        closed(
          { pnlQuote: AmountRange, pnlPips: PipsRange },
          {
            description:
              'P&L of HODL of the starting inventories, lowest and highest over the positions. Its vs HODL, fees and impermanent loss are 0. Null without positions.',
          },
        ),
      ),
      arms: list(VerdictArm, 16, {
        description: 'Results in the order of the study result, benchmarks last.',
      }),
    },
    {
      description:
        'Amounts in quote atoms. vs HODL: net P&L less the price gain of the own starting inventory (`hodlPnlQuote`). Fees are valued at the end price; impermanent loss is below zero; costs are gas and rebalancing. `inventoryEffectQuote` is the price gain of the inventories that a strategy holds after its start, beyond that of its starting inventory; 0 for a fixed position. vs HODL is the sum of fees, impermanent loss, inventory effect, rewards and rounding, less costs. low and high: for a backtest, the range over the flow models; for a simulation, bounds of the mean at a confidence of at least 95 %. Pips refer to the capital at the start price. Annual rates are null below 7 days.',
    },
  ),
)
export type StudyVerdict = Static<typeof StudyVerdict>
export type StudyVerdictArm = StudyVerdict['arms'][number]

/** Verdict without amounts, for readers who may not see them. */
export const SharedVerdict = named(
  'SharedStudyVerdict',
  closed({
    code: VerdictCode,
    sentence: VerdictSentence,
    withheld: VerdictWithheld,
    windowSeconds: StudyVerdict.properties.windowSeconds,
    // Optional members: absent in reports signed before they existed.
    annualRatesWithheld: Type.Optional(AnnualRatesWithheld),
    arms: list(
      closed({
        armId: ArmId,
        isBenchmark: Type.Boolean(),
        netVsHodlPips: PipsRange,
        vsHodlAprPips: Apr,
        feeAprPips: Apr,
        runs: Type.Optional(list(SharedVerdictRun, 2)),
      }),
      16,
    ),
  }),
)

export const readStudyVerdict = operation({
  id: 'readStudyVerdict',
  isExtension: true,
  method: 'GET',
  path: '/studies/{id}/verdict',
  tag: 'Simulate',
  family: 'Simulation studies and sharing',
  summary: 'Read the verdict of a study',
  description:
    'Result of each candidate vs HODL of its starting inventory, computed from the sealed result. Reports and shared pages use the same sentence.',
  auth: scoped('studies:read'),
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [404],
  response: data(StudyVerdict),
})
