import type { contract } from '@liquidity-os/contract'
import { type Address, type Hex, parseAbi, toEventHash } from 'viem'
import { CallRevertedError, ChainError } from '../../integrations/chain/chain-error.ts'
import type { ChainClient } from '../../integrations/chain/client.ts'
import { readContract } from '../../integrations/chain/contract-call.ts'
import { agreeOnAnswer, readAtBlock } from '../../integrations/chain/finalized.ts'
import { type Header, readHeader } from '../../integrations/chain/header.ts'
import { readLogs } from '../../integrations/chain/read-logs.ts'
import { sumTransfers, type TokenTransfer } from '../../integrations/chain/transfer-sums.ts'
import { limits } from '../../limits.ts'
import { namedAsset } from './asset-keys.ts'
import type { PinnedChain } from './treasury-snapshot.ts'

type RollForward = NonNullable<contract.TreasuryBucket['rollForward']>

/** From one balance to the next, with the transfers between them in order. */
export interface Rolled {
  readonly figures: RollForward
  readonly transfers: readonly TokenTransfer[]
}

const supplyAbi = parseAbi(['function totalSupply() view returns (uint256)'])
const transferTopic = toEventHash('Transfer(address,address,uint256)')
const zeroTopic: Hex = `0x${'0'.repeat(64)}`

/**
 * Roll-forward between two balances from the token's logs: opening + inflow − outflow + residual =
 * closing, exactly.
 *
 * The residual is a rebase or fee if the token supply changed in the same blocks beyond its logged
 * mints and burns. Otherwise it stays unexplained, without a balancing entry.
 *
 * @param from block of the opening balance, which already includes its own transfers
 */
export async function rollForward(
  chain: PinnedChain,
  holding: { readonly asset: string; readonly account: Address },
  from: { readonly block: number; readonly balance: bigint },
  closing: bigint,
): Promise<Rolled> {
  const asset = namedAsset(holding.asset)
  const range = { fromBlock: from.block, toBlock: chain.block.number }
  const ends = { opening: `${from.balance}`, closing: `${closing}` }
  const unknown = {
    transfers: [],
    figures: {
      ...range,
      ...ends,
      inflow: '0',
      outflow: '0',
      logCount: 0,
      residual: `${closing - from.balance}`,
      residualClass: 'NOT_COMPUTED' as const,
    },
  }
  if (asset.kind !== 'TOKEN') return unknown
  const { clients } = chain
  const between = { token: asset.address, fromBlock: from.block + 1, toBlock: chain.block.number }
  try {
    // A hidden log could hide an outflow, so all providers must return the same logs.
    const sums = await agreeOnAnswer(clients, (client) =>
      sumTransfers(client, { ...between, account: holding.account }),
    )
    const residual = closing - (from.balance + sums.inflow - sums.outflow)
    const figures: RollForward = {
      ...range,
      ...ends,
      inflow: `${sums.inflow}`,
      outflow: `${sums.outflow}`,
      logCount: sums.transfers.length,
      residual: `${residual}`,
      residualClass:
        residual === 0n
          ? 'NONE'
          : await agreeOnAnswer(clients, (client) => residualClassOf(client, chain.block, between)),
    }
    return { figures, transfers: sums.transfers }
  } catch (error) {
    if (error instanceof ChainError && error.facts.reason === 'RANGE_REFUSED') return unknown
    throw error
  }
}

interface Between {
  readonly token: Address
  readonly fromBlock: number
  readonly toBlock: number
}

async function residualClassOf(
  client: ChainClient,
  block: Header,
  { token, fromBlock, toBlock }: Between,
): Promise<RollForward['residualClass']> {
  const supplyAt = (at: Header) =>
    readAtBlock(client, at, (pin) =>
      readContract(client, pin, { address: token, abi: supplyAbi, functionName: 'totalSupply' }),
    )
  try {
    const before = await readHeader(client, fromBlock - 1)
    const [first, last] = await Promise.all([supplyAt(before), supplyAt(block)])
    let logged = 0n
    for (let from = fromBlock; from <= toBlock; from += limits.treasuryLogBlocks) {
      const to = Math.min(toBlock, from + limits.treasuryLogBlocks - 1)
      const [minted, burnt] = await Promise.all([
        readLogs(client, token, from, to, [transferTopic, zeroTopic]),
        readLogs(client, token, from, to, [transferTopic, null, zeroTopic]),
      ])
      const sum = (logs: typeof minted) =>
        logs.reduce((total, { data }) => total + BigInt(data), 0n)
      logged += sum(minted) - sum(burnt)
    }
    return last - first === logged ? 'UNEXPLAINED' : 'REBASE_OR_FEE'
  } catch (error) {
    if (error instanceof CallRevertedError) return 'UNEXPLAINED'
    throw error
  }
}
