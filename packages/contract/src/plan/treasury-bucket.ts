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

const Purpose = oneOf(treasuryPurposes, 'What the holding is kept for.')

export const chainContainerKinds = [
  ...(['EOA', 'SAFE', 'VESTING_CONTRACT', 'CONTRACT', 'MARKET_MAKER_ACCOUNT'] as const),
] as const

const ChainContainer = closed({
  kind: oneOf(
    chainContainerKinds,
    'What the account is. EOA: of a key, without code or with a delegation of EIP-7702. SAFE: a multi-signature account of Safe 1.3.0 or later. VESTING_CONTRACT, CONTRACT: any other code. MARKET_MAKER_ACCOUNT: of a market maker, with or without code.',
  ),
  chainId: ChainId,
  address: Address,
})

const CustodianContainer = closed({
  kind: oneOf(
    ['CUSTODIAN_ACCOUNT', 'BANK_ACCOUNT', 'MARKET_MAKER_ACCOUNT'],
    'Whose account it is. What it holds is known by signed evidence only.',
  ),
  providerId: Type.String({ minLength: 1, maxLength: 80, description: 'A CUSTODIAN provider.' }),
  accountReferenceHash: Hash,
})

/** Where a holding is. */
export const TreasuryContainer = named(
  'TreasuryContainer',
  Type.Union([ChainContainer, CustodianContainer], {
    description:
      'Where the holding is: an account of a chain, or one of a custodian named by the SHA-256 of its reference.',
  }),
)
export type TreasuryContainer = Static<typeof TreasuryContainer>

export const ContainerKey = named(
  'ContainerKey',
  Type.String({
    pattern:
      '^(eip155:[1-9][0-9]{0,15}:0x[0-9a-f]{40}|custodian:[A-Za-z0-9._-]{1,80}:0x[0-9a-f]{64})$',
    description:
      'A container in words: `eip155:<chain>:<address in lower case>`, or `custodian:<provider>:<hash of the reference>`.',
    examples: ['eip155:1:0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
  }),
)

const Allocation = Type.Union(
  [
    closed({ kind: Type.Literal('WHOLE', { description: 'All that the container holds.' }) }),
    closed({
      kind: Type.Literal('FIXED', { description: 'A part of what the container holds.' }),
      quantity: AtomicAmount,
      priority: Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Lower ones are filled first; of equals the older entry.',
      }),
    }),
    closed({
      kind: Type.Literal('REMAINDER', {
        description: 'What the FIXED ones of the container leave.',
      }),
    }),
  ],
  {
    description:
      'Which part of a holding this entry is. FIXED ones are filled by priority, then one REMAINDER. WHOLE where it is left out.',
  },
)

const Restriction = closed({
  kind: oneOf(
    ['LOCKED_UNTIL', 'VESTING', 'COLLATERAL', 'COUNTERPARTY_LOAN', 'LEGAL'],
    'Why it cannot be used.',
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
  obligationKind: oneOf(obligationKinds, 'What is owed.'),
  counterparty: Type.String({ minLength: 1, maxLength: 120, description: 'Whom it is owed to.' }),
  reference: Type.String({
    minLength: 1,
    maxLength: 120,
    description: 'The contract, invoice or vote that makes it owed.',
  }),
  amount: AtomicAmount,
  schedule: TreasurySchedule,
  certainty: oneOf(
    ['COMMITTED', 'EXPECTED', 'UNCERTAIN'],
    'COMMITTED: it is owed, and evidence is named. EXPECTED: it will probably be. UNCERTAIN: it may be; told and never summed.',
  ),
})

const CallTranche = closed({
  tokens: AtomicAmount,
  strikeX36: Type.String({
    pattern: '^[1-9][0-9]{0,77}$',
    description: 'Atoms of the quote of the valuation for one atom of the token, times 10^36.',
  }),
  expiresAt: Timestamp,
})

const Loan = closed({
  lentTokens: AtomicAmount,
  returnAt: Timestamp,
  callTranches: list(CallTranche, 12, {
    description:
      'Options on the tokens that the market maker was given; their tokens sum to at most `lentTokens`.',
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
  entryKind: Type.Literal('ASSET', { description: 'Something that is held.' }),
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
          mode: Type.Literal('CUSTODY_EVIDENCE', { description: 'Said by signed evidence.' }),
          evidence: SourceRef,
        }),
      ],
      { description: 'How the quantity is known; CHAIN where it is left out.' },
    ),
  ),
  assetClass: Type.Optional(
    oneOf(
      ['STABLE', 'CRYPTO_MAJOR', 'CRYPTO_OTHER'],
      'Class of the token. If no record declares the token, the entry creates one; a record of another class refuses the entry. Coins, wrapped coins, the own token, undeclared tokens and claims are never declared here.',
    ),
  ),
  restrictions: Type.Optional(
    list(Restriction, 32, {
      description:
        'Parts that cannot be used. One whose `until` has passed restricts no more. They sum to at most the quantity.',
    }),
  ),
  loan: Type.Optional(Loan),
  valuation: Type.Optional(Valuation),
}

const obligationMembers = {
  entryKind: Type.Literal('OBLIGATION', { description: 'Something that is owed.' }),
  label: Label,
  asset: AssetKey,
  purpose: Purpose,
  obligation: Obligation,
  valuation: Type.Optional(Valuation),
}

