import type { GrammarContext } from '@liquidity-os/engine/policy'
import { type Address, getAddress, parseAbi } from 'viem'
import { normalizeAddress } from '../../../http/address.ts'
import { answered, readContract } from '../../../integrations/chain/contract-call.ts'
import { agreeOnAnswer, readAtBlock } from '../../../integrations/chain/finalized.ts'
import type { Release } from '../../../market/adapters/release.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { readFromChain, takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Vault } from './vault-of.ts'

const tokenAbi = parseAbi(['function symbol() view returns (string)'])
const maxTokens = 32

/**
 * Vocabulary for policy text of a vault. It contains the pair's symbols, tokens of validated venues
 * on its chain, and adapter ids of the signed release. Symbols are read at the finalized block.
 *
 * @throws Failure 422 for a chain without provider, 503 if the chain is unavailable
 */
export async function grammarContext(
  records: TenantRecords,
  services: ProviderAccess,
  { payload: { chainId, pair } }: Vault,
  release: Release | null,
): Promise<GrammarContext> {
  const [base, quote] = [getAddress(pair.base), getAddress(pair.quote)]
  const tokens = await tokensOf(records, chainId, [base, quote])
  const adapters = release?.manifest.adapters ?? []
  return {
    now: BigInt(Math.floor(records.now / 1000)),
    base: { address: base, decimals: pair.baseDecimals },
    quote: { address: quote, decimals: pair.quoteDecimals },
    symbols: await symbolsOf(records, services, chainId, tokens),
    aliases: new Map(
      adapters.map(({ adapterId, contracts }) => [
        adapterId,
        contracts.flatMap((one) => (one.chainId === chainId ? [getAddress(one.address)] : [])),
      ]),
    ),
    adapterIds: new Set(adapters.map(({ adapterId }) => adapterId)),
    addressOf: (address) => normalizeAddress(address, chainId),
  }
}

async function tokensOf(
  records: TenantRecords,
  chainId: number,
  pair: readonly Address[],
): Promise<Address[]> {
  const venues = await records.find<VenueRecord['payload']>('VenueProfile', {
    status: ['VALIDATED'],
    order: 'OLDEST',
  })
  const others = venues.flatMap(({ payload }) =>
    payload.pair.chainId === chainId
      ? [getAddress(payload.pair.base), getAddress(payload.pair.quote)]
      : [],
  )
  return [...new Set([...pair, ...others])].slice(0, maxTokens)
}

async function symbolsOf(
  records: TenantRecords,
  services: ProviderAccess,
  chainId: number,
  tokens: readonly Address[],
): Promise<Map<string, string[]>> {
  const { chains } = await takeSnapshot(records, services, [chainId], 'payload.vaultId')
  const chain = chains.get(chainId)
  if (!chain) throw new Error(`The snapshot is not of chain ${chainId}.`)
  const answers = await readFromChain(() =>
    agreeOnAnswer(chain.clients, (client) =>
      readAtBlock(client, chain.block, (pin) =>
        Promise.all(
          tokens.map((address) =>
            answered(() =>
              readContract(client, pin, { address, abi: tokenAbi, functionName: 'symbol' }),
            ),
          ),
        ),
      ),
    ),
  )
  const symbols = new Map<string, string[]>()
  for (const [index, symbol] of answers.entries()) {
    const address = tokens[index]
    // Token contracts choose their symbols, so unusual ones are ignored.
    if (!address || symbol === null || !/^[A-Za-z$][A-Za-z0-9$_+-]{0,31}$/.test(symbol)) continue
    symbols.set(symbol, [...(symbols.get(symbol) ?? []), address])
  }
  return symbols
}
