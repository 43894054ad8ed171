import Type, { type Static } from 'typebox'
import { Block } from '../envelope.ts'
import { anyone, data, operation } from '../operation.ts'
import {
  Address,
  AtomicAmount,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Timestamp,
} from '../scalars.ts'
import { factOf, gaps, MarketId, PublicIdentifier, PublicQuote, TokenKey } from './public-facts.ts'

const noAuthority = Type.Literal(false, {
  description: 'Always false: reading grants no authority.',
})
const blocks = list(Block, 8, { description: 'Finalized blocks read, one per chain.' })
const NONE = Type.Literal('NONE', { description: 'Known to be absent.' })

export const poolKinds = ['UNISWAP_V2', 'UNISWAP_V3'] as const

export const PublicPool = named(
  'PublicPool',
  closed({
    kind: oneOf(poolKinds, 'Pool type of its factory.'),
    address: Address,
    factory: Address,
    codeKnown: Type.Boolean({
      description:
        'True if the code is the published build of its kind; otherwise a fork or unknown code.',
    }),
    feePips: orNull(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Null for a v2 pair, whose contract does not report it.',
      }),
    ),
    quote: PublicQuote,
    heldBase: factOf(AtomicAmount, 'Token balance of the pool by `balanceOf`.'),
    heldQuote: factOf(AtomicAmount, 'Quote balance of the pool by `balanceOf`.'),
    reserveBase: factOf(
      AtomicAmount,
      'v2: by `getReserves`. v3: amount that the active range can pay out, the smaller of balance and L·√P.',
    ),
    reserveQuote: factOf(AtomicAmount, 'Same amount for the quote asset.'),
    midX36: factOf(
      Type.String({ pattern: '^(0|[1-9][0-9]{0,79})$' }),
      'Price at the margin before fees: quote atoms per atom of the token, times 10^36, rounded down.',
    ),
  }),
)
export type PublicPool = Static<typeof PublicPool>

export const PublicProjectAnalysis = named(
  'PublicProjectAnalysis',
  closed({
    state: oneOf(
      ['COMPLETED', 'PARTIAL'],
      'PARTIAL if any gap exists. Without code and decimals the request fails.',
    ),
    assetKey: TokenKey,
    marketId: orNull(MarketId),
    display: closed(
      {
        title: Type.String({ maxLength: 200 }),
        asOf: Timestamp,
        freshnessSeconds: Type.Integer({
          minimum: 0,
          description: 'Age of the block at the read.',
        }),
        disclaimer: Type.String({ maxLength: 400 }),
        explorerUrl: orNull(
          Type.String({
            maxLength: 300,
            description: 'Null for a chain without a known explorer.',
          }),
        ),
      },
      { description: 'Display data; not part of `analysisHash`.' },
    ),
    token: closed({
      name: factOf(Type.String({ maxLength: 80 }), 'Value from the token contract, if plain text.'),
      symbol: factOf(
        Type.String({ maxLength: 16 }),
        'Value from the token contract, if plain text.',
      ),
      decimals: factOf(
        Type.Integer({ minimum: 0, maximum: 255 }),
        'Value from the token contract.',
      ),
      totalSupply: factOf(AtomicAmount, 'Total supply in atoms, from the token contract.'),
      codeHash: factOf(Hash, "Keccak-256 of the token's code."),
    }),
    control: closed(
      {
        proxy: factOf(
          oneOf(
            ['NONE', 'EIP1167', 'EIP1822', 'EIP1967', 'BEACON'],
            'Proxy type, from code and storage slots.',
          ),
          'Proxy type of the token.',
        ),
        implementation: factOf(Type.Union([Address, NONE]), 'Implementation contract.'),
        admin: factOf(Type.Union([Address, NONE]), 'The admin in the slot of EIP-1967.'),
        owner: factOf(
          Type.Union([Address, NONE]),
          'Return value of `owner()`; NONE is the zero address or a missing function.',
        ),
        ownerKind: factOf(
          oneOf(
            ['NONE', 'EOA', 'EIP7702', 'SAFE', 'CONTRACT'],
            'NONE: no owner. EOA: a key. EIP7702: a key that delegates to code. SAFE: a Safe, by its responses. CONTRACT: other code.',
          ),
          'Kind of the owner.',
        ),
        mint: factOf(
          oneOf(
            ['SELECTOR', 'ABSENT'],
            'SELECTOR: the running code compares with one of the selectors.',
          ),
          'Presence of a `mint` function with a common signature in the code: an indication, no proof of access.',
        ),
        pause: factOf(
          oneOf(['SELECTOR', 'ABSENT'], 'SELECTOR: the code that runs compares with it.'),
          'Same for `pause()`.',
        ),
      },
      { description: 'Control of the token, from a quick chain read.' },
    ),
    pools: list(PublicPool, 20, {
      description:
        'Pools of known factories against the quote assets of the deployment, grouped by quote asset, reference first, deepest first in each group.',
    }),
    listings: list(
      factOf(
        closed({ list: Type.String({ maxLength: 120 }), symbol: Type.String({ maxLength: 40 }) }),
        'A list that names the token, and the listed role.',
      ),
      20,
    ),
    blocks,
    gaps,
    analysisHash: Type.Intersect([Hash], {
      description:
        'Content hash, tag `public-analysis/v1`, of all fields except `display` and itself: the same block and sources give the same hash.',
    }),
    executionAuthorityGranted: noAuthority,
  }),
)
export type PublicProjectAnalysis = Static<typeof PublicProjectAnalysis>

