import Type, { type Static } from 'typebox'
import { Block, Ref, versioned } from '../envelope.ts'
import { Pair } from '../intelligence/venues.ts'
import { measured, priceX36, unitless } from '../measures.ts'
import {
  Address,
  AtomicAmount,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import { SignedAddress, SignedHash, SignedQuantity } from '../signed-scalars.ts'

/** Quote requests of issuers, signed quotes of market makers, and their verification. */

export const quoteSides = ['BUY', 'SELL'] as const
export const QuoteSide = oneOf(
  quoteSides,
  'BUY: the vault buys its base with its quote. SELL: the reverse.',
)
export const AmountKind = oneOf(
  ['EXACT_IN', 'EXACT_OUT'],
  'Amount type: input, in atoms of the sold token, or output, in atoms of the bought token.',
)

const ProviderId = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{1,62}$', examples: ['maker-desk'] })

const sharedMembers = {
  vaultId: RecordId,
  side: QuoteSide,
  amountKind: AmountKind,
  amount: AtomicAmount,
  settlementContract: Address,
  makers: Type.Optional(
    list(Address, 32, {
      minItems: 1,
      uniqueItems: true,
      description: 'Market makers allowed to respond. Default: any.',
    }),
  ),
  maximumMakerShare: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Maximum share of the input per market maker, millionths.',
    }),
  ),
} as const

export const QuoteRequestInput = named(
  'QuoteRequestInput',
  closed({
    ...sharedMembers,
    respondBy: Timestamp,
    dispatch: Type.Optional(
      list(ProviderId, 8, {
        minItems: 1,
        uniqueItems: true,
        description: 'Active QUOTE_SOURCE providers queried by a job.',
      }),
    ),
  }),
)
export type QuoteRequestInput = Static<typeof QuoteRequestInput>

/** A field of an EIP-712 type. */
const TypedField = closed({
  name: Type.String({ maxLength: 60 }),
  type: Type.String({ maxLength: 60 }),
})

export const QuoteTypedData = named(
  'QuoteTypedData',
  closed(
    {
      domain: closed({
        name: Type.Literal('Liquidity OS RFQ'),
        version: Type.Literal('1'),
        chainId: Type.Integer({ minimum: 1 }),
        verifyingContract: Address,
      }),
      primaryType: Type.Literal('Quote'),
      types: closed({ Quote: list(TypedField, 16) }),
      typeHash: Hash,
    },
    { description: "Typed data of the service's quote format that the market maker signs." },
  ),
)

export const QuoteRequest = named(
  'QuoteRequest',
  closed({
    ...sharedMembers,
    pair: Pair,
    respondBy: Timestamp,
    dispatch: list(ProviderId, 8),
    taker: Address,
    sellToken: Address,
    buyToken: Address,
    policy: Ref,
    requestHash: Hash,
    typedData: QuoteTypedData,
    executionAuthorityGranted: Type.Literal(false),
  }),
)
export type QuoteRequest = Static<typeof QuoteRequest>
export const QuoteRequestRecord = versioned('QuoteRequest', QuoteRequest)

const unixSeconds = (most: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: most, description })

export const QuoteMessage = named(
  'QuoteMessage',
  closed({
    requestHash: SignedHash,
    maker: SignedAddress,
    taker: SignedAddress,
    sellToken: SignedAddress,
    buyToken: SignedAddress,
    sellAmount: SignedQuantity,
    buyAmount: SignedQuantity,
    minimumFillSellAmount: SignedQuantity,
    validFrom: unixSeconds(9_007_199_254_740_991, 'Start of validity, Unix seconds.'),
    validUntil: unixSeconds(9_007_199_254_740_991, 'End of validity (exclusive), Unix seconds.'),
    nonce: SignedQuantity,
    firm: Type.Boolean({ description: 'False: the market maker has a last look before the fill.' }),
  }),
)
export type QuoteMessage = Static<typeof QuoteMessage>

/** A GPv2 order of a market maker; it sells the token that the vault buys. */
export const GPv2Order = named(
  'GPv2Order',
  closed({
    sellToken: SignedAddress,
    buyToken: SignedAddress,
    receiver: SignedAddress,
    sellAmount: SignedQuantity,
    buyAmount: SignedQuantity,
    validTo: unixSeconds(4_294_967_295, 'Last second for a fill, Unix seconds.'),
    appData: SignedHash,
    feeAmount: SignedQuantity,
    kind: oneOf(['sell', 'buy'], 'Exact amount of the order: sell or buy.'),
    partiallyFillable: Type.Boolean(),
    sellTokenBalance: Type.Literal('erc20'),
    buyTokenBalance: Type.Literal('erc20'),
  }),
)
export type GPv2Order = Static<typeof GPv2Order>

