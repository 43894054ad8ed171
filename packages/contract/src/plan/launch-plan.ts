import Type, { type Static } from 'typebox'
import { SourceRef, versioned } from '../envelope.ts'
import {
  annotated,
  atoms,
  type Better,
  count,
  measured,
  pips,
  priceX36,
  seconds,
  titled,
  unitless,
} from '../measures.ts'
import {
  Address,
  AtomicAmount,
  closed,
  Hash,
  Label,
  list,
  named,
  oneOf,
  orNull,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import { LaunchDemand, LaunchMechanism, launchMechanismKinds } from './launch-mechanism.ts'
import { AssetKey, TreasurySchedule } from './treasury-terms.ts'

export const launchRecipients = [
  'TEAM',
  'INVESTOR',
  'ECOSYSTEM',
  'COMMUNITY',
  'TREASURY',
  'MARKET_MAKER',
  'SALE',
  'LIQUIDITY',
] as const

const Allocation = closed({
  bucket: Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,59}$',
    description: 'Name of the allocation.',
  }),
  tokens: AtomicAmount,
  recipientClass: oneOf(
    launchRecipients,
    'Recipient class. Without a schedule the tokens circulate at launch, except for TREASURY tokens.',
  ),
  vesting: Type.Optional(TreasurySchedule),
  initialTokens: Type.Optional(AtomicAmount),
})

export const LaunchDeployment = named(
  'LaunchDeployment',
  closed(
    {
      deployer: Address,
      vesting: list(
        closed({
          bucket: Type.String({
            pattern: '^[a-z0-9][a-z0-9-]{0,59}$',
            description: 'Allocation with a schedule; the contract holds its tokens.',
          }),
          address: Address,
          codeHash: Hash,
        }),
        64,
        { description: 'Vesting contracts, with the Keccak-256 hash of their code.' },
      ),
      control: closed({ holder: Address, role: Type.Optional(Hash) }),
      pool: Type.Optional(
        closed({
          kind: oneOf(['UNISWAP_V2', 'UNISWAP_V3'], 'Kind of the pool.'),
          factory: Address,
          feePips: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 100_000,
              description: 'Fee in pips, for UNISWAP_V3 only.',
            }),
          ),
          tolerancePips: Type.Integer({
            minimum: 0,
            maximum: 500_000,
            description: 'Largest distance of the price of a pool that exists before the seed.',
          }),
          safe: Address,
          minimumToken: AtomicAmount,
          minimumQuote: AtomicAmount,
        }),
      ),
    },
    {
      description:
        "Deployment contracts and accounts on the token's chain. `deployer` sends the transactions that create the vesting contracts, or is the Safe or factory that they call. `control.holder` alone owns the token, or has `role`, after the handover. `pool.safe` pays the seed and owns the liquidity; the pool receives at least `minimumToken` and `minimumQuote`. Without `pool` the step `seed` is rejected and POOL_CLEAR_AS_PLANNED is OPEN.",
    },
  ),
)
export type LaunchDeployment = Static<typeof LaunchDeployment>

const sourceOf = (type: string, description: string) =>
  closed({ ...SourceRef.properties, resourceType: Type.Literal(type, { description }) })

export const LaunchPlanInput = named(
  'LaunchPlanInput',
  closed({
    label: Label,
    token: AssetKey,
    quote: AssetKey,
    intent: Type.Optional(sourceOf('IssuerIntent', 'Intent of the launch.')),
    capitalRequirement: Type.Optional(
      sourceOf('CapitalRequirementStudy', 'Capital study with the reference price.'),
    ),
    launchAt: Timestamp,
    totalSupply: AtomicAmount,
    allocations: list(Allocation, 64, {
      minItems: 1,
      description: 'Allocations. Their sum must equal the supply.',
    }),
    mechanism: LaunchMechanism,
    alternatives: Type.Optional(
      list(LaunchMechanism, 5, {
        description: 'Alternative mechanisms, compared on the same demand.',
      }),
    ),
    demand: Type.Optional(LaunchDemand),
    venueId: Type.Optional(RecordId),
    deployment: Type.Optional(LaunchDeployment),
    supersedes: Type.Optional(sourceOf('LaunchPlan', 'The superseded plan.')),
  }),
)
export type LaunchPlanInput = Static<typeof LaunchPlanInput>

const PriceX36 = Type.String({
  pattern: '^(0|[1-9][0-9]{0,119})$',
  description: 'Quote atoms for a token atom, times 10^36, rounded down.',
})

const inToken = (title: string, better?: Better) => atoms('/payload/request/token', title, better)
const inQuote = (title: string, better?: Better) => atoms('/payload/request/quote', title, better)

const Point = measured(
  closed({
    atSeconds: Type.Integer({ minimum: 0, description: 'Time after the sale opens, in seconds.' }),
    priceX36: PriceX36,
    sold: AtomicAmount,
    raised: AtomicAmount,
  }),
  {
    atSeconds: seconds('Time after the opening'),
    priceX36: priceX36('Price after {1/atSeconds} s'),
    sold: inToken('Tokens sold after {1/atSeconds} s'),
    raised: inQuote('Quote raised after {1/atSeconds} s', 'HIGHER'),
  },
)

