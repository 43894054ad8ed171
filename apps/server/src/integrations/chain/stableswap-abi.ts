import { type AbiEvent, type Hex, parseAbi, parseAbiItem, toEventSelector } from 'viem'

/** View functions of StableSwap pools across all builds; each build has only some. */
export const stableSwapAbi = parseAbi([
  'function coins(uint256 index) view returns (address)',
  'function balances(uint256 index) view returns (uint256)',
  'function admin_balances(uint256 index) view returns (uint256)',
  'function initial_A() view returns (uint256)',
  'function future_A() view returns (uint256)',
  'function initial_A_time() view returns (uint256)',
  'function future_A_time() view returns (uint256)',
  'function fee() view returns (uint256)',
  'function admin_fee() view returns (uint256)',
  'function offpeg_fee_multiplier() view returns (uint256)',
  'function get_virtual_price() view returns (uint256)',
  'function lp_token() view returns (address)',
  'function totalSupply() view returns (uint256)',
])

/** Pools of 2020 count their coins with signed integers. */
export const signedIndexAbi = parseAbi([
  'function coins(int128 index) view returns (address)',
  'function balances(int128 index) view returns (uint256)',
])

/**
 * Selector of `stored_rates()`, which returns a fixed list in some builds and a dynamic one in
 * others.
 */
export const storedRatesSelector: Hex = '0xfd0684b1'

const fixedEvents = [
  'event TokenExchange(address indexed buyer, int128 soldId, uint256 tokensSold, int128 boughtId, uint256 tokensBought)',
  'event TokenExchangeUnderlying(address indexed buyer, int128 soldId, uint256 tokensSold, int128 boughtId, uint256 tokensBought)',
  'event RemoveLiquidityOne(address indexed provider, uint256 tokenAmount, uint256 coinAmount)',
  'event RemoveLiquidityOne(address indexed provider, uint256 tokenAmount, uint256 coinAmount, uint256 tokenSupply)',
  'event RemoveLiquidityOne(address indexed provider, int128 tokenId, uint256 tokenAmount, uint256 coinAmount, uint256 tokenSupply)',
  'event RampA(uint256 oldA, uint256 newA, uint256 initialTime, uint256 futureTime)',
  'event StopRampA(uint256 a, uint256 time)',
  'event NewFee(uint256 fee, uint256 adminFee)',
  'event NewFee(uint256 fee, uint256 adminFee, uint256 offpegFeeMultiplier)',
  'event ApplyNewFee(uint256 fee)',
  'event ApplyNewFee(uint256 fee, uint256 offpegFeeMultiplier)',
  'event ApplyNewAdminFee(uint256 adminFee)',
] as const

/** Lists of amounts are fixed in the older builds, one entry per coin, and dynamic in NG. */
const listTypes = ['uint256[]', ...[2, 3, 4, 5, 6, 7, 8].map((coins) => `uint256[${coins}]`)]
const listEvents = listTypes.flatMap((list) => [
  `event AddLiquidity(address indexed provider, ${list} tokenAmounts, ${list} fees, uint256 invariant, uint256 tokenSupply)`,
  `event RemoveLiquidity(address indexed provider, ${list} tokenAmounts, ${list} fees, uint256 tokenSupply)`,
  `event RemoveLiquidityImbalance(address indexed provider, ${list} tokenAmounts, ${list} fees, uint256 invariant, uint256 tokenSupply)`,
])

/** All StableSwap events that change a swap amount, by first topic. */
export const stableSwapEvents: ReadonlyMap<string, AbiEvent> = new Map(
  [...fixedEvents, ...listEvents].map((text) => {
    // Each text above is an event.
    const event = parseAbiItem(text) as AbiEvent
    return [toEventSelector(event), event]
  }),
)
