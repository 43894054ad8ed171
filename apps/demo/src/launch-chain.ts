import { fileURLToPath } from 'node:url'
import {
  erc20Abi,
  type LoadedRecording,
  type Localchain,
  loadRecording,
  readRecording,
  startLocalchain,
  swapRouterAbi,
  weth9Abi,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData } from 'viem'

/** The chain of the demo: a real launch performed again on genuine bytecode, and real swaps after it. */
export interface LaunchChain {
  chain: Localchain
  recording: LoadedRecording
  /** The launched token and the asset it trades against. */
  base: Address
  quote: Address
  ownSwaps: number
}

const dataset = fileURLToPath(new URL('../../../datasets/v3-ens-weth-from-init', import.meta.url))
const ether = 10n ** 18n
const deadline = 4_102_444_800n

/**
 * Starts the chain and performs the first half hour of the ENS token on it. The same at every start, block
 * hash for block hash, so a second start of the demo finds the chain that its records speak of.
 */
export async function launchChain(
  onProgress: (done: number, total: number) => void,
): Promise<LaunchChain> {
  const chain = await startLocalchain()
  const recording = await loadRecording(
    chain,
    readRecording(dataset),
    ({ eventsDone, eventsTotal }) => onProgress(eventsDone, eventsTotal),
  )
  const quote = chain.contracts.weth9
  const base = recording.token0 === quote ? recording.token1 : recording.token0
  const ownSwaps = await tradeOnOurOwn(chain, base, quote)
  // What is final is two blocks behind; a few empty blocks bring everything there.
  await chain.mine(4)
  return { chain, recording, base, quote, ownSwaps }
}

/** Buys of rising size through the genuine router, each half sold again. */
async function tradeOnOurOwn(chain: Localchain, base: Address, quote: Address): Promise<number> {
  const trader = chain.accounts[5]?.address
  if (!trader) throw new Error('The local chain has no sixth account.')
  const { swapRouter, weth9 } = chain.contracts
  const send = (to: Address, data: `0x${string}`, value = 0n) =>
    chain.send({ from: trader, to, data, value })
  await send(weth9, encodeFunctionData({ abi: weth9Abi, functionName: 'deposit' }), 100n * ether)
  for (const token of [base, quote]) {
    const args = [swapRouter, 2n ** 256n - 1n] as const
    await send(token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
  }
  const swap = async (tokenIn: Address, tokenOut: Address, amountIn: bigint) => {
    const terms = {
      tokenIn,
      tokenOut,
      fee: 3000,
      recipient: trader,
      deadline,
      amountIn,
      amountOutMinimum: 0n,
      sqrtPriceLimitX96: 0n,
    }
    await send(
      swapRouter,
      encodeFunctionData({ abi: swapRouterAbi, functionName: 'exactInputSingle', args: [terms] }),
    )
  }
  const balance = () =>
    chain.publicClient.readContract({
      address: base,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [trader],
    })
  let swaps = 0
  for (const size of [1n, 2n, 4n, 8n]) {
    const before = await balance()
    await swap(quote, base, size * ether)
    await swap(base, quote, ((await balance()) - before) / 2n)
    swaps += 2
  }
  return swaps
}