const Outcome = measured(
  closed({
    sold: AtomicAmount,
    raised: AtomicAmount,
    unsold: orNull(AtomicAmount),
    averagePriceX36: orNull(PriceX36),
    finalPriceX36: PriceX36,
    bids: Type.Integer({ minimum: 0, description: 'Bids of the demand.' }),
    filled: Type.Integer({ minimum: 0, description: 'Filled or partly filled bids.' }),
    isSuccessful: Type.Boolean({
      description: 'True if the minimum was reached; otherwise buyers get refunds.',
    }),
    path: list(Point, 1000),
  }),
  {
    sold: inToken('Tokens sold'),
    raised: inQuote('Quote raised', 'HIGHER'),
    unsold: inToken('Tokens unsold'),
    averagePriceX36: priceX36('Average price'),
    finalPriceX36: priceX36('Final price'),
    bids: count('Bids'),
    filled: count('Filled bids', 'HIGHER'),
  },
)

const Computed = measured(
  closed({
    kind: oneOf(launchMechanismKinds, 'Kind of the mechanism.'),
    openingPriceX36: orNull(PriceX36),
    lowestPriceX36: orNull(PriceX36),
    quiet: list(
      measured(closed({ atSeconds: Type.Integer({ minimum: 0 }), priceX36: PriceX36 }), {
        atSeconds: seconds('Time after the opening'),
        priceX36: priceX36('Price without buyers after {1/atSeconds} s'),
      }),
      1000,
      {
        description: 'Price without purchases.',
      },
    ),
    holding: list(
      measured(
        closed({
          atSeconds: Type.Integer({ minimum: 0 }),
          openingQuote: AtomicAmount,
        }),
        {
          atSeconds: seconds('Time after the opening'),
          openingQuote: inQuote('Quote that restores the opening price after {1/atSeconds} s'),
        },
      ),
      64,
      {
        description:
          'For a bootstrapping pool: quote that buyers must pay at once, fee included, to raise the price of an idle pool to its opening price.',
      },
    ),
    seed: orNull(
      measured(
        closed({
          token: AtomicAmount,
          quote: AtomicAmount,
          sqrtPriceX96: orNull(AtomicAmount),
          bands: list(
            closed({
              tickLower: Type.Integer(),
              tickUpper: Type.Integer(),
              liquidity: AtomicAmount,
            }),
            32,
          ),
        }),
        {
          token: inToken('Tokens to seed', 'LOWER'),
          quote: inQuote('Quote to seed', 'LOWER'),
          sqrtPriceX96: unitless,
          bands: unitless,
        },
      ),
    ),
    outcome: orNull(Outcome),
    missing: orNull(
      Type.String({ maxLength: 300, description: 'Reason for a missing or partial computation.' }),
    ),
  }),
  {
    openingPriceX36: priceX36('Opening price'),
    lowestPriceX36: priceX36('Lowest price'),
  },
)

export const launchChecks = [
  'REFERENCE_PRICE',
  'SUPPLY_KNOWN',
  'SUPPLY_ON_CHAIN',
  'MECHANISM_FUNDED',
  'MECHANISM_COMPUTED',
  'INTENT_VALIDATED',
  'VENUE_OF_PAIR',
] as const

const Check = closed({
  check: oneOf(
    launchChecks,
    'REFERENCE_PRICE: a price for valuation. SUPPLY_KNOWN: the request states the supply; it is not taken from the study. SUPPLY_ON_CHAIN: the token has the planned supply at the last finalized block; INDETERMINATE without a token or a provider, and then the plan stays VALIDATED. MECHANISM_FUNDED: SALE and LIQUIDITY have the tokens that the mechanism needs. MECHANISM_COMPUTED: every mechanism was computed. INTENT_VALIDATED: the intent is VALIDATED. VENUE_OF_PAIR: the venue exists and trades the pair.',
  ),
  result: oneOf(['PASS', 'FAIL', 'INDETERMINATE'], 'INDETERMINATE: required data is missing.'),
  detail: Type.String({ maxLength: 500 }),
})

const never = (description: string) => Type.Literal(false, { description })

export const LaunchPlan = named(
  'LaunchPlan',
  measured(
    closed({
      request: LaunchPlanInput,
      computed: measured(
        closed({
          engineVersion: Type.String({ maxLength: 60 }),
          inputsHash: Hash,
          seed: orNull(Hash),
          referencePriceX36: orNull(PriceX36),
          referenceSource: orNull(
            oneOf(
              ['STUDY', 'MECHANISM'],
              'Price source: the capital study, or the lowest price of the mechanism.',
            ),
          ),
          circulatingAtLaunch: AtomicAmount,
          fdvQuote: orNull(AtomicAmount),
          floatValueQuote: orNull(AtomicAmount),
          liquidityToFloatPips: orNull(
            Type.Integer({
              minimum: 0,
              description: 'Quote of the study divided by the value of the float.',
            }),
          ),
          circulating: list(
            measured(closed({ at: Timestamp, tokens: AtomicAmount }), {
              tokens: inToken('Circulating supply at {1/at}'),
            }),
            61,
            {
              description: 'Tokens that may move, month by month for five years.',
            },
          ),
          mechanisms: list(annotated(Computed, titled('{0/kind}')), 6, {
            description: 'The mechanism, then its alternatives.',
          }),
          checks: list(Check, 16),
          limitations: list(Type.String({ maxLength: 80 }), 16),
        }),
        {
          referencePriceX36: priceX36('Reference price'),
          circulatingAtLaunch: inToken('Circulating supply at launch'),
          fdvQuote: inQuote('FDV'),
          floatValueQuote: inQuote('Value of the float'),
          liquidityToFloatPips: pips('Liquidity over the value of the float', 'HIGHER'),
        },
      ),
      executionAuthorityGranted: never('Always false: a plan grants no authority.'),
      executionPerformed: never('Always false: no transaction was sent.'),
    }),
    { request: unitless },
  ),
)
export type LaunchPlan = Static<typeof LaunchPlan>
export const LaunchPlanRecord = versioned('LaunchPlan', LaunchPlan)