/** What may be said of an entry; every quantity of a holding is observed and none is typed. */
export const TreasuryBucketInput = named(
  'TreasuryBucketInput',
  Type.Union([closed(assetMembers), closed(obligationMembers)], {
    description:
      'An entry of the ledger: a holding, whose quantity the service reads itself, or an obligation, whose amount is declared.',
  }),
)
export type TreasuryBucketInput = Static<typeof TreasuryBucketInput>

const reservationMembers = {
  entryKind: Type.Literal('RESERVATION', {
    description:
      'A part of a holding that is kept for what a capital study needs: a mark in the ledger, which moves and locks nothing.',
  }),
  label: Label,
  asset: AssetKey,
  purpose: Purpose,
  source: closed({
    resourceType: Type.Literal('TreasuryBucket', { description: 'The holding of which it is.' }),
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
    'Why opening + inflow − outflow is not closing. REBASE_OR_FEE: the supply of the token moved without logs in the same blocks. NOT_COMPUTED: the native coin has no logs, or the provider refused them.',
  ),
})

const Observed = closed({
  quantity: AtomicAmount,
  containerBalance: AtomicAmount,
  proof: oneOf(
    ['MERKLE', 'READ', 'SIGNED'],
    'MERKLE: shown against the state root of the block. READ: said by a provider. SIGNED: said by signed evidence.',
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
        'What a claim stands for at the block, rounded down: reserves behind shares of a v2 pair, amounts and owed fees of a v3 position, assets behind shares of a vault. None of anything else. Each leg has the tier of its asset. The leg of the own token is T4. The others count as money at best in T3, because they must leave the pool before they can pay. Claims that were observed before tiers of legs were kept lack it.',
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
    description: 'Tranches whose strike the price has reached.',
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
    'What the asset is. OWN_TOKEN: a token that a control proof, a launch plan, a passport or a TreasuryAsset of this organization names as its own.',
  ),
  assetClassSource: oneOf(['DECLARED', 'DERIVED'], 'Whether the organization said so.'),
  tier: TreasuryTier,
  decimals: orNull(
    Type.Integer({
      minimum: 0,
      maximum: 255,
      description: 'Of one unit of the asset; null where nobody was asked.',
    }),
  ),
  observed: orNull(Observed),
  split: orNull(Split),
  total: orNull(AtomicAmount),
  settled: AtomicAmount,
  remaining: orNull(AtomicAmount),
  overdue: orNull(AtomicAmount),
  settlements: list(Settlement, 400, { description: 'Transfers that paid, oldest first.' }),
  rollForward: orNull(RollForward),
  value: orNull(closed({ quoteKey: AssetKey, amount: AtomicAmount })),
  loaned: orNull(Loaned),
  disposition: orNull(
    oneOf(['PAID', 'CANCELLED', 'MOVED', 'CLOSED', 'RELEASED'], 'Why it was retired; null before.'),
  ),
  computation: TreasuryComputation,
}

/** An entry of the ledger with everything that the service observed. */
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
        'An entry as it is kept. `reserved` of a holding is what active reservations keep of it, as far as it is free; where they keep more, the gap OVER_RESERVED says by how much, and none of them is cut. Of a holding `observed` = unrestricted + restricted + reserved, rounded nowhere. Of an obligation `total` is what it comes to in all, null where it never ends; `remaining` is what is not settled of it, and `overdue` what was due before the moment of the figures and is not settled. `value` is rounded down for holdings and up for obligations; null without a price.',
    },
  ),
)
export type TreasuryBucket = Static<typeof TreasuryBucket>
export type TreasuryHolding = Extract<TreasuryBucket, { entryKind: 'ASSET' }>
export type TreasuryObligation = Extract<TreasuryBucket, { entryKind: 'OBLIGATION' }>
export type TreasuryReservation = Extract<TreasuryBucket, { entryKind: 'RESERVATION' }>

/** What is refused where entries are made: only a capital study reserves. */
export const ReservationInput = Type.Object(
  {
    entryKind: Type.Literal('RESERVATION', {
      description: 'Refused: POST /capital-requirements/{id}/reservations makes reservations.',
    }),
  },
  { additionalProperties: true },
)

/** What may be changed of an entry when it is observed again. */
export const TreasuryRefresh = {
  label: Type.Optional(Label),
  purpose: Type.Optional(Purpose),
  allocation: Type.Optional(Allocation),
  restrictions: assetMembers.restrictions,
  valuation: Type.Optional(Valuation),
  settlements: Type.Optional(
    list(TransferPlace, 32, {
      description:
        'Final transfers of the asset out of containers of this organization that paid the obligation; each pays one only.',
    }),
  ),
  resourceVersion: Type.Optional(Hash),
} as const

export const TreasuryRetirement = {
  disposition: oneOf(
    ['PAID', 'CANCELLED', 'MOVED', 'CLOSED', 'RELEASED'],
    'RELEASED: the reservation is given up. PAID: nothing remains of the obligation. CANCELLED: it is owed no more. MOVED: the holding goes on in another entry. CLOSED: the container holds nothing now.',
  ),
  resourceVersion: Type.Optional(Hash),
} as const
