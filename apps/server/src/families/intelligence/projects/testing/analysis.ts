import type { contract } from '@liquidity-os/contract'

type Analysis = contract.PublicProjectAnalysis
type Pool = contract.PublicPool
type Hash = Analysis['analysisHash']

const at = '2026-01-05T12:00:00.000Z'
const hash = `0x${'1'.repeat(64)}` as Hash
const block = { chainId: 1, number: 7, hash, timestamp: at }

/** A figure of the chain with this value. */
function fact<Value>(value: Value | null) {
  const source = { kind: 'CHAIN' as const, provider: 'node', method: 'read', answerHash: hash }
  return { value, source, block, at }
}

export const quoteKey = `eip155:1/erc20:0x${'a'.repeat(40)}`

/** A pool with these reserves; everything that it holds can be paid out. */
export function poolOf(
  address: string,
  stated: { reserveBase?: string | null; reserveQuote?: string | null; quote?: string } = {},
): Pool {
  const { reserveBase = '1000', reserveQuote = '2000', quote = quoteKey } = stated
  return {
    kind: 'UNISWAP_V2',
    address,
    factory: address,
    codeKnown: true,
    feePips: null,
    quote: { assetKey: quote, symbol: 'USD', decimals: 6 },
    heldBase: fact('1000'),
    heldQuote: fact('2000'),
    midX36: fact('2'),
    reserveBase: fact(reserveBase),
    reserveQuote: fact(reserveQuote),
  } as Pool
}

/** An analysis of a plain token, with what a test says of it. */
export function analysisOf(statement: {
  name?: string
  decimals?: number
  totalSupply?: string | null
  owner?: string
  pools?: Pool[]
  gaps?: string[]
}): Analysis {
  const { name = 'Token', decimals = 18, totalSupply = '5', owner = 'NONE', pools = [] } = statement
  const gaps = (statement.gaps ?? []).map((pointer) => ({
    code: 'CALL_FAILED' as const,
    pointer,
    detail: 'For the test.',
  }))
  const none = fact('NONE' as const)
  return {
    state: gaps.length === 0 ? 'COMPLETED' : 'PARTIAL',
    assetKey: `eip155:1/erc20:0x${'b'.repeat(40)}`,
    marketId: null,
    display: { title: name, asOf: at, freshnessSeconds: 0, disclaimer: '', explorerUrl: null },
    token: {
      name: fact(name),
      symbol: fact('TKN'),
      decimals: fact(decimals),
      totalSupply: fact(totalSupply),
      codeHash: fact(hash),
    },
    control: {
      proxy: none,
      implementation: none,
      admin: none,
      owner: fact(owner),
      ownerKind: fact(owner === 'NONE' ? ('NONE' as const) : ('EOA' as const)),
      mint: fact('ABSENT' as const),
      pause: fact('ABSENT' as const),
    },
    pools,
    listings: [],
    blocks: [block],
    gaps,
    analysisHash: hash,
    executionAuthorityGranted: false,
  } as Analysis
}
