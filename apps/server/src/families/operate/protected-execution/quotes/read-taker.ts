import type { contract } from '@liquidity-os/contract'
import type { Address, Hex } from 'viem'
import { ask } from '../../../../integrations/chain/client.ts'
import { codeAt } from '../../../../integrations/chain/safe-account.ts'
import { isWrappedNative } from '../../../../integrations/chain/wrapped-native.ts'
import { keccak256 } from '../../../../keccak256.ts'
import { type PinnedChain, readFromChain } from '../../../../market/treasury/treasury-snapshot.ts'
import { allowanceOf, atSnapshot, balanceOf, type SettlementFacts } from './read-offers.ts'
import type { ReadPool } from './read-pools.ts'

type Taker = Pick<
  contract.QuoteSet,
  'takerBalance' | 'allowances' | 'contracts' | 'baseFeeWei' | 'isQuoteWrappedNative'
>

/** The vault's balance and allowance of the sold token, and the base fee, at the snapshot. */
export async function readTaker(
  chain: PinnedChain,
  { taker, sellToken, pair }: Pick<contract.QuoteRequest, 'taker' | 'sellToken' | 'pair'>,
  { relayer }: SettlementFacts,
  settlement: string,
  pools: readonly ReadPool[],
): Promise<Taker> {
  const named = [relayer, ...pools.map(({ serialized }) => serialized.router)]
  const spenders = [...new Set(named.filter((one) => one !== null))].toSorted()
  const called = [...new Set([...spenders, ...(relayer === null ? [] : [settlement])])].toSorted()
  const { balance, allowances, codes } = await atSnapshot(chain, async (client, pin) => ({
    balance: await balanceOf(client, pin, sellToken, taker),
    allowances: await Promise.all(
      spenders.map((spender) => allowanceOf(client, pin, sellToken, taker, spender)),
    ),
    codes: await Promise.all(called.map((one) => codeAt(client, pin, one as Address))),
  }))
  const { baseFee, isNative } = await readFromChain(async () => ({
    baseFee: await baseFeeAt(chain),
    isNative: await isWrappedNative(
      ...([chain.clients[0], chain.block, chain.chainId, pair.quote as Address] as const),
    ),
  }))
  return {
    takerBalance: balance === null ? null : `${balance}`,
    // An unreadable allowance counts as 0, so the plan includes the full allowance.
    allowances: spenders.map((spender, index) => ({
      spender,
      amount: `${allowances[index] ?? 0n}`,
    })),
    contracts: called.map((address, index) => ({ address, codeHash: keccak256(codes[index]!) })),
    baseFeeWei: baseFee === null ? null : `${baseFee}`,
    isQuoteWrappedNative: isNative,
  }
}

/** Base fee in the snapshot's block; null on a chain that has no base fee. */
async function baseFeeAt({ clients, block }: PinnedChain): Promise<bigint | null> {
  const found = await ask<{ readonly baseFeePerGas?: Hex } | null>(
    ...([clients[0], 'eth_getBlockByHash', [block.hash, false]] as const),
  )
  return found?.baseFeePerGas === undefined ? null : BigInt(found.baseFeePerGas)
}
