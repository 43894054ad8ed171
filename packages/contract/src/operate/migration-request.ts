import Type, { type Static } from 'typebox'
import { Ref } from '../envelope.ts'
import { Pair } from '../intelligence/venues.ts'
import {
  Address,
  AtomicAmount,
  closed,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  PriceX18,
  Timestamp,
} from '../scalars.ts'
import { FailureRule, StudyCosts } from '../simulate/study-models.ts'

const whole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })
const Tick = whole(-887_272, 887_272, 'Tick of a v3 pool; absent for a v2 pair.')

export const PositionRef = named(
  'PositionRef',
  closed({
    venue: Ref,
    owner: Address,
    tickLower: Type.Optional(Tick),
    tickUpper: Type.Optional(Tick),
    tokenId: Type.Optional(
      Type.String({
        pattern: '^(0|[1-9][0-9]{0,77})$',
        description:
          'Token id in the position manager; without it the owner has a direct pool position.',
      }),
    ),
  }),
)
export type PositionRef = Static<typeof PositionRef>

export const TargetPosition = named(
  'TargetPosition',
  closed({
    venue: Ref,
    tickLower: Type.Optional(Tick),
    tickUpper: Type.Optional(Tick),
    sharePips: whole(1, 1_000_000, 'Share of the moved value; all shares sum to one million.'),
  }),
)
export type TargetPosition = Static<typeof TargetPosition>

export const DepthFloor = named(
  'DepthFloor',
  closed({
    bandPips: whole(1, 999_999, 'Price band.'),
    side: oneOf(['BUY', 'SELL'], 'Side of the market.'),
    quote: AtomicAmount,
  }),
)

const MigrationConstraints = named(
  'MigrationConstraints',
  closed({
    minDepth: list(DepthFloor, 12, {
      description: 'Minimum combined depth of all venues of the plan after each step.',
    }),
    maxStepQuote: AtomicAmount,
    maxSlippagePips: Pips,
    priceBandX18: Type.Array(PriceX18, {
      minItems: 2,
      maxItems: 2,
      description: 'Lower and upper bound.',
    }),
    twapDeviationPips: Type.Optional(
      whole(
        1,
        1_000_000,
        'Maximum deviation of the price from its 30-minute average. Default: 20000.',
      ),
    ),
    minSecondsBetweenSteps: whole(
      0,
      604_800,
      'Minimum time after verification of a step, in seconds.',
    ),
    maxOutOfMarketSeconds: whole(60, 2_592_000, 'Maximum time of funds in the wallet, in seconds.'),
    deadline: Timestamp,
  }),
)

const MigrationPilot = named(
  'MigrationPilot',
  closed({
    sharePips: Type.Optional(whole(1, 999_999, 'Pilot share of every source. Default: 50000.')),
    soakSeconds: Type.Optional(
      whole(1, 2_592_000, 'Observation time of the pilot, in seconds. Default: 86400.'),
    ),
    stop: list(FailureRule, 8, {
      description: 'DEPTH_BELOW, SLIPPAGE_ABOVE, OUT_OF_RANGE and PRICE_BELOW end the plan here.',
    }),
  }),
)

export const MigrationPlanRequest = named(
  'MigrationPlanRequest',
  closed({
    schemaVersion: Type.Literal('migration-plan-v1'),
    pair: Pair,
    from: closed({ positions: list(PositionRef, 16, { minItems: 1 }), wallet: Address }),
    to: Type.Union([
      closed({ allocation: Ref }),
      closed({ positions: list(TargetPosition, 16, { minItems: 1 }) }),
    ]),
    constraints: MigrationConstraints,
    pilot: orNull(MigrationPilot),
    withoutPilot: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 500,
        description: 'Reason for no pilot; required if the pilot is null, otherwise rejected.',
      }),
    ),
    contracts: Type.Optional(
      closed(
        {
          positionManager: Type.Optional(Address),
          swapRouter: Type.Optional(Address),
          v2Router: Type.Optional(Address),
        },
        {
          description:
            'Contracts of the migration. Default: the well-known contracts of the chain.',
        },
      ),
    ),
    costs: Type.Optional(StudyCosts),
  }),
)
export type MigrationPlanRequest = Static<typeof MigrationPlanRequest>
