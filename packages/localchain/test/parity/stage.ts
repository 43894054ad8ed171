import { PAIR_ACCOUNT } from '@liquidity-os/engine/amm'
import { type Address, encodeFunctionData, zeroAddress } from 'viem'
import {
  artifact,
  erc20Abi,
  type Localchain,
  type Market,
  sortTokens,
  startLocalchain,
  v3FactoryAbi,
} from '../../src/index.ts'

/** A v3 pool of the stage; fee and spacing decide most of its rounding. */
export type StagePool = Market & { readonly feePips: number; readonly tickSpacing: number }

/** A chain for the simulation of random sequences: empty pools, a pair, and funded actors. */
export type Stage = {
  readonly chain: Localchain
  readonly pools: readonly StagePool[]
  readonly pair: Market
  readonly multicall: Address
  /** Owns the factories, and funds the pair. */
  readonly deployer: Address
  /** Contracts that answer callbacks, by the engine's account name. */
  readonly payers: Readonly<Record<string, Address>>
  /** Plain accounts of the pair, by the engine's account name. */
  readonly holders: Readonly<Record<string, Address>>
}

/** Uniswap's own fees, one with the narrowest spacing, and one far from anything deployed. */
const markets = [
  { feePips: 500, tickSpacing: 10 },
  { feePips: 3000, tickSpacing: 60 },
  { feePips: 10_000, tickSpacing: 200 },
  { feePips: 100, tickSpacing: 1 },
  { feePips: 300_000, tickSpacing: 2003 },
]

const names = ['alice', 'bob', 'carol', 'treasury']
/** No sequence can move this much, and the balances of three owners stay below 2^256. */
const plenty = 2n ** 250n
/** Before the first timestamp of every generated sequence. */
const genesis = 1_600_000_000

/** Starts a chain and deploys everything a sequence needs. */
export async function buildStage(): Promise<Stage> {
  const chain = await startLocalchain({ timestamp: genesis })
  const deployer = chain.accounts[0]!.address
  const token = (symbol: string) => chain.deployToken({ name: symbol, symbol, supply: plenty * 8n })
  const tokens = sortTokens(await token('ONE'), await token('TWO'))
  const payers: Record<string, Address> = {}
  for (const name of names.slice(0, 3)) {
    payers[name] = await chain.deployPayer()
    const args = [payers[name], plenty] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    for (const to of tokens) await chain.send({ from: deployer, to, data })
  }
  const pools: StagePool[] = []
  for (const { feePips, tickSpacing } of markets) {
    await enableFee(chain, feePips, tickSpacing)
    const terms = { tokenA: tokens[0], tokenB: tokens[1], fee: feePips }
    pools.push({ ...(await chain.createV3Pool(terms)), feePips, tickSpacing })
  }
  const pair = await chain.createV2Pair(...tokens)
  const accounts = names.map((name, index) => [name, chain.accounts[index + 1]!.address])
  const holders = { ...Object.fromEntries(accounts), [PAIR_ACCOUNT]: pair.address }
  const multicall = await chain.deploy(artifact('UniswapInterfaceMulticall').bytecode)
  return { chain, pools, pair, multicall, deployer, payers, holders }
}

async function enableFee(chain: Localchain, fee: number, spacing: number): Promise<void> {
  const address = chain.contracts.uniswapV3Factory
  const known = await chain.publicClient.readContract({
    address,
    abi: v3FactoryAbi,
    functionName: 'feeAmountTickSpacing',
    args: [fee],
  })
  if (known === spacing) return
  const args = [fee, spacing] as const
  const data = encodeFunctionData({ abi: v3FactoryAbi, functionName: 'enableFeeAmount', args })
  await chain.send({ from: chain.accounts[0]!.address, to: address, data })
}

/** Address behind an account name of a pair operation; null is the zero address. */
export function holderAddress(stage: Stage, name: string | null): Address {
  if (name === null) return zeroAddress
  const address = stage.holders[name]
  if (address === undefined) throw new Error(`no holder ${name} on the stage`)
  return address
}

/** Payer behind an owner's name. */
export function payerAddress(stage: Stage, name: string): Address {
  const address = stage.payers[name]
  if (address === undefined) throw new Error(`no payer ${name} on the stage`)
  return address
}
