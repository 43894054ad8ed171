import { type ClmmState, type CpmmState, swapExactIn } from '@liquidity-os/engine/amm'
import { sandwichExposure } from '@liquidity-os/engine/execution'
import { erc20Abi, type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainClient } from '../../../../integrations/chain/client.ts'
import { readHeader } from '../../../../integrations/chain/header.ts'
import { swapRouterAbi, v2RouterAbi } from '../../../../integrations/chain/periphery-abis.ts'
import { readV2State, readV3State } from '../../../../integrations/chain/pool-state.ts'
import { deployMarkets, type Markets } from '../../../../integrations/chain/testing/markets.ts'

let chain: Localchain
let markets: Markets
beforeAll(async () => {
  chain = await startLocalchain()
  markets = await deployMarkets(chain)
  // Several positions, so that the walk crosses ticks; thin, so that a sandwich pays.
  await markets.mint(-6000, 6000, 10n ** 18n)
  await markets.mint(-240, 120, 3n * 10n ** 18n)
  await markets.provide(10n ** 18n, 10n ** 18n)
})
afterAll(() => chain.stop())

const victim = 1
const attacker = 0
const accountOf = (who: number) => chain.accounts[who]!.address

async function balanceOf(token: Address, who: number): Promise<bigint> {
  const args = [accountOf(who)] as const
  return chain.publicClient.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args,
  })
}

/** A genuine swap through the genuine router; what came out. */
async function trade(
  kind: 'V2' | 'V3',
  who: number,
  isForward: boolean,
  amountIn: bigint,
  minimum = 0n,
): Promise<bigint> {
  const [one, two] = markets.tokens
  const [tokenIn, tokenOut] = isForward ? [one, two] : [two, one]
  const { swapRouter, uniswapV2Router } = chain.contracts
  const to = kind === 'V3' ? swapRouter : uniswapV2Router
  const from = accountOf(who)
  const allow = { abi: erc20Abi, functionName: 'approve', args: [to, amountIn] } as const
  await chain.send({ from, to: tokenIn, data: encodeFunctionData(allow) })
  const before = await balanceOf(tokenOut, who)
  const deadline = 4_000_000_000n
  const data: Hex =
    kind === 'V3'
      ? encodeFunctionData({
          abi: swapRouterAbi,
          functionName: 'exactInputSingle',
          args: [
            {
              tokenIn,
              tokenOut,
              fee: 3000,
              recipient: from,
              deadline,
              amountIn,
              amountOutMinimum: minimum,
              sqrtPriceLimitX96: 0n,
            },
          ],
        })
      : encodeFunctionData({
          abi: v2RouterAbi,
          functionName: 'swapExactTokensForTokens',
          args: [amountIn, minimum, [tokenIn, tokenOut], from, deadline],
        })
  await chain.send({ from, to, data })
  return (await balanceOf(tokenOut, who)) - before
}

async function stateOf(kind: 'V2' | 'V3'): Promise<ClmmState | CpmmState> {
  const client = chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 20_000 })
  const head = await readHeader(client, 'latest')
  return kind === 'V3'
    ? readV3State(client, head, markets.pool.address)
    : readV2State(client, head, markets.pair.address)
}

for (const kind of ['V3', 'V2'] as const) {
  test(`a sandwich staged on a genuine ${kind} pool earns what was found, and no front run more than the bound`, async () => {
    const amountIn = 10n ** 17n
    const funding = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [accountOf(victim), amountIn],
    })
    await chain.send({ from: accountOf(attacker), to: markets.tokens[0], data: funding })
    const market = await stateOf(kind)
    const d = { from: 0, to: 1 }
    const { amountOut } = swapExactIn(market, d, amountIn)
    const minimumOut = (amountOut * 950_000n + 999_999n) / 1_000_000n
    const { bound, found } = sandwichExposure(market, d, amountIn, minimumOut)
    expect(found.profit > 0n).toBe(true)
    const { frontRunIn } = found
    for (const front of [frontRunIn, frontRunIn / 2n, frontRunIn / 7n]) {
      const id = await chain.testClient.snapshot()
      const got = await trade(kind, attacker, true, front)
      const filled = await trade(kind, victim, true, amountIn, minimumOut)
      const profit = (await trade(kind, attacker, false, got)) - front
      expect(filled >= minimumOut).toBe(true)
      expect(profit <= bound).toBe(true)
      if (front === frontRunIn) expect(profit).toBe(found.profit)
      await chain.testClient.revert({ id })
    }
    // One atom of room more, and the swap protects itself.
    const id = await chain.testClient.snapshot()
    await trade(kind, attacker, true, (frontRunIn * 11n) / 10n)
    await expect(trade(kind, victim, true, amountIn, minimumOut)).rejects.toThrow()
    await chain.testClient.revert({ id })
  })
}
