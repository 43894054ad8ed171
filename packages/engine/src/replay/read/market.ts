import type { Market } from '../../amm/market.ts'
import { type BookLevel, type BookState, findBookFault } from '../../amm/order-book/state.ts'
import {
  findStableFault,
  type StableState,
  type StableVariant,
} from '../../amm/stableswap/state.ts'
import type { CpmmState } from '../../amm/v2/state.ts'
import type { ClmmState } from '../../amm/v3/state.ts'
import type { Rat } from '../../arithmetic/integer.ts'
import { readClmmState } from './clmm-state.ts'
import {
  asNode,
  failJson,
  type JsonNode,
  pick,
  readBigint,
  readBigintOr,
  readInteger,
  readIntegerOr,
  readList,
} from './json-fields.ts'
import { readReserve } from './pool-terms.ts'

const KINDS = 'UNISWAP_V2, UNISWAP_V3, STABLESWAP or ORDER_BOOK'
const VARIANTS: readonly StableVariant[] = ['CLASSIC', 'A100', 'A100_TWO_COIN', 'NG']

/**
 * Reads a market from the JSON that `marketToJson` writes, with all checks. The result is a state
 * that its contract or exchange could have.
 *
 * @param document parsed JSON
 * @param file name for messages
 * @throws ReplayInputError with the path of a missing or malformed field
 */
export function readMarket(document: unknown, file: string): Market {
  const node = asNode(file, '', document)
  switch (pick(node, 'kind')) {
    case 'UNISWAP_V3':
      return readPool(document, node)
    case 'UNISWAP_V2':
      return readPair(node)
    case 'STABLESWAP':
      return readStable(node)
    case 'ORDER_BOOK':
      return readBook(node)
    default:
      return failJson(file, 'kind', KINDS, node.value.kind)
  }
}

/** The members that recordings have, by their reader; those only a full state has, here. */
function readPool(document: unknown, node: JsonNode): ClmmState {
  const { state } = readClmmState(document, node.file)
  const balance = (name: 'balance0' | 'balance1') =>
    pick(node, name) === undefined ? null : readBigint(node, name)
  const isFresh = state.sqrtPriceX96 === 0n
  return {
    ...state,
    feeProtocol0: readIntegerOr(node, 0, 'feeProtocol0'),
    feeProtocol1: readIntegerOr(node, 0, 'feeProtocol1'),
    protocolFees0: readBigintOr(node, 0n, 'protocolFees0'),
    protocolFees1: readBigintOr(node, 0n, 'protocolFees1'),
    balance0: balance('balance0'),
    balance1: balance('balance1'),
    observationCardinality: readIntegerOr(
      node,
      state.observationCardinality,
      'observationCardinality',
    ),
    observations: isFresh && readList(node, 'observations').length === 0 ? [] : state.observations,
  }
}

function readPair(node: JsonNode): CpmmState {
  const fee = asNode(node.file, 'fee.', pick(node, 'fee'))
  const [numerator, denominator] = [readBigint(fee, 'numerator'), readBigint(fee, 'denominator')]
  if (numerator < 0n || numerator >= denominator) {
    const found = `${numerator}/${denominator}`
    failJson(node.file, 'fee.denominator', 'a fee that is a fraction below one', found)
  }
  const feeTo = pick(node, 'feeTo')
  const holders = asNode(node.file, 'liquidityOf.', pick(node, 'liquidityOf') ?? {})
  const liquidityOf = Object.fromEntries(
    Object.keys(holders.value).map((holder) => [holder, readBigint(holders, holder)]),
  )
  return {
    kind: 'UNISWAP_V2',
    fee: { numerator, denominator },
    protocolShare: readRatio(node, 'protocolShare'),
    feeTo: feeTo === undefined ? null : String(feeTo),
    blockTimestamp: readIntegerOr(node, 0, 'blockTimestamp'),
    reserve0: readReserve(node, 'reserve0'),
    reserve1: readReserve(node, 'reserve1'),
    balance0: readBigint(node, 'balance0'),
    balance1: readBigint(node, 'balance1'),
    blockTimestampLast: readIntegerOr(node, 0, 'blockTimestampLast'),
    price0CumulativeLast: readBigintOr(node, 0n, 'price0CumulativeLast'),
    price1CumulativeLast: readBigintOr(node, 0n, 'price1CumulativeLast'),
    kLast: readBigintOr(node, 0n, 'kLast'),
    totalSupply: readBigintOr(node, 0n, 'totalSupply'),
    liquidityOf,
  }
}

function readStable(node: JsonNode): StableState {
  const ramp = asNode(node.file, 'ramp.', pick(node, 'ramp'))
  const named = pick(node, 'variant')
  const variant = VARIANTS.find((known) => known === named)
  const state: StableState = {
    kind: 'STABLESWAP',
    variant: variant ?? failJson(node.file, 'variant', VARIANTS.join(', '), named),
    balances: readAmounts(node, 'balances'),
    adminBalances: readAmounts(node, 'adminBalances'),
    rates: readAmounts(node, 'rates'),
    ramp: {
      initialA: readBigint(ramp, 'initialA'),
      futureA: readBigint(ramp, 'futureA'),
      initialAt: readInteger(ramp, 'initialAt'),
      futureAt: readInteger(ramp, 'futureAt'),
    },
    feeX10: readBigint(node, 'feeX10'),
    adminFeeX10: readBigint(node, 'adminFeeX10'),
    offpegFeeMultiplierX10: readBigint(node, 'offpegFeeMultiplierX10'),
    totalSupply: readBigint(node, 'totalSupply'),
    blockTimestamp: readIntegerOr(node, 0, 'blockTimestamp'),
  }
  const fault = findStableFault(state)
  return fault === null ? state : failJson(node.file, 'rates', 'a valid pool', fault)
}

function readBook(node: JsonNode): BookState {
  const book: BookState = {
    kind: 'ORDER_BOOK',
    tickSize: readRatio(node, 'tickSize'),
    takerFeePips: readInteger(node, 'takerFeePips'),
    bids: readList(node, 'bids').map(readLevel),
    asks: readList(node, 'asks').map(readLevel),
  }
  const fault = findBookFault(book)
  if (fault === null) return book
  const path = fault.includes('taker fee') ? 'takerFeePips' : 'bids'
  return failJson(node.file, path, 'a valid order book', fault)
}

function readLevel(node: JsonNode): BookLevel {
  return { ticks: readBigint(node, 'ticks'), base: readBigint(node, 'base') }
}

function readRatio(node: JsonNode, name: string): Rat {
  const ratio = asNode(node.file, `${name}.`, pick(node, name))
  const [num, den] = [readBigint(ratio, 'num'), readBigint(ratio, 'den')]
  return den > 0n ? { num, den } : failJson(node.file, `${name}.den`, 'a positive number', `${den}`)
}

function readAmounts(node: JsonNode, name: string): readonly bigint[] {
  const list = pick(node, name)
  if (!Array.isArray(list)) return failJson(node.file, name, 'a list of amounts', list)
  const items = asNode(node.file, `${name}.`, { ...list })
  return list.map((_, index) => readBigint(items, `${index}`))
}
