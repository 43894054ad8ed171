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

/** What an issuer asks makers for, what they sign, and what of it was found to hold. */

export const quoteSides = ['BUY', 'SELL'] as const
export const QuoteSide = oneOf(
  quoteSides,
  'BUY: the vault buys its base with its quote. SELL: the reverse.',
)
export const AmountKind = oneOf(
  ['EXACT_IN', 'EXACT_OUT'],
  'Whether `amount` is what goes in, atoms of the token that is sold, or what comes out, of the token that is bought.',
)

const ProviderId = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{1,62}$', examples: ['maker-desk'] })

const asked = {
  vaultId: RecordId,
  side: QuoteSide,
  amountKind: AmountKind,
  amount: AtomicAmount,
  settlementContract: Address,
  makers: Type.Optional(
    list(Address, 32, {
      minItems: 1,
      uniqueItems: true,
      description: 'Who may answer; anybody, where it is left out.',
    }),
  ),
  maximumMakerShare: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Of what goes in, what one maker may take at most, millionths.',
    }),
  ),
} as const

export const QuoteRequestInput = named(
  'QuoteRequestInput',
  closed({
    ...asked,
    respondBy: Timestamp,
    dispatch: Type.Optional(
      list(ProviderId, 8, {
        minItems: 1,
        uniqueItems: true,
        description: 'Active QUOTE_SOURCE providers that are asked by a job.',
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
    { description: 'What a maker signs of a quote of our own type: the message is theirs.' },
  ),
)

export const QuoteRequest = named(
  'QuoteRequest',
  closed({
    ...asked,
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
    validFrom: unixSeconds(9_007_199_254_740_991, 'Unix seconds from which it binds.'),
    validUntil: unixSeconds(9_007_199_254_740_991, 'Unix seconds from which it binds no more.'),
    nonce: SignedQuantity,
    firm: Type.Boolean({ description: 'False: the maker looks once more before it fills.' }),
  }),
)
export type QuoteMessage = Static<typeof QuoteMessage>

/** An order of GPv2 by a maker: what it sells is what the vault buys. */
export const GPv2Order = named(
  'GPv2Order',
  closed({
    sellToken: SignedAddress,
    buyToken: SignedAddress,
    receiver: SignedAddress,
    sellAmount: SignedQuantity,
    buyAmount: SignedQuantity,
    validTo: unixSeconds(4_294_967_295, 'Unix seconds, the last in which it can be filled.'),
    appData: SignedHash,
    feeAmount: SignedQuantity,
    kind: oneOf(['sell', 'buy'], 'Which of its amounts is exact.'),
    partiallyFillable: Type.Boolean(),
    sellTokenBalance: Type.Literal('erc20'),
    buyTokenBalance: Type.Literal('erc20'),
  }),
)
export type GPv2Order = Static<typeof GPv2Order>

const Signature = Type.String({
  pattern: '^0x([0-9a-f]{2}){1,4096}$',
  description: 'r, s and v of a key in 65 bytes, or whatever the contract of the maker takes.',
})
const MakerKind = oneOf(
  ['EOA', 'EIP1271'],
  'Whose signature it is: of a key, or of a contract, which is asked at a final block.',
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
        'LIQUIDITY_RFQ informs: it is checked and ranked, and no contract settles it. GPV2_ORDER is an order of GPv2Settlement whose appData is the hash of the request: it can be settled, so a leg of it can be armed.',
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
    code: oneOf(quoteCheckCodes, 'What was checked.'),
    outcome: oneOf(
      ['PASS', 'WARN', 'FAIL', 'UNKNOWN'],
      'One FAIL keeps a quote out. UNKNOWN: what it needs could not be read.',
    ),
    detail: Type.String({ maxLength: 500 }),
  }),
)
export type QuoteCheck = Static<typeof QuoteCheck>

export const Funded = oneOf(
  ['YES', 'NO', 'UNKNOWN'],
  'Whether balance and allowance of the maker cover all of its live quotes here, at the block that was read.',
)

/** A quote as it is compared: from the side of the vault. */
export const quoteTerms = {
  quoteHash: Hash,
  kind: oneOf(['LIQUIDITY_RFQ', 'GPV2_ORDER'], 'What was signed.'),
  maker: Address,
  sellAmount: AtomicAmount,
  buyAmount: AtomicAmount,
  minimumFillSellAmount: AtomicAmount,
  validFrom: Timestamp,
  validUntil: Timestamp,
  firm: Type.Boolean(),
  canArm: Type.Boolean({
    description: 'Whether a contract settles it, so that a leg of it has a call.',
  }),
  unitPriceX36: Type.String({
    pattern: '^(0|[1-9][0-9]{0,113})$',
    description:
      'Quote atoms per base atom times 10^36, rounded against the vault: up where it buys, down where it sells.',
  }),
} as const

/** The record does not name the chain of its tokens, so that its amounts are of no asset that a pack could name. */
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
        description: 'What no other quote here may have again: chain, contract, maker and nonce.',
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
