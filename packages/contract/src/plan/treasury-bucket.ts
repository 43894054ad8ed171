import Type, { type Static } from 'typebox'
import { SourceRef } from '../envelope.ts'
import {
  Address,
  AtomicAmount,
  BlockNumber,
  ChainId,
  closed,
  Hash,
  Label,
  list,
  named,
  oneOf,
  orNull,
  RecordId,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'
import { TransferPlace, TreasuryComputation } from './treasury-computation.ts'
import { AssetKey, TreasurySchedule, TreasuryTier } from './treasury-terms.ts'

export const treasuryPurposes = [
  ...([
    'OPERATING',
    'RUNWAY_RESERVE',
    'LIQUIDITY_PROGRAM',
    'LIQUIDITY_BACKSTOP',
    'GRANTS',
  ] as const),
  ...(['PAYROLL', 'VESTING_ESCROW', 'BUYBACK', 'INSURANCE', 'COLLATERAL', 'UNALLOCATED'] as const),
] as const

const Purpose = oneOf(treasuryPurposes, 'Purpose of the holding.')

export const chainContainerKinds = [
  ...(['EOA', 'SAFE', 'VESTING_CONTRACT', 'CONTRACT', 'MARKET_MAKER_ACCOUNT'] as const),
] as const

const ChainContainer = closed({
  kind: oneOf(
    chainContainerKinds,
    'Account kind. EOA: an account that a key controls, without code or with an EIP-7702 delegation. SAFE: a multi-signature account of Safe 1.3.0 or later. VESTING_CONTRACT, CONTRACT: any other code. MARKET_MAKER_ACCOUNT: an account of a market maker, with or without code.',
  ),
  chainId: ChainId,
  address: Address,
})

const CustodianContainer = closed({
  kind: oneOf(
    ['CUSTODIAN_ACCOUNT', 'BANK_ACCOUNT', 'MARKET_MAKER_ACCOUNT'],
    'Kind of the account. Only signed evidence shows its balance.',
  ),
  providerId: Type.String({ minLength: 1, maxLength: 80, description: 'A CUSTODIAN provider.' }),
  accountReferenceHash: Hash,
})

export const TreasuryContainer = named(
  'TreasuryContainer',
  Type.Union([ChainContainer, CustodianContainer], {
    description:
      'Location of the holding: an account of a chain, or a custodian account named by the SHA-256 of its reference.',
  }),
)
export type TreasuryContainer = Static<typeof TreasuryContainer>

export const ContainerKey = named(
  'ContainerKey',
  Type.String({
    pattern:
      '^(eip155:[1-9][0-9]{0,15}:0x[0-9a-f]{40}|custodian:[A-Za-z0-9._-]{1,80}:0x[0-9a-f]{64})$',
    description:
      'Container text: `eip155:<chain>:<address in lower case>`, or `custodian:<provider>:<hash of the reference>`.',
    examples: ['eip155:1:0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
  }),
)

const Allocation = Type.Union(
  [
    closed({ kind: Type.Literal('WHOLE', { description: 'Full balance of the container.' }) }),
    closed({
      kind: Type.Literal('FIXED', { description: "Fixed part of the container's balance." }),
      quantity: AtomicAmount,
      priority: Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Fill order: lower values first, then older entries.',
      }),
    }),
    closed({
      kind: Type.Literal('REMAINDER', {
        description: 'Remainder after the FIXED parts of the container.',
      }),
    }),
  ],
  {
    description:
      'Part of a holding in this entry. FIXED parts are filled by priority, then one REMAINDER. Default: WHOLE.',
  },
)

const Restriction = closed({
  kind: oneOf(
    ['LOCKED_UNTIL', 'VESTING', 'COLLATERAL', 'COUNTERPARTY_LOAN', 'LEGAL'],
    'Reason for the restriction.',
  ),
  quantity: AtomicAmount,
  until: Type.Optional(Timestamp),
  evidenceHash: Type.Optional(Hash),
})

export const obligationKinds = [
  ...(['VENDOR', 'PAYROLL', 'GRANT', 'LOAN', 'MARKET_MAKER_RETAINER', 'TOKEN_VESTING'] as const),
  ...(['TOKEN_WARRANT', 'LISTING', 'LP_INCENTIVE', 'TAX', 'LEGAL', 'OTHER'] as const),
] as const

const Obligation = closed({
  obligationKind: oneOf(obligationKinds, 'Kind of the obligation.'),
  counterparty: Type.String({ minLength: 1, maxLength: 120, description: 'Creditor.' }),
  reference: Type.String({
    minLength: 1,
    maxLength: 120,
    description: 'Contract, invoice or vote that creates the obligation.',
  }),
  amount: AtomicAmount,
  schedule: TreasurySchedule,
  certainty: oneOf(
    ['COMMITTED', 'EXPECTED', 'UNCERTAIN'],
    'COMMITTED: owed, with evidence. EXPECTED: probable. UNCERTAIN: possible; reported and never summed.',
  ),
})

