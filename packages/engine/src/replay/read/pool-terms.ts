import { type CpmmState, createCpmmPair, UNISWAP_V2_FEE } from '../../amm/v2/state.ts'
import { asNode, failJson, pick, readBigint, readInteger, readList } from './json-fields.ts'

/** A fee that holds from a block on, until the next entry. */
export interface FeeStep {
  readonly fromBlock: number
  readonly feePips: number
}

/** What a pool file says about a v3 pool. */
export interface ClmmPoolTerms {
  readonly kind: 'UNISWAP_V3'
  /** The fee at the start. */
  readonly feePips: number
  readonly tickSpacing: number
  /** null when the price comes from a state file or an Initialize event. */
  readonly initialSqrtPriceX96: bigint | null
  readonly feeProtocol0: number
  readonly feeProtocol1: number
  /** Later fees, ascending by block. */
  readonly feeSteps: readonly FeeStep[]
}

/** What a pool file says about a v2 pair; reserves are zero when it names none. */
export interface CpmmPoolTerms {
  readonly kind: 'UNISWAP_V2'
  readonly pair: CpmmState
  readonly reservesKnown: boolean
}

/**
 * Reads a pool file: `fee` or `feeSchedule`, `tickSpacing` and `initialSqrtPriceX96` of a v3 pool, or
 * `reserve0` and `reserve1` (or `kind: "UNISWAP_V2"`) of a v2 pair.
 *
 * @param document parsed JSON
 * @throws ReplayInputError naming the path of what is missing or malformed
 */
export function readPoolTerms(document: unknown, file: string): ClmmPoolTerms | CpmmPoolTerms {
  const node = asNode(file, '', document)
  const isPair =
    pick(node, 'kind') === 'UNISWAP_V2' ||
    (pick(node, 'reserve0') !== undefined &&
      pick(node, 'tickSpacing', 'tick_spacing') === undefined)
  if (isPair) return readPair(document, file)
  const steps = readList(node, 'feeSchedule').map((step) => ({
    fromBlock: readInteger(step, 'fromBlock'),
    feePips: readInteger(step, 'fee', 'feePips'),
  }))
  steps.sort((a, b) => a.fromBlock - b.fromBlock)
  const first = steps[0]
  const fixed = pick(node, 'fee', 'feePips')
  if (first === undefined && fixed === undefined) {
    failJson(file, 'fee', 'the trading fee in pips, or a feeSchedule', undefined)
  }
  const protocol =
    pick(node, 'protocolFee', 'feeProtocol') === undefined
      ? 0
      : readInteger(node, 'protocolFee', 'feeProtocol')
  const feePips = fixed === undefined ? first!.feePips : readInteger(node, 'fee', 'feePips')
  return {
    kind: 'UNISWAP_V3',
    feePips,
    tickSpacing: readInteger(node, 'tickSpacing', 'tick_spacing'),
    initialSqrtPriceX96:
      pick(node, 'initialSqrtPriceX96', 'sqrtPriceX96') === undefined
        ? null
        : readBigint(node, 'initialSqrtPriceX96', 'sqrtPriceX96'),
    feeProtocol0: protocol % 16,
    feeProtocol1: protocol >> 4,
    feeSteps: fixed === undefined ? steps.slice(1) : steps,
  }
}

function readPair(document: unknown, file: string): CpmmPoolTerms {
  const node = asNode(file, '', document)
  const fee =
    pick(node, 'feeNumerator', 'fee_numer') === undefined
      ? UNISWAP_V2_FEE
      : {
          numerator: readBigint(node, 'feeNumerator', 'fee_numer'),
          denominator: readBigint(node, 'feeDenominator', 'fee_denom'),
        }
  const pair = createCpmmPair({ fee })
  if (pick(node, 'reserve0') === undefined) {
    return { kind: 'UNISWAP_V2', pair, reservesKnown: false }
  }
  const reserve0 = readBigint(node, 'reserve0')
  const reserve1 = readBigint(node, 'reserve1')
  return {
    kind: 'UNISWAP_V2',
    pair: { ...pair, reserve0, reserve1, balance0: reserve0, balance1: reserve1 },
    reservesKnown: true,
  }
}
