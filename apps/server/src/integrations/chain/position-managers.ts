import { type Address, parseAbi } from 'viem'
import { CallRevertedError } from './chain-error.ts'
import type { ChainClient } from './client.ts'
import { readContract } from './contract-call.ts'
import { type Pin, readAtBlock } from './finalized.ts'
import type { Header } from './header.ts'

const erc165Abi = parseAbi(['function supportsInterface(bytes4 id) view returns (bool)'])
/** ERC-721. */
const tokensOfTheirOwn = '0x80ac58cd'
/** What ERC-165 says nobody supports: whoever answers yes to this answers yes to everything. */
const nothing = '0xffffffff'

/**
 * Which of some owners of liquidity hold it for others: contracts that hand out tokens of their own for positions, as
 * Uniswap's NonfungiblePositionManager and its forks do.
 *
 * @throws ChainError as the reads do
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
