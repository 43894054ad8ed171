import { mutation, OperatingSystemEvent } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery, recordQueryOf } from '../family.ts'
import { data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, list, named, Reason } from '../scalars.ts'
import {
  ExecutionPlanInput,
  ExecutionPlanState,
  LegTransition,
  ProtectedExecutionPlan,
  ProtectedExecutionPlanRecord,
} from './execution-plan.ts'
import {
  ExecutionQuote,
  ExecutionQuoteRecord,
  QuoteAdmission,
  QuoteRequest,
  QuoteRequestInput,
  QuoteRequestRecord,
  SignedQuote,
} from './execution-quote.ts'
import { QuoteSet, QuoteSetInput, QuoteSetRecord } from './quote-set.ts'

export * from './execution-plan.ts'
export * from './execution-quote.ts'
export * from './quote-set.ts'

const heading = { tag: 'Operate', family: 'Protected execution planning' } as const
const exampleHash = '0x1111111111111111111111111111111111111111111111111111111111111111'

const requestMoves = { ACTIVE: ['EXPIRED'], EXPIRED: [] } as const
const quoteMoves = { ACTIVE: ['EXPIRED'], EXPIRED: [] } as const
const setMoves = { ACTIVE: ['EXPIRED'], EXPIRED: [] } as const
const planMoves = {
  ACTIVE: ['COMPLETED', 'PARTIAL', 'EXPIRED', 'REVOKED', 'FAILED'],
  PARTIAL: [],
  COMPLETED: [],
  EXPIRED: [],
  REVOKED: [],
  FAILED: [],
} as const

