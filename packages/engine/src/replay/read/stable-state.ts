import {
  findStableFault,
  rateOfDecimals,
  type StableState,
  type StableVariant,
} from '../../amm/stableswap/state.ts'
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

const VARIANTS: readonly StableVariant[] = ['CLASSIC', 'A100', 'A100_TWO_COIN', 'NG']
const AMPLIFICATION = ['a_coefficient', 'aCoefficient', 'amplification', 'A'] as const
const OFFPEG = ['offpeg_fee_multiplier', 'offpegFeeMultiplier'] as const
const INITIAL_A = ['initial_a', 'initialA'] as const
const FUTURE_A = ['future_a', 'futureA'] as const
const BLOCK_TIME = ['block_timestamp', 'blockTimestamp'] as const
const RATES = ['rates', 'stored_rates', 'storedRates'] as const
/** Fields of another pool family, whose curve moves with an internal price. */
const CRYPTO = ['gamma', 'price_scale', 'priceScale', 'mid_fee', 'midFee'] as const
/** A metapool refreshes the price of its base pool after this time. */
const BASE_CACHE_SECONDS = 600n

/**
 * Whether a document has a StableSwap pool that `readStableState` supports. It has balances and an
 * amplification. It must have no internal price scale, and no lent coins without rates.
 */
export function isStableDocument(document: unknown): boolean {
  const node = locate(document)
  if (node === null || pick(node, 'balances') === undefined) return false
  if (pick(node, ...AMPLIFICATION, ...FUTURE_A) === undefined) return false
  if (pick(node, ...CRYPTO) !== undefined) return false
  const lent = pick(node, 'use_lending', 'useLending')
  return pick(node, ...RATES) !== undefined || !(Array.isArray(lent) && lent.includes(true))
}

/**
 * Reads a StableSwap pool, with its fields at the top or under `state`, in snake_case or camelCase.
 * They are `balances`, `fee`, an amplification, and `tokens` with `decimals`, or `rates`.
 *
 * The amplification is `initial_a`, `future_a` and their times as the contract stores them, or
 * `a_coefficient` in the unit of the variant. `variant` names the build. Without it, a pool with an
 * off-peg multiplier is NG. A pool that stores a hundred times its `a_coefficient` is A100 (with
 * two coins: A100_TWO_COIN), and any other is CLASSIC.
 *
 * @param document parsed JSON
 * @throws ReplayInputError with the path of a missing or malformed field
 */
export function readStableState(document: unknown, file: string): StableState {
  const root = asNode(file, '', document)
  const inner = pick(root, 'state')
  const node = inner === undefined ? root : asNode(file, 'state.', inner)
  const balances = readAmounts(node, 'balances')
  const ramp = readRamp(node)
  const rates = readRates(node, balances.length)
  const variant = readVariant(node, balances.length)
  const state: StableState = {
    kind: 'STABLESWAP',
    variant,
    balances,
    adminBalances: balances.map(() => 0n),
    rates,
    ramp,
    feeX10: readBigint(node, 'fee'),
    adminFeeX10: readBigintOr(node, 0n, 'admin_fee', 'adminFee'),
    offpegFeeMultiplierX10: readBigintOr(node, 0n, ...OFFPEG),
    totalSupply: readBigintOr(node, 0n, 'lp_token_total_supply', 'totalSupply', 'total_supply'),
    blockTimestamp: readIntegerOr(node, 0, ...BLOCK_TIME),
  }
  const fault = findStableFault(state)
  return fault === null ? state : failJson(file, `${node.path}balances`, 'a valid pool', fault)
}

function locate(document: unknown): JsonNode | null {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return null
  const root = asNode('', '', document)
  const inner = pick(root, 'state')
  if (inner === undefined) return root
  return typeof inner === 'object' && !Array.isArray(inner) ? asNode('', '', inner) : null
}

function readVariant(node: JsonNode, coins: number): StableVariant {
  const named = pick(node, 'variant')
  if (named === undefined) return inferVariant(node, coins)
  const known = VARIANTS.find((variant) => variant === named)
  return known ?? failJson(node.file, `${node.path}variant`, VARIANTS.join(', '), named)
}

