import { readFileSync } from 'node:fs'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import { deploy } from './contracts.ts'
import type { Localchain } from './localchain.ts'

// The package with these builds has 480 dependencies, so the two required builds are vendored.
const vendored = JSON.parse(
  readFileSync(new URL('./vendored/chainlink.json', import.meta.url), 'utf8'),
) as { readonly contracts: Readonly<Record<string, { readonly bytecode: Hex }>> }

const abi = parseAbi([
  'function changeOracles(address[] removed, address[] added, address[] admins, uint32 least, uint32 most, uint32 delay)',
  'function disableAccessCheck()',
  'function submit(uint256 roundId, int256 submission)',
  'function proposeAggregator(address aggregator)',
  'function confirmAggregator(address aggregator)',
])

/** A feed of prices on a local chain: Chainlink's genuine proxy and aggregators, with one oracle. */
export interface PriceFeed {
  readonly proxy: Address
  /** Answers the next round. */
  readonly answer: (answer: bigint) => Promise<void>
  /** Points the proxy to a new aggregator, which has no answers yet and those decimals unless it is given others. */
  readonly nextPhase: (decimals?: number) => Promise<void>
}

/**
 * Deploys a feed.
 *
 * @param terms bounds of an answer in units of 10^−decimals
 */
export async function deployPriceFeed(
  chain: Localchain,
  { decimals, min, max }: { readonly decimals: number; readonly min: bigint; readonly max: bigint },
): Promise<PriceFeed> {
  const owner = chain.accounts[0]!.address
  const call = (to: Address, data: Hex) => chain.send({ from: owner, to, data })
  const codeOf = (name: string) => {
    const found = vendored.contracts[name]
    if (!found) throw new Error(`there is no build of ${name}`)
    return found.bytecode
  }
  const newAggregator = async (decimals: number) => {
    const terms = encodeAbiParameters(
      parseAbiParameters('address, uint128, uint32, address, int256, int256, uint8, string'),
      [chain.contracts.weth9, 0n, 0, zeroAddress, min, max, decimals, 'Test'],
    )
    const address = await deploy(
      chain.send,
      owner,
      concatHex([codeOf('AccessControlledAggregator'), terms]),
    )
    const args = [[], [owner], [owner], 1, 1, 0] as const
    await call(address, encodeFunctionData({ abi, functionName: 'changeOracles', args }))
    // Else only accounts on a list may read it by way of a contract.
    await call(address, encodeFunctionData({ abi, functionName: 'disableAccessCheck' }))
    return address
  }
  let aggregator = await newAggregator(decimals)
  let round = 0n
  const terms = encodeAbiParameters(parseAbiParameters('address, address'), [
    aggregator,
    zeroAddress,
  ])
  const proxy = await deploy(chain.send, owner, concatHex([codeOf('EACAggregatorProxy'), terms]))
  return {
    proxy,
    answer: async (answer) => {
      round += 1n
      const args = [round, answer] as const
      await call(aggregator, encodeFunctionData({ abi, functionName: 'submit', args }))
    },
    nextPhase: async (others = decimals) => {
      aggregator = await newAggregator(others)
      round = 0n
      for (const functionName of ['proposeAggregator', 'confirmAggregator'] as const) {
        await call(proxy, encodeFunctionData({ abi, functionName, args: [aggregator] }))
      }
    },
  }
}
