import { type CpmmState, createCpmmPair, type PairFee, UNISWAP_V2_FEE } from '../../amm/v2/state.ts'
import { MAX_SQRT_RATIO, MIN_SQRT_RATIO } from '../../amm/v3/tick-math.ts'
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

/** A fee that holds from a block on, until the next entry. */
export interface FeeStep {
  readonly fromBlock: number
  readonly feePips: number
}

/** Contents of a v3 pool file. */
export interface ClmmPoolTerms {
  readonly kind: 'UNISWAP_V3'
  /** The fee at the start. */
  readonly feePips: number
  readonly tickSpacing: number
  /** Null if a state file or an Initialize event sets the price. */
  readonly initialSqrtPriceX96: bigint | null
  readonly feeProtocol0: number
  readonly feeProtocol1: number
  /** Later fees, ascending by block. */
  readonly feeSteps: readonly FeeStep[]
}

/** Contents of a v2 pair file; absent reserves are zero. */
export interface CpmmPoolTerms {
  readonly kind: 'UNISWAP_V2'
  readonly pair: CpmmState
  readonly reservesKnown: boolean
}

/** Markets that a recording is replayed on, as a pool file may name them. */
const KNOWN_KINDS: readonly string[] = ['UNISWAP_V2', 'UNISWAP_V3', 'STABLESWAP']

/**
 * Reads a pool file: `fee` or `feeSchedule`, `tickSpacing` and `initialSqrtPriceX96` of a v3 pool,
 * or `reserve0` and `reserve1` (or `kind: "UNISWAP_V2"`) of a v2 pair.
 *
 * @param document parsed JSON
 * @throws ReplayInputError with the path of a missing or malformed field
 */
export function readPoolTerms(document: unknown, file: string): ClmmPoolTerms | CpmmPoolTerms {
  const node = asNode(file, '', document)
  refuseUnknownKind(node)
  const isPair =
    pick(node, 'kind') === 'UNISWAP_V2' ||
    (pick(node, 'reserve0') !== undefined &&
      pick(node, 'tickSpacing', 'tick_spacing') === undefined)
  if (isPair) return readPair(document, file)
  const steps = readList(node, 'feeSchedule').map((step) => ({
    fromBlock: readInteger(step, 'fromBlock'),
    feePips: readFeePips(step),
  }))
  steps.sort((a, b) => a.fromBlock - b.fromBlock)
  const first = steps[0]
  const fixed = pick(node, 'fee', 'feePips')
  if (first === undefined && fixed === undefined) {
    failJson(file, 'fee', 'the trading fee in pips, or a feeSchedule', undefined)
  }
  const protocol = readProtocolShares(node, 'protocolFee', 'feeProtocol')
  const feePips = fixed === undefined ? first!.feePips : readFeePips(node)
  return {
    kind: 'UNISWAP_V3',
    feePips,
    tickSpacing: readTickSpacing(node),
    initialSqrtPriceX96: readInitialPrice(node),
    feeProtocol0: protocol.feeProtocol0,
    feeProtocol1: protocol.feeProtocol1,
    feeSteps: fixed === undefined ? steps.slice(1) : steps,
  }
}

/** A file may leave the kind of its market out, but not name another one. @throws ReplayInputError naming the known ones */
export function refuseUnknownKind(node: JsonNode): void {
  const kind = pick(node, 'kind')
  if (kind === undefined || KNOWN_KINDS.includes(`${kind}`)) return
  failJson(node.file, `${node.path}kind`, `one of ${KNOWN_KINDS.join(', ')}`, kind)
}

/** Trading fee of a v3 pool or fork, from 0 to 999,999 pips. @throws ReplayInputError */
export function readFeePips(node: JsonNode): number {
  const feePips = readInteger(node, 'fee', 'feePips')
  if (feePips >= 0 && feePips < 1_000_000) return feePips
  return failJson(node.file, `${node.path}fee`, 'a fee in 0..999999 pips', feePips)
}

/** Tick spacing, any that the factory of v3 would enable. @throws ReplayInputError */
export function readTickSpacing(node: JsonNode): number {
  const spacing = readInteger(node, 'tickSpacing', 'tick_spacing')
  if (spacing >= 1 && spacing < 16_384) return spacing
  return failJson(node.file, `${node.path}tickSpacing`, 'a tick spacing in 1..16383', spacing)
}

