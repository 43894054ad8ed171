import type { contract } from '@liquidity-os/contract'
import { type Address, getAddress, parseAbi } from 'viem'
import { tokenAbi } from '../../../integrations/chain/abis.ts'
import { answered, readContract } from '../../../integrations/chain/contract-call.ts'
import { agreeOnAnswer, readAtBlock } from '../../../integrations/chain/finalized.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { type PinnedSnapshot, readFromChain } from '../../../market/treasury/treasury-snapshot.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { activeEntries } from '../treasury-entries/api.ts'

type Input = contract.UnlockImpactInput

/** Circulating supply of a token, with the deductions. */
export interface ReadSupply {
  readonly total: bigint | null
  readonly circulating: bigint | null
  readonly method: readonly string[]
  readonly decimals: number | null
}

const supplyAbi = parseAbi(['function totalSupply() view returns (uint256)'])
const burnt = [
  '0x0000000000000000000000000000000000000000',
  '0x000000000000000000000000000000000000dEaD',
] as const

/**
 * totalSupply minus balances of the ledger's containers, schedule contracts and burn addresses at
 * the block; each account counts once. Null without a list of containers, because burn addresses
 * alone do not show the issuer's holdings.
 */
export async function readSupply(
  records: TenantRecords,
  { token, schedules }: Input,
  snapshot: PinnedSnapshot | null,
): Promise<ReadSupply> {
  const asset = namedAsset(token)
  const chain = asset.kind === 'TOKEN' ? snapshot?.chains.get(asset.chainId) : undefined
  const unknown = { total: null, circulating: null, method: [], decimals: null }
  if (asset.kind !== 'TOKEN' || !chain) return unknown
  const { address: tokenAddress, chainId } = asset
  const own = (await activeEntries(records)).flatMap(({ payload }) =>
    payload.entryKind === 'ASSET' && payload.asset === token && 'address' in payload.container
      ? [payload.container.address]
      : [],
  )
  const contracts = schedules.flatMap(({ source }) => ('address' in source ? [source.address] : []))
  const known = [...own, ...contracts].map((one) => getAddress(one))
  const accounts = [...new Set([...known, ...burnt.map((one) => getAddress(one))])].sort()
  const read = await readFromChain(() =>
    agreeOnAnswer(chain.clients, (client) =>
      readAtBlock(client, chain.block, async (pin) => {
        const at = { address: tokenAddress }
        const total = await answered(() =>
          readContract(client, pin, { ...at, abi: supplyAbi, functionName: 'totalSupply' }),
        )
        const decimals = await answered(() =>
          readContract(client, pin, { ...at, abi: tokenAbi, functionName: 'decimals' }),
        )
        const balances = await Promise.all(
          accounts.map((account: Address) =>
            answered(() =>
              readContract(client, pin, {
                ...at,
                abi: tokenAbi,
                functionName: 'balanceOf',
                args: [account],
              }),
            ),
          ),
        )
        return { total, decimals, balances }
      }),
    ),
  )
  const { total, decimals, balances } = read
  const held = balances.reduce<bigint>((sum, balance) => sum + (balance ?? 0n), 0n)
  return {
    total,
    decimals,
    circulating: total === null || known.length === 0 ? null : total - held,
    method: accounts.map((account) => `eip155:${chainId}:${account.toLowerCase()}`),
  }
}