const CallTranche = closed({
  tokens: AtomicAmount,
  strikeX36: Type.String({
    pattern: '^[1-9][0-9]{0,77}$',
    description: 'Strike price: quote atoms of the valuation per token atom, times 10^36.',
  }),
  expiresAt: Timestamp,
})

const Loan = closed({
  lentTokens: AtomicAmount,
  returnAt: Timestamp,
  callTranches: list(CallTranche, 12, {
    description: 'Token options of the market maker; their tokens sum to at most `lentTokens`.',
  }),
})

const Valuation = closed({
  quoteKey: AssetKey,
  oracleProviderId: Type.String({
    minLength: 1,
    maxLength: 80,
    description: 'A PRICE_ORACLE or MARKET_DATA provider of this organization.',
  }),
  oracleGeneration: Type.Optional(Hash),
})

const assetMembers = {
  entryKind: Type.Literal('ASSET', { description: 'Holding.' }),
  label: Label,
  asset: AssetKey,
  purpose: Purpose,
  container: TreasuryContainer,
  allocation: Type.Optional(Allocation),
  observation: Type.Optional(
    Type.Union(
      [
        closed({ mode: Type.Literal('CHAIN', { description: 'Read from the chain.' }) }),
        closed({
          mode: Type.Literal('CUSTODY_EVIDENCE', { description: 'Quantity from signed evidence.' }),
          evidence: SourceRef,
        }),
      ],
      { description: 'Source of the quantity. Default: CHAIN.' },
    ),
  ),
  assetClass: Type.Optional(
    oneOf(
      ['STABLE', 'CRYPTO_MAJOR', 'CRYPTO_OTHER'],
      'Class of the token. If no record declares the token, the entry creates one. If a record declares another class, the service rejects the entry. Coins, wrapped coins, the own token, undeclared tokens and claims are never declared here.',
    ),
  ),
  restrictions: Type.Optional(
    list(Restriction, 32, {
      description:
        'Unavailable parts. A restriction ends at its `until`. They sum to at most the quantity.',
    }),
  ),
  loan: Type.Optional(Loan),
  valuation: Type.Optional(Valuation),
}

const obligationMembers = {
  entryKind: Type.Literal('OBLIGATION', { description: 'Obligation.' }),
  label: Label,
  asset: AssetKey,
  purpose: Purpose,
  obligation: Obligation,
  valuation: Type.Optional(Valuation),
}

/** Writable entry data; quantities of holdings are observed, never entered. */
export const TreasuryBucketInput = named(
  'TreasuryBucketInput',
  Type.Union([closed(assetMembers), closed(obligationMembers)], {
    description:
      'Ledger entry: a holding with a quantity read by the service, or an obligation with a declared amount.',
  }),
)
export type TreasuryBucketInput = Static<typeof TreasuryBucketInput>

const reservationMembers = {
  entryKind: Type.Literal('RESERVATION', {
    description:
      'Part of a holding reserved for a capital study: a ledger entry without effect on the funds.',
  }),
  label: Label,
  asset: AssetKey,
  purpose: Purpose,
  source: closed({
    resourceType: Type.Literal('TreasuryBucket', { description: 'Reserved holding.' }),
    id: RecordId,
  }),
  capitalRequirement: SourceRef,
  quantity: AtomicAmount,
  expiresAt: Timestamp,
}

const RollForward = closed({
  fromBlock: BlockNumber,
  toBlock: BlockNumber,
  opening: AtomicAmount,
  inflow: AtomicAmount,
  outflow: AtomicAmount,
  logCount: Type.Integer({ minimum: 0, description: 'Transfer logs that were summed.' }),
  closing: AtomicAmount,
  residual: SignedAmount,
  residualClass: oneOf(
    ['NONE', 'REBASE_OR_FEE', 'UNEXPLAINED', 'NOT_COMPUTED'],
    'Reason for opening + inflow − outflow ≠ closing. REBASE_OR_FEE: the supply of the token moved without logs in the same blocks. NOT_COMPUTED: the native coin has no logs, or the provider refused them.',
  ),
})

const Observed = closed({
  quantity: AtomicAmount,
  containerBalance: AtomicAmount,
  proof: oneOf(
    ['MERKLE', 'READ', 'SIGNED'],
    'MERKLE: proven with the state root of the block. READ: reported by a provider. SIGNED: stated by signed evidence.',
  ),
  evidenceHash: orNull(Hash),
  legs: list(
    closed({
      asset: AssetKey,
      quantity: AtomicAmount,
      tier: Type.Optional(TreasuryTier),
    }),
    8,
    {
      description:
        'Underlying value of a claim at the block, rounded down: reserves behind shares of a v2 pair, amounts and owed fees of a v3 position, assets behind shares of a vault. Empty for other assets. Each leg has the tier of its asset. The leg of the own token is T4. For payments, the other legs count in T3 at best, because the position must be withdrawn first. Missing for claims observed before legs had tiers.',
    },
  ),
})

