import { artifact, type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { type Hex, keccak256, size } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  maskedCodeHash,
  multiSendCallOnlyCode,
  positionManagerCode,
  swapRouterCode,
  uniswapV2PairCode,
  uniswapV3PoolCode,
  v2RouterCode,
  weth9Code,
} from './known-code.ts'

let chain: Localchain
let pools: Hex[]
let pair: Hex
beforeAll(async () => {
  chain = await startLocalchain()
  const token = (symbol: string) => chain.deployToken({ name: symbol, symbol })
  const tokens = [await token('A'), await token('B'), await token('C')] as const
  const terms = [
    { tokenA: tokens[0], tokenB: tokens[1], fee: 500 },
    { tokenA: tokens[1], tokenB: tokens[2], fee: 10_000 },
  ]
  const code = async (address: Hex) => (await chain.publicClient.getCode({ address }))!
  pools = []
  for (const pool of terms) pools.push(await code((await chain.createV3Pool(pool)).address))
  pair = await code((await chain.createV2Pair(tokens[0], tokens[1])).address)
})
afterAll(() => chain.stop())

/** Starts of the words after a PUSH32 that the build leaves zero and some deployed code fills. */
function immutablesOf(build: Hex, deployed: readonly Hex[]): number[] {
  const [zeros, ...filled] = [build, ...deployed].map((code) => Buffer.from(code.slice(2), 'hex'))
  const starts: number[] = []
  const blank = Buffer.concat([Buffer.from([0x7f]), Buffer.alloc(32)])
  for (let at = zeros!.indexOf(blank); at >= 0; at = zeros!.indexOf(blank, at + 1)) {
    const isFilled = filled.some((code) =>
      code.subarray(at + 1, at + 33).some((byte) => byte !== 0),
    )
    if (isFilled) starts.push(at + 1)
  }
  return starts
}

describe('known code', () => {
  it('has the result of the published pool build', () => {
    const build = artifact('UniswapV3Pool').deployedBytecode
    expect(uniswapV3PoolCode).toMatchObject({
      hash: keccak256(build),
      bytes: size(build),
      immutables: immutablesOf(build, pools),
    })
  })

  it('has the result of the published pair build, which has no immutables', () => {
    const build = artifact('UniswapV2Pair').deployedBytecode
    expect(uniswapV2PairCode).toMatchObject({ hash: keccak256(build), bytes: size(build) })
    expect(keccak256(pair)).toBe(uniswapV2PairCode.hash)
  })

  it('has the result of the published build of the wrapped native asset', () => {
    const build = artifact('WETH9').deployedBytecode
    expect(weth9Code).toMatchObject({ hash: keccak256(build), bytes: size(build), immutables: [] })
  })

  it('recognizes pools of different tokens and fees', () => {
    expect(new Set(pools).size).toBe(2)
    for (const code of pools) {
      expect(maskedCodeHash(code, uniswapV3PoolCode)).toBe(uniswapV3PoolCode.hash)
    }
  })

  it('does not recognize a pool with one changed instruction', () => {
    const bytes = Buffer.from(pools[0]!.slice(2), 'hex')
    bytes[100]! ^= 1
    const altered: Hex = `0x${bytes.toString('hex')}`
    expect(maskedCodeHash(altered, uniswapV3PoolCode)).not.toBe(uniswapV3PoolCode.hash)
  })

  it.each([
    ['NonfungiblePositionManager', 'positionManager', positionManagerCode],
    ['SwapRouter', 'swapRouter', swapRouterCode],
    ['UniswapV2Router02', 'uniswapV2Router', v2RouterCode],
    ['MultiSendCallOnly', 'multiSendCallOnly', multiSendCallOnlyCode],
  ] as const)(
    'recognizes the %s by the hash of its published build',
    async (name, index, known) => {
      const build = artifact(name).deployedBytecode
      expect(known).toMatchObject({ hash: keccak256(build), bytes: size(build) })
      const code = await chain.publicClient.getCode({ address: chain.contracts[index] })
      expect(maskedCodeHash(code!, known)).toBe(known.hash)
      const changed: `0x${string}` = `0x${code!.slice(2, 200)}00${code!.slice(202)}`
      expect(maskedCodeHash(changed, known)).not.toBe(known.hash)
    },
  )
})
