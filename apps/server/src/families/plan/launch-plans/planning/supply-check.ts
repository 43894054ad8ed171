import type { contract } from '@liquidity-os/contract'
import { parseAbi } from 'viem'
import { Failure } from '../../../../failure.ts'
import { answered, readContract } from '../../../../integrations/chain/contract-call.ts'
import { readAtBlock } from '../../../../integrations/chain/finalized.ts'
import { namedAsset } from '../../../../market/treasury/asset-keys.ts'
import { readFromChain, takeSnapshot } from '../../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../../services.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'

type Check = contract.LaunchPlan['computed']['checks'][number]

const abi = parseAbi(['function totalSupply() view returns (uint256)'])

/**
 * Checks the token's supply against the plan. Undecided if the token is not deployed yet, or no
 * provider reads its chain.
 */
export async function supplyOnChainCheck(
  records: TenantRecords,
  services: ProviderAccess,
  { token, totalSupply }: Pick<contract.LaunchPlanInput, 'token' | 'totalSupply'>,
): Promise<Check> {
  const check = 'SUPPLY_ON_CHAIN'
  const named = namedAsset(token)
  if (named.kind !== 'TOKEN') {
    return { check, result: 'INDETERMINATE', detail: `${token} is not a token on a chain.` }
  }
  const { chainId, address } = named
  try {
    const { chains } = await takeSnapshot(records, services, [chainId], 'payload.token')
    const chain = chains.get(chainId)
    if (!chain) throw new Error(`The snapshot has no chain ${chainId}.`)
    const [client] = chain.clients
    const supply = await readFromChain(() =>
      readAtBlock(client, chain.block, (pin) =>
        answered(() => readContract(client, pin, { address, abi, functionName: 'totalSupply' })),
      ),
    )
    const at = `at block ${chain.block.number} of chain ${chainId}`
    if (supply === null) {
      return { check, result: 'INDETERMINATE', detail: `${address} has no supply ${at}.` }
    }
    const isSame = supply === BigInt(totalSupply)
    const detail = `The supply is ${supply} ${at}; the plan has ${totalSupply}.`
    return { check, result: isSame ? 'PASS' : 'FAIL', detail }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const detail = `The supply could not be read: ${error.code}, ${error.message}`
    return { check, result: 'INDETERMINATE', detail: detail.slice(0, 500) }
  }
}
