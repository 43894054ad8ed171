import { readFileSync } from 'node:fs'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  zeroAddress,
} from 'viem'
import { initCode } from './evm.ts'
import type { Localchain } from './localchain.ts'

// The package with this build is 61 MB, so the one required contract is vendored.
const { contracts } = JSON.parse(
  readFileSync(new URL('./vendored/aave.json', import.meta.url), 'utf8'),
) as { readonly contracts: { readonly AToken: { readonly bytecode: Hex } } }

const abi = parseAbi([
  'function initialize(address pool, address treasury, address underlying, address incentives, uint8 decimals, string name, string symbol, bytes params)',
  'function mint(address caller, address onBehalfOf, uint256 amount, uint256 index) returns (bool)',
])

const ray = 10n ** 27n

/** An interest-bearing token of Aave v3 whose balances grow with the index of its pool, without a log. */
export interface RebasingToken {
  readonly token: Address
  /** Sets what one unit at the beginning is worth now, in rays (10^27). */
  readonly setIndex: (index: bigint) => Promise<void>
}

/**
 * Deploys the original AToken. Its pool is a five-instruction contract that always returns the
 * index, the only value that the token reads from it.
 *
 * @param holder who gets the whole supply, at an index of one
 * @param supply atomic units
 */
export async function deployRebasingToken(
  chain: Pick<Localchain, 'deploy' | 'send' | 'testClient'>,
  holder: Address,
  supply: bigint,
): Promise<RebasingToken> {
  const answersIndex = concatHex(['0x5f54', '0x5f52', '0x60205ff3'])
  const pool = await chain.deploy(initCode([ray, 0, 'SSTORE'], answersIndex))
  const creation = concatHex([
    ...[contracts.AToken.bytecode, encodeAbiParameters([{ type: 'address' }], [pool])],
  ])
  const token = await chain.deploy(creation)
  await chain.testClient.setBalance({ address: pool, value: ray })
  await chain.testClient.impersonateAccount({ address: pool })
  const call = (data: Hex) => chain.send({ from: pool, to: token, data })
  const terms = [pool, holder, zeroAddress, zeroAddress, 18, 'Interest', 'aT', '0x'] as const
  await call(encodeFunctionData({ abi, functionName: 'initialize', args: terms }))
  const minted = [holder, holder, supply, ray] as const
  await call(encodeFunctionData({ abi, functionName: 'mint', args: minted }))
  return {
    token,
    setIndex: (index) =>
      chain.testClient.setStorageAt({
        address: pool,
        index: pad('0x00'),
        value: numberToHex(index, { size: 32 }),
      }),
  }
}
