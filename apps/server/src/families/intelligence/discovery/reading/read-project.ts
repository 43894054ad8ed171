import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { type Address, getAddress } from 'viem'
import type { Header } from '../../../../integrations/chain/header.ts'
import { assetKeyOf } from '../../../../market/prices/prices-of-pair.ts'
import { catalogue } from '../catalogue/catalogue.ts'
import { factOf, inOrder } from '../facts.ts'
import { readControl } from './read-control.ts'
import { readPools } from './read-pools.ts'
import { readBasics, readWords } from './read-token.ts'
import { type OpenChain, Session } from './session.ts'

export type Analysis = contract.PublicProjectAnalysis

/** Result of one token reading. All answers about the token derive from it. */
export interface ProjectReading {
  readonly analysis: Analysis
  /** True if all factories responded. */
  readonly isWhole: boolean
  readonly reference: contract.PublicLiquidityInvestigation['referenceQuote']
  /** Nodes that agree. */
  readonly providers: number
}

const disclaimer =
  'Data from the chain and a list at one block. This is not advice, a rating, or a statement about who is behind the token or if it can be traded.'

/**
 * Reads a token at one finalized block through all nodes of its chain.
 *
 * @param now milliseconds, for the age of the block that is shown
 * @returns null if the address is no token
 * @throws ChainError if code and decimals cannot be read, or the nodes disagree on them
 */
export async function readProject(
  open: OpenChain,
  head: Header,
  address: Address,
  now: number,
): Promise<ProjectReading | null> {
  const session = await Session.at(open, head)
  const basics = await readBasics(session, address)
  if (basics === null) return null
  const [words, control, pools] = await Promise.all([
    readWords(session, address),
    readControl(session, address),
    readPools(session, address),
  ])
  await session.confirm()
  const { chain, block } = session
  const assetKey = assetKeyOf(chain, address)
  const token: Analysis['token'] = {
    name: session.fact('/token/name', 'name()', words.name),
    symbol: session.fact('/token/symbol', 'symbol()', words.symbol),
    decimals: session.fact('/token/decimals', 'decimals()', basics.decimals),
    totalSupply: session.fact('/token/totalSupply', 'totalSupply()', words.totalSupply),
    codeHash: session.fact(
      '/token/codeHash',
      'eth_getCode',
      basics.codeHash,
    ) as Analysis['token']['codeHash'],
  }
  const gaps = inOrder(session.gaps).slice(0, maxGaps)
  const body = {
    state: gaps.length === 0 ? ('COMPLETED' as const) : ('PARTIAL' as const),
    assetKey,
    marketId: catalogue().byKey.get(assetKey)?.id ?? null,

    token,
    control,
    pools: pools.pools,
    listings: listingsOf(assetKey),
    blocks: [block],
    gaps,
    executionAuthorityGranted: false as const,
  }
  const title = words.name.value ?? words.symbol.value ?? address
  const analysis: Analysis = {
    ...body,
    display: {
      title,
      asOf: block.timestamp,
      disclaimer,
      freshnessSeconds: Math.max(0, Math.floor(now / 1000) - head.timestamp),
      explorerUrl:
        chain.explorer === null ? null : `${chain.explorer}/token/${getAddress(address)}`,
    },
    analysisHash: H('public-analysis/v1', body) as Analysis['analysisHash'],
  }
  const { isWhole, reference } = pools
  return { analysis, isWhole, reference, providers: session.providers }
}

/** Maximum gaps in an answer. A pool has at most five figures, so the limit is never reached. */
const maxGaps = 256

function listingsOf(assetKey: string): Analysis['listings'] {
  const { byKey, source, version, at } = catalogue()
  const listed = byKey.get(assetKey)
  if (!listed) return []
  const origin = { kind: 'CATALOGUE', provider: source, block: null, at } as const
  const value = { list: source, symbol: listed.symbol }
  return [factOf(origin, `${assetKey} of ${version}`, value)]
}
