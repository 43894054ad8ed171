import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chainClient } from './client.ts'
import { readHeader } from './header.ts'
import { positionManagersAmong } from './position-managers.ts'

let chain: Localchain
beforeAll(async () => {
  chain = await startLocalchain()
})
afterAll(() => chain.stop())

it('knows the genuine position manager from accounts, tokens and contracts that own for themselves', async () => {
  const client = chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 5000 })
  const { positionManager, payer, weth9, uniswapV3Factory } = chain.contracts
  const owners = [chain.accounts[1]!.address, payer, weth9, positionManager, uniswapV3Factory]
  const block = await readHeader(client, 'latest')
  expect(await positionManagersAmong(client, block, owners)).toEqual([positionManager])
  expect(await positionManagersAmong(client, block, [])).toEqual([])
})
