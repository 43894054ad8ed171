import {
  encodeFunctionData,
  type Hex,
  maxUint128,
  maxUint256,
  parseAbi,
  parseEventLogs,
} from 'viem'
import {
  erc20Abi,
  positionManagerAbi,
  sortTokens,
  startLocalchain,
  swapRouterAbi,
  v2RouterAbi,
} from '../src/index.ts'

/**
 * Measures the gas of every LP action on the original contracts, and prints the units.
 *
 *     node packages/localchain/bin/gas-table.ts
 *
 * Every action runs twice on initialized storage (balances and ticks exist, like in a used pool);
 * the second run counts. Tokens are plain ERC-20. Values cover whole transactions, intrinsic gas
 * included.
 */
const removeLiquidityAbi = parseAbi([
  'function removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline) returns (uint256 amountA, uint256 amountB)',
])
const nonfungibleAbi = parseAbi([
  'struct Increase { uint256 tokenId; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function increaseLiquidity(Increase params) payable returns (uint128 liquidity, uint256 amount0, uint256 amount1)',
  'function burn(uint256 tokenId) payable',
])

const one = 10n ** 18n
const deadline = 4_102_444_800n
const chain = await startLocalchain()
const from = chain.accounts[0]?.address
if (from === undefined) throw new Error('the chain has no account')
const send = (to: Hex, data: Hex) => chain.send({ from, to, data })
const { uniswapV2Router, swapRouter, positionManager } = chain.contracts

const [token0, token1] = sortTokens(
  await chain.deployToken({ name: 'First', symbol: 'ONE' }),
  await chain.deployToken({ name: 'Second', symbol: 'TWO' }),
)
const pair = await chain.createV2Pair(token0, token1)
await chain.createV3Pool({ tokenA: token0, tokenB: token1, fee: 3000, sqrtPriceX96: 2n ** 96n })
for (const spender of [uniswapV2Router, swapRouter, positionManager]) {
  for (const token of [token0, token1, pair.address]) {
    const args = [spender, maxUint256] as const
    await send(token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
  }
}

/** Gas of the second of two runs. */
async function measure(call: (round: number) => { to: Hex; data: Hex }): Promise<number> {
  let gas = 0n
  for (let round = 0; round < 2; round++) {
    const { to, data } = call(round)
    gas = (await send(to, data)).gasUsed
  }
  return Number(gas)
}

const v2Add = () => ({
  to: uniswapV2Router,
  data: encodeFunctionData({
    abi: v2RouterAbi,
    functionName: 'addLiquidity',
    args: [token0, token1, 1000n * one, 1000n * one, 0n, 0n, from, deadline],
  }),
})
const v2Remove = () => ({
  to: uniswapV2Router,
  data: encodeFunctionData({
    abi: removeLiquidityAbi,
    functionName: 'removeLiquidity',
    args: [token0, token1, one, 0n, 0n, from, deadline],
  }),
})
const v2Swap = () => ({
  to: uniswapV2Router,
  data: encodeFunctionData({
    abi: v2RouterAbi,
    functionName: 'swapExactTokensForTokens',
    args: [one, 0n, [token0, token1], from, deadline],
  }),
})
const range = { token0, token1, fee: 3000, tickLower: -6000, tickUpper: 6000 }
const min = { amount0Min: 0n, amount1Min: 0n }
const mint = () => {
  const desired = { amount0Desired: 1000n * one, amount1Desired: 1000n * one }
  const terms = { ...range, ...desired, ...min, recipient: from, deadline }
  const args = [terms] as const
  const data = encodeFunctionData({ abi: positionManagerAbi, functionName: 'mint', args })
  return { to: positionManager, data }
}
const swap = (round: number) => {
  const [tokenIn, tokenOut] = round === 0 ? [token0, token1] : [token1, token0]
  const order = { tokenIn, tokenOut, fee: 3000, recipient: from, deadline, amountIn: one }
  const args = [{ ...order, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }] as const
  return {
    to: swapRouter,
    data: encodeFunctionData({ abi: swapRouterAbi, functionName: 'exactInputSingle', args }),
  }
}
const increase = () => {
  const desired = { amount0Desired: one, amount1Desired: one }
  const args = [{ tokenId: 1n, ...desired, ...min, deadline }] as const
  const data = encodeFunctionData({ abi: nonfungibleAbi, functionName: 'increaseLiquidity', args })
  return { to: positionManager, data }
}
const decrease = (tokenId: bigint, liquidity: bigint) => {
  const args = [{ tokenId, liquidity, ...min, deadline }] as const
  const data = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'decreaseLiquidity',
    args,
  })
  return { to: positionManager, data }
}
const collect = (tokenId: bigint) => {
  const args = [
    { tokenId, recipient: from, amount0Max: maxUint128, amount1Max: maxUint128 },
  ] as const
  const data = encodeFunctionData({ abi: positionManagerAbi, functionName: 'collect', args })
  return { to: positionManager, data }
}

/** Fees must be there to be collected, so a trade each way comes first. */
async function measureCollect(): Promise<number> {
  let gas = 0n
  for (let round = 0; round < 2; round++) {
    for (const way of [0, 1]) {
      const { to, data } = swap(way)
      await send(to, data)
    }
    // A position's fees are brought up to date by touching it.
    const { to, data } = collect(1n)
    gas = (await send(to, data)).gasUsed
  }
  return Number(gas)
}

/** A whole exit: all liquidity, the owed amounts, and the position's NFT. */
async function measureExit(): Promise<{ DECREASE_ALL: number; BURN: number }> {
  const minted = await send(positionManager, mint().data)
  const [added] = parseEventLogs({
    abi: positionManagerAbi,
    logs: [...minted.logs],
    eventName: 'IncreaseLiquidity',
  })
  if (added === undefined) throw new Error('the mint left no event')
  const { tokenId, liquidity } = added.args
  const out = decrease(tokenId, liquidity)
  const all = await send(out.to, out.data)
  await send(positionManager, collect(tokenId).data)
  const args = [tokenId] as const
  const data = encodeFunctionData({ abi: nonfungibleAbi, functionName: 'burn', args })
  const burnt = await send(positionManager, data)
  return { DECREASE_ALL: Number(all.gasUsed), BURN: Number(burnt.gasUsed) }
}

await send(token0, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [from] }))
const units = {
  V2_ADD: await measure(v2Add),
  V2_REMOVE: await measure(v2Remove),
  V2_SWAP: await measure(v2Swap),
  MINT: await measure(mint),
  SWAP: await measure(swap),
  INCREASE: await measure(increase),
  DECREASE: await measure(() => decrease(1n, one)),
  COLLECT: await measureCollect(),
  ...(await measureExit()),
}
await chain.stop()
process.stdout.write(`${JSON.stringify(units, null, 2)}\n`)
