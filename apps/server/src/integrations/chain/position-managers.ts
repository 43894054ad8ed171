import { type Address, parseAbi } from 'viem'
import { CallRevertedError } from './chain-error.ts'
import type { ChainClient } from './client.ts'
import { readContract } from './contract-call.ts'
import { type Pin, readAtBlock } from './finalized.ts'
import type { Header } from './header.ts'

const erc165Abi = parseAbi(['function supportsInterface(bytes4 id) view returns (bool)'])
/** ERC-721. */
const tokensOfTheirOwn = '0x80ac58cd'
/**
 * ERC-165 forbids support for this ID, so a contract that claims it claims support for everything.
 */
const nothing = '0xffffffff'

/**
 * Owners of liquidity that hold it for others: contracts that issue position tokens, such as
 * Uniswap's NonfungiblePositionManager and its forks.
 *
 * @throws ChainError if a read fails
 */
export async function positionManagersAmong(
  client: ChainClient,
  block: Header,
  owners: readonly Address[],
): Promise<Address[]> {
  if (owners.length === 0) return []
  const managers = await readAtBlock(client, block, (pin) =>
    Promise.all(owners.map((owner) => isManager(client, pin, owner))),
  )
  return owners.filter((_, index) => managers[index])
}

async function isManager(client: ChainClient, pin: Pin, address: Address): Promise<boolean> {
  const supports = async (id: `0x${string}`) => {
    try {
      const call = { address, abi: erc165Abi, functionName: 'supportsInterface' } as const
      return await readContract(client, pin, { ...call, args: [id] })
    } catch (error) {
      if (error instanceof CallRevertedError) return false
      throw error
    }
  }
  return (await supports(tokensOfTheirOwn)) && !(await supports(nothing))
}
