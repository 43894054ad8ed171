import { artifact, type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { keccak256, size } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maskedCodeHash } from './known-code.ts'
import {
  multiSendCallOnlyCode,
  positionManagerCode,
  swapRouterCode,
  v2RouterCode,
} from './known-periphery-code.ts'

let chain: Localchain
beforeAll(async () => {
  chain = await startLocalchain()
})
afterAll(() => chain.stop())

it.each([
  ['NonfungiblePositionManager', 'positionManager', positionManagerCode],
  ['SwapRouter', 'swapRouter', swapRouterCode],
  ['UniswapV2Router02', 'uniswapV2Router', v2RouterCode],
  ['MultiSendCallOnly', 'multiSendCallOnly', multiSendCallOnlyCode],
] as const)('%s is recognized by the hash of its published build', async (name, place, known) => {
  const build = artifact(name).deployedBytecode
  expect(known).toMatchObject({ hash: keccak256(build), bytes: size(build) })
  const code = await chain.publicClient.getCode({ address: chain.contracts[place] })
  expect(maskedCodeHash(code!, known)).toBe(known.hash)
  const changed: `0x${string}` = `0x${code!.slice(2, 200)}00${code!.slice(202)}`
  expect(maskedCodeHash(changed, known)).not.toBe(known.hash)
})
