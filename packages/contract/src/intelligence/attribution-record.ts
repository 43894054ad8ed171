import Type, { type Static } from 'typebox'
import { Block, Evidence, Ref, versioned } from '../envelope.ts'
import {
  Address,
  AtomicAmount,
  BlockNumber,
  closed,
  EvidenceHashes,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  PriceX18,
  Reason,
  RecordId,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'
import { PriceReference } from './price-reference.ts'
import { Pair } from './venues.ts'

const SignedPips = Type.Integer({
  minimum: -1_000_000_000,
  maximum: 1_000_000_000,
  description: 'Millionths; above zero is a cost.',
})
const Code = Type.String({ maxLength: 80, examples: ['DECISION_PRICE_MISSING'] })
const Codes = list(Code, 32, { description: 'Missing data and reasons; empty if complete.' })
const LogIndex = Type.Integer({ minimum: 0, description: 'Place of the log in its block.' })

export const AttributionInput = named(
  'ExecutionAttributionInput',
  closed({
    schemaVersion: Type.Literal('execution-attribution-v1'),
    pair: Pair,
    side: oneOf(['BUY', 'SELL'], "Trader's side in the base token."),
    trader: Address,
    decision: closed({
      at: Timestamp,
      priceX18: Type.Optional(PriceX18),
      block: Type.Optional(Block),
    }),
    arrivalBlock: Type.Optional(BlockNumber),
    intended: closed({ base: AtomicAmount }),
    fills: list(closed({ txHash: Hash, venueId: Type.Optional(RecordId) }), 64, {
      minItems: 1,
      description:
        'Transactions of the order; amounts are read from the chain, never taken from here.',
    }),
    nativePriceX18: Type.Optional(PriceX18),
    receipt: Type.Optional(Ref),
    study: Type.Optional(Ref),
    reference: Type.Optional(PriceReference),
    horizonSeconds: Type.Optional(
      Type.Integer({
        minimum: 300,
        maximum: 86_400,
        default: 1800,
        description:
          'Delay after the last fill, in seconds, of the price that values the residual. Default: 1,800.',
      }),
    ),
  }),
)
export type AttributionInput = Static<typeof AttributionInput>

export const ExecutionAttributionRequest = named(
  'ExecutionAttributionRequest',
  closed({
    payload: AttributionInput,
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

/** One value per part of a shortfall. */
const partsOf = <const S extends Parameters<typeof orNull>[0]>(value: S) => ({
  delay: orNull(value),
  timing: orNull(value),
  spread: orNull(value),
  impact: orNull(value),
  fees: orNull(value),
  mev: orNull(value),
  impactPlusMev: orNull(value),
  residual: orNull(value),
  gas: orNull(value),
})

export const FillComponents = named(
  'FillComponents',
  closed(
    { ...partsOf(SignedAmount), shortfall: SignedAmount },
    {
      description:
        'Quote atoms, positive against the trader; delay + timing + spread + impact + fees + mev + residual + gas = shortfall. Null counts as zero; if impact or mev is null, impactPlusMev replaces both.',
    },
  ),
)
export const FillComponentsPips = named(
  'FillComponentsPips',
  closed({ ...partsOf(SignedPips), shortfall: SignedPips }),
)
export const OrderComponents = named(
  'OrderComponents',
  closed({ ...partsOf(SignedAmount), opportunity: orNull(SignedAmount), shortfall: SignedAmount }),
)
export const OrderComponentsPips = named(
  'OrderComponentsPips',
  closed({ ...partsOf(SignedPips), opportunity: orNull(SignedPips), shortfall: SignedPips }),
)

const FillLeg = named(
  'AttributedLeg',
  closed({
    branch: Type.Integer({ minimum: 0, description: 'Branch index of a split fill, from 0.' }),
    pool: Address,
    kind: oneOf(['UNISWAP_V2', 'UNISWAP_V3'], 'The market mathematics of the pool.'),
    feePips: Type.Integer({ minimum: 0, maximum: 999_999 }),
    venueId: orNull(RecordId),
    tokenIn: Address,
    tokenOut: Address,
    amountIn: AtomicAmount,
    amountOut: AtomicAmount,
    logIndex: LogIndex,
    preState: orNull(
      closed({
        source: oneOf(
          ['ARCHIVE', 'OBSERVATION', 'EVENT_STATE'],
          'Read at the end of the block before; taken from a proved observation; or rebuilt from the last events.',
        ),
        at: orNull(Block),
        snapshotHash: Hash,
        artifactHash: Hash,
      }),
    ),
  }),
)

const Mark = named(
  'AttributionMark',
  closed({
    seconds: Type.Integer({ minimum: 0 }),
    block: orNull(Block),
    priceX18: orNull(PriceX18),
    permanentPips: orNull(SignedPips),
    temporaryPips: orNull(SignedPips),
    // Present if the request sets a reference.
    reference: Type.Optional(
      orNull(
        closed(
          {
            at: Timestamp,
            priceX36: AtomicAmount,
            errorPips: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
            markoutPips: SignedPips,
          },
          {
            description:
              'Last reference price at or before the time, and the distance of the fill price from it, positive against the trader, in millionths of that price. Null if the reference has no price.',
          },
        ),
      ),
    ),
  }),
)

const ResidualCause = closed({
  cause: oneOf(
    [
      ...([
        'BASE_LOST_IN_TRANSFER',
        'BASE_REBATE',
        'QUOTE_LOST_IN_TRANSFER',
        'QUOTE_REBATE',
      ] as const),
      'NOT_TAKEN_FROM_POOLS',
    ],
    'Differences between wallet and pools.',
  ),
  amount: SignedAmount,
})

const Total = orNull(SignedAmount)
const FillTotals = named(
  'FillTotals',
  closed(
    {
      t0: Total,
      t1: Total,
      t2: Total,
      t3: Total,
      t4: Total,
      t5: Total,
      t6: Total,
      t7: Total,
      t8: Total,
    },
    {
      description:
        'Cumulative totals in quote atoms, signed as costs: value of the base at decision (t0), at arrival (t1), immediately before the fill without the attacker (t2), with half the spread (t3), impact (t4) and fees (t5; both null if a pool state is unknown), by the pools (t6), by the wallet (t7), with gas (t8).',
    },
  ),
)

export const AttributedFill = named(
  'AttributedFill',
  closed({
    txHash: Hash,
    outcome: oneOf(
      ['RESOLVED', 'PARTIAL', 'UNRESOLVED', 'REVERTED'],
      'PARTIAL lacks a component; UNRESOLVED lacks all components; REVERTED cost its gas.',
    ),
    reasons: Codes,
    block: Block,
    transactionIndex: Type.Integer({ minimum: 0 }),
    legs: list(FillLeg, 16),
    base: AtomicAmount,
    quote: AtomicAmount,
    wallet: orNull(closed({ base: SignedAmount, quote: SignedAmount })),
    gas: closed({
      gasUsed: AtomicAmount,
      effectiveGasPrice: AtomicAmount,
      l1Fee: AtomicAmount,
      paidBy: Address,
    }),
    arrivalPriceX18: orNull(PriceX18),
    beforePriceX18: orNull(PriceX18),
    metPriceX18: orNull(PriceX18),
    afterPriceX18: orNull(PriceX18),
    totals: orNull(FillTotals),
    components: orNull(FillComponents),
    componentsPips: orNull(FillComponentsPips),
    residualCauses: list(ResidualCause, 5),
    marks: list(Mark, 3, {
      description:
        'Mid at 60, 300 and 1,800 seconds after the block, and the reference of the request then.',
    }),
  }),
)

const SandwichSwap = closed({
  txHash: Hash,
  logIndex: LogIndex,
  sender: Address,
  amountIn: AtomicAmount,
  amountOut: AtomicAmount,
})

export const AttributedSandwich = named(
  'AttributedSandwich',
  closed(
    {
      pool: Address,
      blockNumber: BlockNumber,
      confidence: oneOf(
        ['HIGH', 'MEDIUM'],
        'HIGH: the sold amount is within 1 % of the bought amount. MEDIUM: within 5 %.',
      ),
      front: SandwichSwap,
      back: SandwichSwap,
      victims: list(
        closed({
          txHash: Hash,
          logIndex: LogIndex,
          amountIn: AtomicAmount,
          profitShare: SignedAmount,
          keptShare: Type.Optional(SignedAmount),
          isOwn: Type.Boolean({ description: 'True if the trade is a fill of this attribution.' }),
        }),
        256,
        {
          description:
            'Victims in block order; profit and retained amounts are shared pro rata to the amounts paid in.',
        },
      ),
      profitToken: Address,
      profit: SignedAmount,
      // Optional: absent in records sealed before this value existed.
      keptToken: Type.Optional(Address),
      kept: Type.Optional(SignedAmount),
      gasWei: AtomicAmount,
      profitQuote: orNull(SignedAmount),
      profitAfterGasQuote: orNull(SignedAmount),
    },
    {
      description:
        "Attacker's gain of profitToken, the starting token, and of keptToken, bought and not sold again (below zero if more was sold than bought), each in atomic units and without gas. profitQuote is both in quote atoms, base at the price before the fill; null if a remaining token is neither base nor quote.",
    },
  ),
)

export const ExecutionAttribution = named(
  'ExecutionAttribution',
  closed({
    request: AttributionInput,
    state: oneOf(['COMPLETED', 'PARTIAL', 'ABSTAINED'], 'Equal to the status of the record.'),
    reasons: Codes,
    decision: closed({
      source: orNull(
        oneOf(['CHAIN', 'DECLARED'], 'Source: read at the block, or supplied by the caller.'),
      ),
      priceX18: orNull(PriceX18),
      block: orNull(Block),
    }),
    arrival: closed({ block: orNull(Block), priceX18: orNull(PriceX18) }),
    filledBase: AtomicAmount,
    unfilledBase: AtomicAmount,
    horizon: orNull(closed({ block: Block, priceX18: orNull(PriceX18) })),
    nativePrice: orNull(
      closed({
        source: oneOf(
          ['DECLARED', 'QUOTE_IS_NATIVE', 'BASE_IS_NATIVE'],
          'Conversion of gas to quote.',
        ),
        priceX18: orNull(PriceX18),
      }),
    ),
    decided: orNull(SignedAmount),
    components: orNull(OrderComponents),
    componentsPips: orNull(OrderComponentsPips),
    // Present if the request has a reference.
    reference: Type.Optional(
      closed({ source: Type.String({ maxLength: 400, description: 'Price source.' }) }),
    ),
    fills: list(AttributedFill, 64),
    sandwiches: list(AttributedSandwich, 256),
    benchmark: orNull(
      closed({
        pool: Address,
        from: Block,
        to: Block,
        dailyVolatilityPips: Type.Integer({ minimum: 0 }),
        dailyVolumeBase: AtomicAmount,
        expectedPips: Type.Integer({ minimum: 0 }),
        actualPips: orNull(SignedPips),
        ratioPips: orNull(
          Type.Integer({
            minimum: -1_000_000_000_000,
            maximum: 1_000_000_000_000,
            description: 'Actual impact over expected; a million is one.',
          }),
        ),
      }),
    ),

    evidence: Evidence,
  }),
)
export const ExecutionAttributionRecord = versioned('ExecutionAttribution', ExecutionAttribution)
export type ExecutionAttribution = Static<typeof ExecutionAttribution>