const Split = closed({
  unrestricted: AtomicAmount,
  restricted: AtomicAmount,
  reserved: AtomicAmount,
  shortfall: AtomicAmount,
})

const Settlement = closed({
  place: TransferPlace,
  blockNumber: BlockNumber,
  amount: AtomicAmount,
  container: ContainerKey,
  to: Address,
})

const Loaned = closed({
  tokensExpected: AtomicAmount,
  cashAtStrike: AtomicAmount,
  exercised: Type.Integer({
    minimum: 0,
    description: 'Number of tranches whose strike the price has reached.',
  }),
})

const figures = {
  containerKey: orNull(ContainerKey),
  assetClass: oneOf(
    [
      ...([
        'FIAT',
        'STABLE',
        'CRYPTO_MAJOR',
        'CRYPTO_OTHER',
        'LP_CLAIM',
        'RECEIVABLE',
        'OWN_TOKEN',
      ] as const),
    ],
    'Asset class. OWN_TOKEN: a token that a control proof, a launch plan, a passport or a TreasuryAsset of this organization names as its own token.',
  ),
  assetClassSource: oneOf(
    ['DECLARED', 'DERIVED'],
    'DECLARED: stated by the organization; DERIVED otherwise.',
  ),
  tier: TreasuryTier,
  decimals: orNull(
    Type.Integer({
      minimum: 0,
      maximum: 255,
      description: 'Decimals of the asset; null if not read.',
    }),
  ),
  observed: orNull(Observed),
  split: orNull(Split),
  total: orNull(AtomicAmount),
  settled: AtomicAmount,
  remaining: orNull(AtomicAmount),
  overdue: orNull(AtomicAmount),
  settlements: list(Settlement, 400, {
    description: 'Transfers that paid the obligation, oldest first.',
  }),
  rollForward: orNull(RollForward),
  value: orNull(closed({ quoteKey: AssetKey, amount: AtomicAmount })),
  loaned: orNull(Loaned),
  disposition: orNull(
    oneOf(
      ['PAID', 'CANCELLED', 'MOVED', 'CLOSED', 'RELEASED'],
      'Reason for the retirement; null before.',
    ),
  ),
  computation: TreasuryComputation,
}

/** A ledger entry with all observed data. */
export const TreasuryBucket = named(
  'TreasuryBucket',
  Type.Union(
    [
      closed({ ...assetMembers, ...figures }),
      closed({ ...obligationMembers, ...figures }),
      closed({ ...reservationMembers, ...figures }),
    ],
    {
      description:
        'Stored entry. `reserved` of a holding is the sum of its active reservations, up to the free quantity; the gap OVER_RESERVED gives any excess, and no reservation is reduced. For a holding `observed` = unrestricted + restricted + reserved, without rounding. For an obligation `total` is the full amount, null if it never ends; `remaining` is the unsettled amount, and `overdue` the unsettled amount due before the time of the figures. `value` is rounded down for holdings and up for obligations; null without a price.',
    },
  ),
)
export type TreasuryBucket = Static<typeof TreasuryBucket>
export type TreasuryHolding = Extract<TreasuryBucket, { entryKind: 'ASSET' }>
export type TreasuryObligation = Extract<TreasuryBucket, { entryKind: 'OBLIGATION' }>
export type TreasuryReservation = Extract<TreasuryBucket, { entryKind: 'RESERVATION' }>

/** Always rejected here: only a capital study creates reservations. */
export const ReservationInput = Type.Object(
  {
    entryKind: Type.Literal('RESERVATION', {
      description:
        'Rejected: create reservations with POST /capital-requirements/{id}/reservations.',
    }),
  },
  { additionalProperties: true },
)

/** Fields that a new observation of an entry may change. */
export const TreasuryRefresh = {
  label: Type.Optional(Label),
  purpose: Type.Optional(Purpose),
  allocation: Type.Optional(Allocation),
  restrictions: assetMembers.restrictions,
  valuation: Type.Optional(Valuation),
  settlements: Type.Optional(
    list(TransferPlace, 32, {
      description:
        'Finalized transfers of the asset from containers of this organization that paid the obligation; each transfer pays one obligation only.',
    }),
  ),
  resourceVersion: Type.Optional(Hash),
} as const

export const TreasuryRetirement = {
  disposition: oneOf(
    ['PAID', 'CANCELLED', 'MOVED', 'CLOSED', 'RELEASED'],
    'RELEASED: the reservation is released. PAID: the obligation is fully paid. CANCELLED: the obligation no longer exists. MOVED: another entry continues the holding. CLOSED: the container is empty.',
  ),
  resourceVersion: Type.Optional(Hash),
} as const
