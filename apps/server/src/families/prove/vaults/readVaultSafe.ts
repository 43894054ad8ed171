import { contract } from '@liquidity-os/contract'
import { type Address, type Hex, parseAbi } from 'viem'
import { handle, type Outcome } from '../../../http/handler.ts'
import { blockOf } from '../../../integrations/chain/block-of.ts'
import { ask, type ChainClient } from '../../../integrations/chain/client.ts'
import { answered, inSlices, readContract } from '../../../integrations/chain/contract-call.ts'
import {
  agreeOnAnswer,
  blockArgument,
  type Pin,
  readAtBlock,
} from '../../../integrations/chain/finalized.ts'
import { readSafe } from '../../../integrations/chain/safe-account.ts'
import { readFromChain, takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import { vaults } from './records.ts'

type Balance = contract.VaultSafe['balances'][number]

const readsAtOnce = 8
const balanceAbi = parseAbi(['function balanceOf(address holder) view returns (uint256)'])

export default handle(contract.readVaultSafe, async (request): Promise<Outcome> => {
  const { params, query, records, services, fail } = request
  const vault = await vaults.current(records, params.id)
  if (!vault) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { chainId, safeAddress, pair } = vault.record.payload
  const { chains } = await takeSnapshot(records, services, [chainId], 'params.id')
  const chain = chains.get(chainId)
  if (!chain) throw new Error(`The snapshot is not of chain ${chainId}.`)
  const safe = safeAddress as Address
  const requested = [pair.base, pair.quote, ...(query.assets?.split(',') ?? [])]
  const tokens = [...new Set(requested.map((token) => token.toLowerCase() as Address))]
  const read = await readFromChain(() =>
    agreeOnAnswer(chain.clients, (client) =>
      readAtBlock(client, chain.block, async (pin) => {
        const account = await readSafe(client, pin, safe)
        if (account === null) return null
        const { owners, threshold } = account
        return { owners, threshold, balances: await balancesOf(client, pin, { safe, tokens }) }
      }),
    ),
  )
  if (read === null) {
    throw fail('LIQUIDITY_PROPOSAL_VAULT_UNQUALIFIED', {
      fieldErrors: { 'params.id': ['must be the vault of a Safe, got an account of another kind'] },
    })
  }
  const data: contract.VaultSafe = {
    block: blockOf(chainId, chain.block),
    ...read,
    owners: [...read.owners],
  }
  return { data }
})

/** Balances of the tokens that respond, and of the coin. */
async function balancesOf(
  client: ChainClient,
  pin: Pin,
  { safe, tokens }: { safe: Address; tokens: readonly Address[] },
): Promise<Balance[]> {
  const coin = await ask<Hex>(client, 'eth_getBalance', [safe, blockArgument(pin)])
  const found = await inSlices(tokens, readsAtOnce, async (asset) => {
    const call = {
      address: asset,
      abi: balanceAbi,
      functionName: 'balanceOf',
      args: [safe],
    } as const
    const amount = await answered(() => readContract(client, pin, call))
    return amount === null ? [] : [{ asset, amount: `${amount}` }]
  })
  return [...found.flat(), { asset: 'native', amount: `${BigInt(coin)}` }]
}