export const PublicProjectResolveRequest = PublicIdentifier

export const PublicLiquidityInvestigationRequest = named(
  'PublicLiquidityInvestigationRequest',
  closed({
    identifier: PublicIdentifier,
    question: oneOf(['RESERVE_SCALE'], 'Ratio of this size to the pool reserve.'),
    quoteSize: Type.String({
      pattern: '^[1-9][0-9]{0,38}$',
      description: 'Atoms of the reference quote asset of the chain, 1 to 2^128 − 1.',
      examples: ['10000000000'],
    }),
  }),
)

export const PublicLiquidityInvestigation = named(
  'PublicLiquidityInvestigation',
  closed({
    state: oneOf(
      ['COMPLETED', 'PARTIAL', 'ABSTAINED'],
      'COMPLETED: the share is known without gaps. PARTIAL: the share is known, with `gaps`. ABSTAINED: the share is unknown; see `reasons`.',
    ),
    reasons: list(
      oneOf(
        ['NO_POOL', 'NO_RESERVE', 'POOL_NOT_READ', 'SIZE_BEYOND_SCALE'],
        'NO_POOL: no factory lists a pool against the reference quote. NO_RESERVE: the deepest pool has zero reserve in range. POOL_NOT_READ: pools exist, or may exist, but could not be read. SIZE_BEYOND_SCALE: the share exceeds the digits of a JSON integer.',
      ),
      4,
    ),
    assetKey: TokenKey,
    referenceQuote: PublicQuote,
    pool: orNull(
      closed({
        kind: oneOf(poolKinds, 'Kind of the deepest pool against the reference quote.'),
        address: Address,
        feePips: orNull(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
      }),
    ),
    reserves: orNull(
      closed({
        base: factOf(AtomicAmount, 'Atoms of the token.'),
        quote: factOf(AtomicAmount, 'Atoms of the reference quote.'),
        basis: oneOf(
          ['HELD', 'IN_RANGE'],
          'HELD: `getReserves` of a v2 pair. IN_RANGE: for a v3 pool the smaller of balance and L·√P; out-of-range liquidity does not count.',
        ),
      }),
    ),
    quoteSize: AtomicAmount,
    sharePips: orNull(
      Type.Integer({
        minimum: 1,
        maximum: 9_007_199_254_740_991,
        description:
          'Millionths of the quote reserve, ⌈size · 10^6 / reserve⌉; may exceed a million. Null when ABSTAINED, and only then.',
      }),
    ),
    confidence: orNull(
      oneOf(
        ['HIGH', 'MEDIUM', 'LOW'],
        'HIGH: a v2 pair of the published build, read alike by two providers. LOW: unknown code. MEDIUM: everything else. Null when ABSTAINED.',
      ),
    ),
    caveats: list(Type.String({ maxLength: 200 }), 8),
    statement: Type.String({ maxLength: 400 }),
    isQuote: Type.Literal(false),
    isSlippageEstimate: Type.Literal(false),
    isTradabilityClaim: Type.Literal(false),
    blocks,
    gaps,
    findingHash: Type.Intersect([Hash], {
      description: 'Content hash, tag `public-finding/v1`, of all fields except itself.',
    }),
    executionAuthorityGranted: noAuthority,
  }),
)
export type PublicLiquidityInvestigation = Static<typeof PublicLiquidityInvestigation>

const heading = { tag: 'Intelligence', family: 'Projects and public discovery' } as const
const bodyLimitBytes = 2048

export const resolvePublicProject = operation({
  id: 'resolvePublicProject',
  method: 'POST',
  path: '/public/projects/resolve',
  ...heading,
  summary: 'Resolve public project',
  description:
    'Reads token identity, control and pools at one finalized block, through the nodes of the deployment; unreadable data is listed in `gaps`. Body PublicProjectResolveRequest: JSON, at most 2 KiB, extra fields rejected. Requests for the same token within a minute share one read. Codes PUBLIC_PROJECT_INVALID_INPUT (400, 413), _BUSY (429, Retry-After), _UNAVAILABLE and _TIMEOUT (503); every error sends Cache-Control: no-store. No organization header. CORS: any origin.',
  auth: anyone,
  cacheControl: 'no-store',
  success: [200],
  statedErrors: [400, 413, 429, 503],
  bodyLimitBytes,
  body: PublicProjectResolveRequest,
  response: data(PublicProjectAnalysis),
  errors: [
    'PUBLIC_PROJECT_INVALID_INPUT',
    'PUBLIC_PROJECT_BUSY',
    'PUBLIC_PROJECT_UNAVAILABLE',
    'PUBLIC_PROJECT_TIMEOUT',
  ],
  example: {
    body: { chainId: 31337, address: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72' },
  },
})

export const investigatePublicProjectLiquidity = operation({
  id: 'investigatePublicProjectLiquidity',
  method: 'POST',
  path: '/public/projects/investigate',
  ...heading,
  summary: 'Investigate public project liquidity',
  description:
    "Compares a size of the chain's reference quote asset (default: VIRTUAL on Base) with the reserve of the token's deepest pool against it, at one finalized block. Not a quote, slippage estimate or tradability claim; the response states this. Body PublicLiquidityInvestigationRequest, at most 2 KiB. Codes PUBLIC_INVESTIGATION_INVALID_INPUT (also unsupported question or quote size), _BUSY, _UNAVAILABLE, _TIMEOUT. No organization header. CORS: any origin.",
  auth: anyone,
  cacheControl: 'no-store',
  success: [200],
  statedErrors: [400, 413, 429, 503],
  bodyLimitBytes,
  body: PublicLiquidityInvestigationRequest,
  response: data(PublicLiquidityInvestigation),
  errors: [
    'PUBLIC_INVESTIGATION_INVALID_INPUT',
    'PUBLIC_INVESTIGATION_BUSY',
    'PUBLIC_INVESTIGATION_UNAVAILABLE',
    'PUBLIC_INVESTIGATION_TIMEOUT',
  ],
  example: {
    body: {
      identifier: { chainId: 31337, address: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72' },
      question: 'RESERVE_SCALE',
      quoteSize: '10000000000',
    },
  },
})