function inferVariant(node: JsonNode, coins: number): StableVariant {
  if (readBigintOr(node, 0n, ...OFFPEG) > 0n) return 'NG'
  const current = readBigintOr(node, 0n, ...AMPLIFICATION)
  const stored = [readBigintOr(node, 0n, ...INITIAL_A), readBigintOr(node, 0n, ...FUTURE_A)]
  const isScaled = current > 0n && stored.some((value) => value === current * 100n)
  if (!isScaled) return 'CLASSIC'
  return coins === 2 ? 'A100_TWO_COIN' : 'A100'
}

function readRamp(node: JsonNode): StableState['ramp'] {
  if (pick(node, ...FUTURE_A) === undefined || pick(node, ...INITIAL_A) === undefined) {
    return settled(readBigint(node, ...AMPLIFICATION))
  }
  const ramp = {
    initialA: readBigint(node, ...INITIAL_A),
    futureA: readBigint(node, ...FUTURE_A),
    initialAt: readIntegerOr(node, 0, 'initial_a_time', 'initialATime'),
    futureAt: readIntegerOr(node, 0, 'future_a_time', 'futureATime'),
  }
  const current = readBigintOr(node, 0n, ...AMPLIFICATION)
  const isTimed = pick(node, ...BLOCK_TIME) !== undefined
  if (isTimed || ramp.initialA === ramp.futureA || current === 0n) return ramp
  // Without the block time, only the current value shows the progress of the ramp.
  return settled(ramp.futureA >= 50n * current ? current * 100n : current)
}

function settled(amplification: bigint): StableState['ramp'] {
  return { initialA: amplification, futureA: amplification, initialAt: 0, futureAt: 0 }
}

function readRates(node: JsonNode, coins: number): readonly bigint[] {
  const rates =
    pick(node, ...RATES) === undefined ? ratesOfTokens(node) : readAmounts(node, ...RATES)
  const isUsable = rates.length === coins && coins >= 2 && coins <= 8
  if (isUsable && rates.every((rate) => rate > 0n)) return rates
  const expected = `a rate, or a token with decimals, for each of 2 to 8 balances (${coins})`
  return failJson(node.file, `${node.path}rates`, expected, rates.map(String))
}

function ratesOfTokens(node: JsonNode): readonly bigint[] {
  const rates = readList(node, 'tokens').map((token) => {
    const decimals = readInteger(token, 'decimals')
    if (decimals >= 0 && decimals <= 36) return rateOfDecimals(decimals)
    return failJson(token.file, `${token.path}decimals`, 'decimals in 0..36', decimals)
  })
  if (pick(node, 'base_virtual_price', 'baseVirtualPrice') === undefined) return rates
  // A metapool: the second coin is a share of a base pool, and the first can have its own price.
  const own = readBigintOr(node, rates[0] ?? 0n, 'redemption_price', 'redemptionPrice')
  return [own, readBasePrice(node)]
}

function readBasePrice(node: JsonNode): bigint {
  const cached = readBigint(node, 'base_virtual_price', 'baseVirtualPrice')
  const updated = readBigintOr(node, 0n, 'base_cache_updated', 'baseCacheUpdated')
  const now = readBigintOr(node, 0n, ...BLOCK_TIME)
  const base = pick(node, 'base_pool', 'basePool')
  if (now <= updated + BASE_CACHE_SECONDS || base === undefined) return cached
  const current = asNode(node.file, `${node.path}base_pool.`, base)
  return readBigint(current, 'virtual_price', 'virtualPrice')
}

/** A list of whole numbers, each as `readBigint` reads them. */
function readAmounts(node: JsonNode, ...names: [string, ...string[]]): readonly bigint[] {
  const list = pick(node, ...names)
  const path = `${node.path}${names[0]}`
  if (!Array.isArray(list)) return failJson(node.file, path, 'a list of amounts', list)
  const items = asNode(node.file, `${path}.`, { ...list })
  return list.map((_, index) => readBigint(items, `${index}`))
}
