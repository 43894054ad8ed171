import type { LoggedMarket } from '../amm/market.ts'
import type { StableState } from '../amm/stableswap/state.ts'
import type { CpmmState } from '../amm/v2/state.ts'
import type { ClmmState } from '../amm/v3/state.ts'

/**
 * Every storage field of a pool by its contract name, as decimal text, so that two sources can be
 * compared line by line. Mappings omit zero values.
 *
 * The order is fixed: scalars, then ticks, bitmap words, positions and observations in their own
 * order.
 */
export function listStorage(state: LoggedMarket): Map<string, string> {
  if (state.kind === 'STABLESWAP') return listStable(state)
  return state.kind === 'UNISWAP_V3' ? listV3(state) : listV2(state)
}

function listV3(state: ClmmState): Map<string, string> {
  const fields = new Map<string, string>()
  const put = (name: string, value: bigint | number | boolean) => fields.set(name, `${value}`)
  put('slot0.sqrtPriceX96', state.sqrtPriceX96)
  put('slot0.tick', state.tick)
  put('slot0.observationIndex', state.observationIndex)
  put('slot0.observationCardinality', state.observationCardinality)
  put('slot0.observationCardinalityNext', state.observationCardinalityNext)
  put('slot0.feeProtocol', state.feeProtocol0 + (state.feeProtocol1 << 4))
  put('slot0.unlocked', state.sqrtPriceX96 !== 0n)
  put('feeGrowthGlobal0X128', state.feeGrowthGlobal0X128)
  put('feeGrowthGlobal1X128', state.feeGrowthGlobal1X128)
  put('protocolFees.token0', state.protocolFees0)
  put('protocolFees.token1', state.protocolFees1)
  put('liquidity', state.liquidity)
  if (state.balance0 !== null) put('balance0', state.balance0)
  if (state.balance1 !== null) put('balance1', state.balance1)
  for (const { index, ...tick } of state.ticks) {
    for (const [name, value] of Object.entries(tick)) put(`ticks[${index}].${name}`, value)
    put(`ticks[${index}].initialized`, true)
  }
  for (const [word, bits] of tickBitmap(state)) put(`tickBitmap[${word}]`, bits)
  for (const { owner, tickLower, tickUpper, ...position } of state.positions) {
    for (const [name, value] of Object.entries(position)) {
      put(`positions[${owner},${tickLower},${tickUpper}].${name}`, value)
    }
  }
  state.observations.forEach((observation, slot) => {
    for (const [name, value] of Object.entries(observation)) {
      put(`observations[${slot}].${name}`, value)
    }
  })
  return fields
}

/**
 * The bitmap of initialised ticks: bit (tick/spacing mod 256) of word (tick/spacing div 256).
 *
 * @see Uniswap v3 whitepaper, §6.2.1
 */
export function tickBitmap(state: ClmmState): Map<number, bigint> {
  const words = new Map<number, bigint>()
  for (const { index } of state.ticks) {
    const compressed = index / state.tickSpacing
    const word = compressed >> 8
    words.set(word, (words.get(word) ?? 0n) | (1n << BigInt(compressed & 255)))
  }
  return words
}

function listV2(state: CpmmState): Map<string, string> {
  const fields = new Map<string, string>()
  const put = (name: string, value: bigint | number) => fields.set(name, `${value}`)
  put('reserve0', state.reserve0)
  put('reserve1', state.reserve1)
  put('blockTimestampLast', state.blockTimestampLast)
  put('price0CumulativeLast', state.price0CumulativeLast)
  put('price1CumulativeLast', state.price1CumulativeLast)
  put('kLast', state.kLast)
  put('totalSupply', state.totalSupply)
  put('balance0', state.balance0)
  put('balance1', state.balance1)
  for (const holder of Object.keys(state.liquidityOf).sort()) {
    // The holder was just listed.
    put(`balanceOf[${holder}]`, state.liquidityOf[holder]!)
  }
  return fields
}

/** Rates are listed as if they were stored: a build that computes them has no other place for them. */
function listStable(state: StableState): Map<string, string> {
  const fields = new Map<string, string>()
  const put = (name: string, value: bigint | number) => fields.set(name, `${value}`)
  const putEach = (name: string, values: readonly bigint[]) => {
    for (const [coin, value] of values.entries()) put(`${name}[${coin}]`, value)
  }
  putEach('balances', state.balances)
  putEach('admin_balances', state.adminBalances)
  putEach('rates', state.rates)
  put('initial_A', state.ramp.initialA)
  put('future_A', state.ramp.futureA)
  put('initial_A_time', state.ramp.initialAt)
  put('future_A_time', state.ramp.futureAt)
  put('fee', state.feeX10)
  put('admin_fee', state.adminFeeX10)
  put('offpeg_fee_multiplier', state.offpegFeeMultiplierX10)
  put('totalSupply', state.totalSupply)
  return fields
}