const Signature = Type.String({
  pattern: '^0x([0-9a-f]{2}){1,4096}$',
  description:
    "r, s and v of a key in 65 bytes, or the signature format of the market maker's contract.",
})
const MakerKind = oneOf(
  ['EOA', 'EIP1271'],
  'Signer type: a key, or a contract, which is called at a finalized block.',
)

export const SignedQuote = named(
  'SignedQuote',
  Type.Union(
    [
      closed({
        kind: Type.Literal('LIQUIDITY_RFQ'),
        message: QuoteMessage,
        signature: Signature,
        makerKind: MakerKind,
      }),
      closed({
        kind: Type.Literal('GPV2_ORDER'),
        maker: SignedAddress,
        order: GPv2Order,
        signature: Signature,
        makerKind: MakerKind,
      }),
    ],
    {
      description:
        'LIQUIDITY_RFQ is informational: checked and ranked, but no contract settles it. GPV2_ORDER is an order of GPv2Settlement with the request hash as appData: it can be settled, so its leg can be armed.',
    },
  ),
)
export type SignedQuote = Static<typeof SignedQuote>

export const quoteCheckCodes = [
  ...(['TYPED_HASH', 'SIGNATURE', 'MAKER', 'WINDOW', 'NONCE'] as const),
  ...(['AMOUNTS', 'FUNDED', 'PRICE', 'FIRM'] as const),
] as const

export const QuoteCheck = named(
  'QuoteCheck',
  closed({
    code: oneOf(quoteCheckCodes, 'Check.'),
    outcome: oneOf(
      ['PASS', 'WARN', 'FAIL', 'UNKNOWN'],
      'One FAIL excludes a quote. UNKNOWN: required data could not be read.',
    ),
    detail: Type.String({ maxLength: 500 }),
  }),
)
export type QuoteCheck = Static<typeof QuoteCheck>

export const Funded = oneOf(
  ['YES', 'NO', 'UNKNOWN'],
  'YES if balance and allowance of the market maker cover all of its live quotes here, at the block read.',
)

/** Terms of a quote for comparison, from the vault's side. */
export const quoteTerms = {
  quoteHash: Hash,
  kind: oneOf(['LIQUIDITY_RFQ', 'GPV2_ORDER'], 'Signed object type.'),
  maker: Address,
  sellAmount: AtomicAmount,
  buyAmount: AtomicAmount,
  minimumFillSellAmount: AtomicAmount,
  validFrom: Timestamp,
  validUntil: Timestamp,
  firm: Type.Boolean(),
  canArm: Type.Boolean({
    description: 'True if a contract settles it, so that its leg has a call.',
  }),
  unitPriceX36: Type.String({
    pattern: '^(0|[1-9][0-9]{0,113})$',
    description:
      'Quote atoms per base atom times 10^36, rounded against the vault: up for buys, down for sells.',
  }),
} as const

/**
 * The record does not contain the chain of its tokens. A packet therefore cannot reference an asset
 * for its amounts.
 */
export const quoteMeasures = {
  sellAmount: unitless,
  buyAmount: unitless,
  minimumFillSellAmount: unitless,
  unitPriceX36: priceX36('Price of the quote'),
}

export const ExecutionQuote = named(
  'ExecutionQuote',
  measured(
    closed({
      request: RecordId,
      vaultId: RecordId,
      ...quoteTerms,
      sellToken: Address,
      buyToken: Address,
      signed: SignedQuote,
      nonceName: Type.String({
        maxLength: 300,
        description: 'Uniqueness key of a quote: chain, contract, market maker and nonce.',
      }),
      checks: list(QuoteCheck, 16),
      funded: Funded,
      providerId: orNull(ProviderId),
      snapshot: Block,
      executionAuthorityGranted: Type.Literal(false),
    }),
    { ...quoteMeasures, signed: unitless, snapshot: unitless },
  ),
)
export type ExecutionQuote = Static<typeof ExecutionQuote>
export const ExecutionQuoteRecord = versioned('ExecutionQuote', ExecutionQuote)

export const RefusedQuote = named(
  'RefusedQuote',
  closed({
    index: Type.Integer({ minimum: 0, description: 'Place in the request.' }),
    code: oneOf(quoteCheckCodes, 'The first check that failed.'),
    detail: Type.String({ maxLength: 500 }),
  }),
)
export type RefusedQuote = Static<typeof RefusedQuote>

export const QuoteAdmission = named(
  'QuoteAdmission',
  closed({
    admitted: list(ExecutionQuoteRecord, 32),
    refused: list(RefusedQuote, 32),
    executionAuthorityGranted: Type.Literal(false),
  }),
)
export type QuoteAdmission = Static<typeof QuoteAdmission>