const chainRefusals = [
  'LIQUIDITY_PROVIDER_UNKNOWN',
  ...chainErrors,
  ...(['LIQUIDITY_CHAIN_REORGED', 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE'] as const),
  'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
] as const

const quoteRequests = {
  path: '/quote-requests',
  ...heading,
  one: 'quote request',
  many: 'quote requests',
  record: QuoteRequestRecord,
} as const
const quotes = {
  path: '/quotes',
  ...heading,
  one: 'quote',
  many: 'admitted quotes',
  record: ExecutionQuoteRecord,
} as const
const quoteSets = {
  path: '/quote-sets',
  ...heading,
  one: 'quote set',
  record: QuoteSetRecord,
} as const
const protectedExecutionPlans = {
  path: '/protected-execution-plans',
  ...heading,
  one: 'protected execution plan',
  record: ProtectedExecutionPlanRecord,
} as const

export const listQuoteRequests = {
  ...listOperation(quoteRequests, {
    id: 'listQuoteRequests',
    summary: 'List quote requests',
    query: recordQueryOf(requestMoves, 'the vault'),
  }),
  isExtension: true,
} as const

export const getQuoteRequest = {
  ...getOperation(quoteRequests, { id: 'getQuoteRequest', summary: 'Get quote request' }),
  isExtension: true,
} as const

export const listExecutionQuotes = {
  ...listOperation(quotes, {
    id: 'listExecutionQuotes',
    summary: 'List admitted quotes',
    query: recordQueryOf(quoteMoves, 'the request'),
  }),
  isExtension: true,
} as const

export const listQuoteSets = listOperation(quoteSets, {
  id: 'listQuoteSets',
  summary: 'List quote sets',
  description: 'Lists the admitted quote sets of the organization.',
  query: recordQuery(setMoves),
})

export const admitProtectedExecutionQuoteSet = operation({
  id: 'admitProtectedExecutionQuoteSet',
  method: 'POST',
  path: '/quote-sets',
  ...heading,
  summary: 'Admit protected execution quote set',
  description:
    'Freezes live quotes of a request and pool states at one finalized block, with a reference price, balances and allowances, under one hash: the complete input of a plan. Time-dependent quote checks run again. The service signs and sends no transaction.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: named('QuoteSetCreate', mutation(QuoteSetInput)),
  response: record(QuoteSetRecord),
  errors: [
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_SOURCE_VERSION_CHANGED',
    'LIQUIDITY_QUOTE_INPUT_INVALID',
    'LIQUIDITY_QUOTE_SET_EMPTY',
    'LIQUIDITY_QUOTE_NONCE_TAKEN',
    ...chainRefusals,
  ],
  example: {
    body: {
      payload: {
        request: { id: 'quote_request_example', resourceVersion: exampleHash },
        pools: [{ id: 'venue_example', resourceVersion: exampleHash }],
      },
      reason: 'Venues that can trade now',
    },
  },
})

export const getQuoteSets = getOperation(quoteSets, {
  id: 'getQuoteSets',
  summary: 'Get quote set',
})

export const createProtectedExecutionQuoteRequest = operation({
  id: 'createProtectedExecutionQuoteRequest',
  method: 'POST',
  path: '/quote-requests',
  ...heading,
  summary: 'Create protected execution quote request',
  description:
    "Opens an RFQ with firm prices for a vault with a policy of level 2 or more. Quotes are accepted until `respondBy`, 10 seconds to 24 hours from now. The response has the hash that every quote must name, and the typed data for the market makers' signatures. A job queries named sources; their quotes undergo the same checks as posted quotes.",
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: named('QuoteRequestCreate', mutation(QuoteRequestInput)),
  response: record(QuoteRequestRecord),
  errors: [
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_QUOTE_INPUT_INVALID',
    'LIQUIDITY_QUOTE_POLICY_LEVEL',
  ],
  example: {
    body: {
      payload: {
        vaultId: 'vault_example',
        side: 'SELL',
        amountKind: 'EXACT_IN',
        amount: '1000000000000000',
        respondBy: '2026-01-06T00:00:00Z',
        settlementContract: '0x9008D19f58AAbD9eD0D60971565AA8510560ab41',
      },
      reason: 'Sell part of the base token',
    },
  },
})

export const admitProtectedExecutionQuotesForRequest = operation({
  id: 'admitProtectedExecutionQuotesForRequest',
  method: 'POST',
  path: '/quote-requests/{id}/quotes',
  ...heading,
  summary: 'Admit protected execution quotes for request',
  description:
    'Admits signed quotes for one request: type, signature (of a key, or of a contract by EIP-1271), market maker, window, nonce, amounts, funds of the market maker over all of its live quotes, price vs the reference and the policy. One invalid quote does not affect the others; 422 if all are rejected. A repeated quote returns the existing record.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: named(
    'QuoteAdmissionCreate',
    closed({
      payload: closed({ quotes: list(SignedQuote, 32, { minItems: 1 }) }),
      reason: Reason,
    }),
  ),
  response: data(QuoteAdmission),
  errors: [
    'LIQUIDITY_QUOTE_INPUT_INVALID',
    'LIQUIDITY_QUOTE_REQUEST_EXPIRED',
    'LIQUIDITY_QUOTE_NONE_ADMITTED',
    'LIQUIDITY_QUOTE_NONCE_TAKEN',
    ...chainRefusals,
  ],
  example: {
    params: { id: 'quote_request_example' },
    body: {
      payload: {
        quotes: [
          {
            kind: 'LIQUIDITY_RFQ',
            makerKind: 'EOA',
            signature: `0x${'00'.repeat(65)}`,
            message: {
              requestHash: exampleHash,
              maker: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
              taker: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
              sellToken: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
              buyToken: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
              sellAmount: '1000000000',
              buyAmount: '500000000',
              minimumFillSellAmount: '1000000000',
              validFrom: 1_800_000_000,
              validUntil: 1_800_000_060,
              nonce: '1',
              firm: true,
            },
          },
        ],
      },
      reason: 'Transaction of the desk',
    },
  },
})

export const listProtectedExecutionPlans = listOperation(protectedExecutionPlans, {
  id: 'listProtectedExecutionPlans',
  summary: 'List protected execution plans',
  description: 'Lists the protected execution plans of the organization.',
  query: recordQueryOf(planMoves, 'the vault'),
})

export const prepareProtectedExecutionPlan = operation({
  id: 'prepareProtectedExecutionPlan',
  method: 'POST',
  path: '/protected-execution-plans',
  ...heading,
  summary: 'Prepare protected execution plan',
  description:
    'Smart order routing: splits the order of a quote set over its quotes and pools for the maximum output after gas, within the stricter of policy and constraints. Each leg has its minimum output, unsigned call, maximum sandwich loss, and the sixteen policy rules. The deadline is at most a day ahead. Preparation only (executionAuthorityGranted:false, executionPerformed:false).',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: named('ProtectedExecutionPlanCreate', mutation(ExecutionPlanInput)),
  response: record(ProtectedExecutionPlanRecord),
  errors: [
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_SOURCE_VERSION_CHANGED',
    'LIQUIDITY_PLAN_INPUT_INVALID',
    'LIQUIDITY_PLAN_QUOTE_SET_EXPIRED',
    'LIQUIDITY_PLAN_POLICY_EPOCH',
    'LIQUIDITY_PLAN_AMOUNT_UNFILLABLE',
    'LIQUIDITY_PLAN_POLICY_DENIED',
  ],
  example: {
    body: {
      payload: {
        quoteSet: { id: 'quote_set_example', resourceVersion: exampleHash },
        policy: { id: 'policy_example', resourceVersion: exampleHash },
        constraints: {
          maximumSlippagePips: 5000,
          maximumLegs: 4,
          deadline: '2100-01-01T00:00:00Z',
          routes: ['SIGNED_QUOTE', 'PRIVATE'],
        },
      },
      reason: 'Cheapest route within the policy',
    },
  },
})

export const getProtectedExecutionPlans = getOperation(protectedExecutionPlans, {
  id: 'getProtectedExecutionPlans',
  summary: 'Get protected execution plan',
})

export const getProtectedExecutionPlanState = operation({
  id: 'getProtectedExecutionPlanState',
  method: 'GET',
  path: '/protected-execution-plans/{id}/state',
  ...heading,
  summary: 'Get protected execution plan state',
  description:
    'State of every leg, derived only from the hash chain of its transitions: state, head of its chain, realized vs expected results, and the transitions available to the caller.',
  auth: session,
  permission: 'read',
  success: [200],
  response: data(ExecutionPlanState),
})

export const appendProtectedExecutionLegTransition = operation({
  id: 'appendProtectedExecutionLegTransition',
  method: 'POST',
  path: '/protected-execution-plans/{id}/transitions',
  ...heading,
  summary: 'Append protected execution leg transition',
  description:
    'Appends one transition of a leg as evidence; executes no transaction. Arming requires an approved packet with the exact call; submitting requires the hash of an externally sent transaction. Later transitions depend only on the chain; a caller may request one, and the service accepts it if the chain confirms it. Needs If-Match or resourceVersion, and in previousTransitionHash the `head` of the leg, which before its first transition is the artifactHash of the plan (else 412).',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  body: LegTransition,
  response: data(OperatingSystemEvent),
  errors: [
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
    'LIQUIDITY_PLAN_INPUT_INVALID',
    'LIQUIDITY_PLAN_TERMINAL',
    'LIQUIDITY_LEG_TRANSITION',
    'LIQUIDITY_LEG_NOT_APPROVED',
    'LIQUIDITY_LEG_EVIDENCE_UNAVAILABLE',
    ...chainRefusals,
  ],
  example: {
    params: { id: 'execution_plan_example' },
    body: {
      legIndex: 0,
      to: 'CANCELLED',
      previousTransitionHash: exampleHash,
      resourceVersion: exampleHash,
      reason: 'The market has moved',
    },
  },
})

const module = 'operate/protected-execution'

export const executionPlanFamily = declareFamily({
  module,
  operations: [
    listProtectedExecutionPlans,
    prepareProtectedExecutionPlan,
    getProtectedExecutionPlans,
    getProtectedExecutionPlanState,
    appendProtectedExecutionLegTransition,
  ],
  type: 'ProtectedExecutionPlan',
  prefix: 'execution_plan',
  name: 'execution plan',
  plural: 'execution plans',
  payload: ProtectedExecutionPlan,
  moves: planMoves,
  refusals: { terminal: 'LIQUIDITY_PLAN_TERMINAL' },
  events: ['plan.prepared', 'plan.leg_transitioned', 'plan.closed'],
  title: null,
  columns: [
    ...(['payload.side', 'payload.totals.sell', 'payload.totals.expectedBuy'] as const),
    ...(['payload.isArmable', 'payload.expiresAt', 'status'] as const),
  ],
  subject: 'payload.vaultId',
  ui: {
    page: 'proposals/execution',
    task: 'Execution plans',
    icon: 'shield-check',
    summary: 'Orders by leg and route, with price limits and fills.',
    empty: 'Collect quotes first, then create a plan with price limits.',
    head: ['payload.totals.expectedBuy', 'payload.totals.minimumBuy', 'payload.resultState'],
    actions: {
      prepareProtectedExecutionPlan: { label: 'Create execution plan' },
      appendProtectedExecutionLegTransition: { label: 'Record transition', when: ['ACTIVE'] },
    },
    docs: 'protected-execution',
  },
})

export const quoteRequestFamily = declareFamily({
  module,
  operations: [
    listQuoteRequests,
    createProtectedExecutionQuoteRequest,
    getQuoteRequest,
    admitProtectedExecutionQuotesForRequest,
  ],
  type: 'QuoteRequest',
  prefix: 'quote_request',
  name: 'quote request',
  plural: 'quote requests',
  payload: QuoteRequest,
  moves: requestMoves,
  events: ['quote_request.opened', 'quote_request.expired', 'quote.refused'],
  title: null,
  columns: [
    ...(['payload.side', 'payload.amount', 'payload.amountKind'] as const),
    ...(['payload.respondBy', 'status'] as const),
  ],
  subject: 'payload.vaultId',
  ui: {
    page: 'proposals/execution',
    task: 'Quote requests',
    icon: 'megaphone',
    summary: 'RFQs to market makers, with their firm quotes.',
    empty: 'Request firm quotes from market makers.',
    head: ['payload.amount', 'payload.side', 'payload.respondBy'],
    actions: {
      createProtectedExecutionQuoteRequest: { label: 'Request quotes' },
      admitProtectedExecutionQuotesForRequest: { label: 'Admit quotes', when: ['ACTIVE'] },
    },
    docs: 'protected-execution',
  },
})

export const executionQuoteFamily = declareFamily({
  module,
  operations: [listExecutionQuotes],
  type: 'ExecutionQuote',
  prefix: 'execution_quote',
  name: 'quote',
  plural: 'quotes',
  payload: ExecutionQuote,
  moves: quoteMoves,
  events: ['quote.admitted', 'quote.expired'],
  title: null,
  columns: [
    ...(['payload.kind', 'payload.maker', 'payload.sellAmount', 'payload.buyAmount'] as const),
    ...(['payload.validUntil', 'status'] as const),
  ],
  subject: 'payload.request',
})

export const quoteSetFamily = declareFamily({
  module,
  operations: [listQuoteSets, admitProtectedExecutionQuoteSet, getQuoteSets],
  type: 'QuoteSet',
  prefix: 'quote_set',
  name: 'quote set',
  plural: 'quote sets',
  payload: QuoteSet,
  moves: setMoves,
  events: ['quote_set.admitted', 'quote_set.expired'],
  title: null,
  columns: [
    ...(['payload.side', 'payload.amount', 'payload.closesAt', 'status'] as const),
    'createdAt',
  ],
  ui: {
    page: 'proposals/execution',
    task: 'Quote sets',
    icon: 'receipt',
    summary: 'Firm quotes and pool prices at one moment.',
    empty: 'Admit signed quotes to compare them with pool prices.',
    head: ['payload.amount', 'payload.closesAt', 'payload.setHash'],
    actions: { admitProtectedExecutionQuoteSet: { label: 'Create quote set' } },
    docs: 'protected-execution',
  },
})