function readInitialPrice(node: JsonNode): bigint | null {
  if (pick(node, 'initialSqrtPriceX96', 'sqrtPriceX96') === undefined) return null
  const price = readBigint(node, 'initialSqrtPriceX96', 'sqrtPriceX96')
  if (price >= MIN_SQRT_RATIO && price < MAX_SQRT_RATIO) return price
  const expected = 'a square-root price in the tick range'
  return failJson(node.file, `${node.path}initialSqrtPriceX96`, expected, `${price}`)
}

/**
 * Protocol shares as slot 0 stores them: share of token0 + 16 × share of token1, each 0 or 4..10.
 * Forks with ten thousandths store more than a byte. Their split affects fee growth but no price,
 * and is read as zero.
 *
 * @throws ReplayInputError for a byte that no v3 pool can have
 */
export function readProtocolShares(
  node: JsonNode,
  ...names: [string, ...string[]]
): { feeProtocol0: number; feeProtocol1: number; isOfFork: boolean } {
  const stored = pick(node, ...names) === undefined ? 0 : readInteger(node, ...names)
  if (stored > 255) return { feeProtocol0: 0, feeProtocol1: 0, isOfFork: true }
  const shares = { feeProtocol0: stored % 16, feeProtocol1: stored >> 4, isOfFork: false }
  const isShare = (share: number) => share === 0 || (share >= 4 && share <= 10)
  if (stored >= 0 && isShare(shares.feeProtocol0) && isShare(shares.feeProtocol1)) return shares
  const expected = 'share of token0 + 16 × share of token1, each 0 or 4..10'
  return failJson(node.file, `${node.path}${names[0]}`, expected, stored)
}

function readPair(document: unknown, file: string): CpmmPoolTerms {
  const node = asNode(file, '', document)
  const pair = createCpmmPair({ fee: readPairFee(node), feeTo: readFeeTo(node) })
  if (pick(node, 'reserve0') === undefined) {
    return { kind: 'UNISWAP_V2', pair, reservesKnown: false }
  }
  const reserve0 = readReserve(node, 'reserve0')
  const reserve1 = readReserve(node, 'reserve1')
  return {
    kind: 'UNISWAP_V2',
    pair: {
      ...pair,
      reserve0,
      reserve1,
      balance0: reserve0,
      balance1: reserve1,
      totalSupply: readBigintOr(node, 0n, 'totalSupply', 'total_supply'),
      kLast: readBigintOr(node, 0n, 'kLast', 'k_last'),
      price0CumulativeLast: readBigintOr(node, 0n, 'price0CumulativeLast'),
      price1CumulativeLast: readBigintOr(node, 0n, 'price1CumulativeLast'),
      blockTimestampLast: readIntegerOr(node, 0, 'blockTimestampLast'),
    },
    reservesKnown: true,
  }
}

/** Recipient of the protocol fee. `feeOn: true` enables the fee without a named recipient. */
function readFeeTo(node: JsonNode): string | null {
  const feeTo = pick(node, 'feeTo', 'fee_to')
  const isNobody = feeTo === undefined || /^0x0*$/i.test(String(feeTo))
  if (!isNobody) return String(feeTo)
  return pick(node, 'feeOn', 'fee_on') === true ? 'feeTo' : null
}

/** Trading fee of a pair as a fraction below one; 3/1000 where none is given. @throws ReplayInputError */
export function readPairFee(node: JsonNode): PairFee {
  if (pick(node, 'feeNumerator', 'fee_numer') === undefined) return UNISWAP_V2_FEE
  const numerator = readBigint(node, 'feeNumerator', 'fee_numer')
  const denominator = readBigint(node, 'feeDenominator', 'fee_denom')
  if (numerator >= 0n && numerator < denominator) return { numerator, denominator }
  const found = `${numerator}/${denominator}`
  return failJson(
    node.file,
    `${node.path}feeNumerator`,
    'a fee that is a fraction below one',
    found,
  )
}

/** A reserve, uint112. @throws ReplayInputError */
export function readReserve(node: JsonNode, ...names: [string, ...string[]]): bigint {
  const reserve = readBigint(node, ...names)
  if (reserve >= 0n && reserve < 1n << 112n) return reserve
  return failJson(node.file, `${node.path}${names[0]}`, 'a reserve below 2^112', `${reserve}`)
}
