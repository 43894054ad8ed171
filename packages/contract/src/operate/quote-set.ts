import Type, { type Static } from 'typebox'
import { Block, Ref, SourceRef, versioned } from '../envelope.ts'
import { Pair } from '../intelligence/venues.ts'
import {
  annotated,
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
  list,
  named,
  oneOf,
  orNull,
  Pips,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import {
  AmountKind,
  Funded,
  QuoteCheck,
  QuoteSide,
  quoteMeasures,
  quoteTerms,
  RefusedQuote,
  SignedQuote,
} from './execution-quote.ts'

/** Quotes and pools at one moment: the only inputs of a plan. */

export const QuoteSetInput = named(
  'QuoteSetInput',
  closed({
    request: Ref,
    quoteHashes: Type.Optional(
      list(Hash, 32, {
        uniqueItems: true,
        description: 'Admitted quotes of the request. Default: all live quotes.',
      }),
    ),
    quotes: Type.Optional(
      list(SignedQuote, 32, {
        minItems: 1,
        description: 'Quotes that are admitted with the set, by the same checks.',
      }),
    ),
    pools: Type.Optional(
      list(Ref, 8, {
        minItems: 1,
        description: 'Validated venues of the pair, v2 or v3, each in its current version.',
      }),
    ),
  }),
)
export type QuoteSetInput = Static<typeof QuoteSetInput>

const PriceX36 = Type.String({
  pattern: '^(0|[1-9][0-9]{0,113})$',
  description: 'Quote atoms per base atom times 10^36.',
})

const SetQuote = named(
  'SetQuote',
  measured(
    closed({
      quote: Ref,
      ...quoteTerms,
      rank: Type.Integer({
        minimum: 1,
        description: 'Rank by unit price, best for the vault first.',
      }),
      funded: Funded,
      checks: list(QuoteCheck, 16, {
        description:
          'Time-dependent checks, repeated at the snapshot: WINDOW, NONCE, FUNDED, PRICE.',
      }),
      admitted: Type.Boolean({ description: 'True if no check failed.' }),
    }),
    { ...quoteMeasures, rank: count('Rank by price', 'LOWER') },
  ),
)

const SetPool = named(
  'SetPool',
  measured(
    closed({
      venue: Ref,
      kind: oneOf(['UNISWAP_V2', 'UNISWAP_V3'], 'Pool type.'),
      address: Address,
      feePips: Pips,
      midX36: PriceX36,
      adapterId: orNull(Type.String({ maxLength: 80 })),
      router: orNull(Address),
      stateHash: Hash,
      stateArtifact: Type.String({
        maxLength: 80,
        description: 'Content hash of its whole state at the snapshot, as an artifact.',
      }),
    }),
    { feePips: pips('Fee', 'LOWER'), midX36: priceX36('Mid price') },
  ),
)

export const QuoteSet = named(
  'QuoteSet',
  measured(
    closed({
      request: Ref,
      requestHash: Hash,
      vaultId: RecordId,
      pair: Pair,
      side: QuoteSide,
      amountKind: AmountKind,
      amount: AtomicAmount,
      maximumMakerShare: orNull(Pips),
      settlementContract: Address,
      relayer: orNull(Address),
      taker: Address,
      takerBalance: orNull(AtomicAmount),
      allowances: list(closed({ spender: Address, amount: AtomicAmount }), 8, {
        description: 'Allowances of the vault for the sold token, by spender of the legs.',
      }),
      contracts: list(closed({ address: Address, codeHash: Hash }), 12, {
        description:
          'Contracts that calls of legs go to, with the code that they run at the snapshot.',
      }),
      quotes: list(annotated(SetQuote, titled('Quote of {0/maker}')), 64),
      refused: list(RefusedQuote, 32),
      pools: list(annotated(SetPool, titled('Pool {0/address}')), 8),
      reference: orNull(
        measured(
          closed({
            priceX36: PriceX36,
            at: Timestamp,
            ageSeconds: Type.Integer({ minimum: 0 }),
            series: list(SourceRef, 8),
          }),
          {
            priceX36: priceX36('Reference price'),
            ageSeconds: seconds('Age of the reference price', 'LOWER'),
          },
        ),
      ),
      baseFeeWei: orNull(AtomicAmount),
      isQuoteWrappedNative: Type.Boolean({
        description: 'True if the quote is the wrapped native coin, so gas has a price.',
      }),
      setHash: Hash,
      closesAt: Timestamp,
      snapshot: Block,
      snapshotHash: Hash,
      executionAuthorityGranted: Type.Literal(false),
    }),
    {
      amount: unitless,
      maximumMakerShare: unitless,
      takerBalance: unitless,
      allowances: unitless,
      refused: unitless,
      pair: unitless,
      baseFeeWei: unitless,
      snapshot: unitless,
    },
  ),
)
export type QuoteSet = Static<typeof QuoteSet>
export const QuoteSetRecord = versioned('QuoteSet', QuoteSet)
