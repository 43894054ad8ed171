import type { Address, Hex } from 'viem'
import { tokenAbi } from '../../../../integrations/chain/abis.ts'
import {
  faultOfContractSignature,
  faultOfKeySignature,
} from '../../../../integrations/chain/account-signature.ts'
import type { ChainClient } from '../../../../integrations/chain/client.ts'
import { answered, readContract } from '../../../../integrations/chain/contract-call.ts'
import { agreeOnAnswer, type Pin, readAtBlock } from '../../../../integrations/chain/finalized.ts'
import { allowanceAbi } from '../../../../integrations/chain/periphery-abis.ts'
import { type PinnedChain, readFromChain } from '../../../../market/treasury/treasury-snapshot.ts'
import { gpv2DomainSeparator, settlementAbi } from './gpv2-order.ts'
import type { Offer } from './offer.ts'

/**
 * On-chain facts about a settlement contract and the delivering account; null fields could not be
 * read.
 */
export interface SettlementFacts {
  /** True for GPv2 signatures for this chain. */
  readonly isGpv2: boolean
  /**
   * The account that transfers the tokens of a market maker: its relayer, or the market maker
   * itself.
   */
  readonly relayer: string | null
}

export interface OfferFacts {
  /** Reason the signature is not the market maker's, or null. */
  readonly signatureFault: string | null
  readonly balance: bigint | null
  readonly allowance: bigint | null
  /** Filled amount of a GPv2 order. */
  readonly filled: bigint | null
}

/** @throws Failure as the chain refuses */
export function readSettlement(chain: PinnedChain, settlement: string): Promise<SettlementFacts> {
  const address = settlement as Address
  return atSnapshot(chain, async (client, pin) => {
    const ask = <Name extends 'domainSeparator' | 'vaultRelayer'>(functionName: Name) =>
      answered(() => readContract(client, pin, { address, abi: settlementAbi, functionName }))
    const [separator, relayer] = await Promise.all([ask('domainSeparator'), ask('vaultRelayer')])
    const isGpv2 = separator === gpv2DomainSeparator(chain.chainId, settlement)
    return { isGpv2, relayer: isGpv2 ? relayer : null }
  })
}

/** @throws Failure as the chain refuses */
export function readOffers(
  chain: PinnedChain,
  settlement: string,
  { relayer }: SettlementFacts,
  offers: readonly Offer[],
): Promise<OfferFacts[]> {
  return atSnapshot(chain, (client, pin) =>
    Promise.all(
      offers.map(async (offer): Promise<OfferFacts> => {
        const spender = offer.signed.kind === 'GPV2_ORDER' ? relayer : settlement
        const [signatureFault, balance, allowance, filled] = await Promise.all([
          signatureFaultOf(client, pin, offer),
          balanceOf(client, pin, offer.buyToken, offer.maker),
          spender === null ? null : allowanceOf(client, pin, offer.buyToken, offer.maker, spender),
          offer.orderUid === null ? null : filledOf(client, pin, settlement, offer.orderUid),
        ])
        return { signatureFault, balance, allowance, filled }
      }),
    ),
  )
}

function signatureFaultOf(client: ChainClient, pin: Pin, offer: Offer): Promise<string | null> {
  const signature = offer.signed.signature as Hex
  const signer = offer.maker as Address
  const digest = offer.quoteHash
  return offer.signed.makerKind === 'EOA'
    ? faultOfKeySignature(digest, signature, signer)
    : faultOfContractSignature(client, pin, { digest, signature, signer })
}

export const balanceOf = (client: ChainClient, pin: Pin, token: string, holder: string) =>
  answered(() =>
    readContract(client, pin, {
      address: token as Address,
      abi: tokenAbi,
      functionName: 'balanceOf',
      args: [holder as Address],
    }),
  )

export const allowanceOf = (
  client: ChainClient,
  pin: Pin,
  token: string,
  holder: string,
  spender: string,
) =>
  answered(() =>
    readContract(client, pin, {
      address: token as Address,
      abi: allowanceAbi,
      functionName: 'allowance',
      args: [holder as Address, spender as Address],
    }),
  )

const filledOf = (client: ChainClient, pin: Pin, settlement: string, orderUid: Hex) =>
  answered(() =>
    readContract(client, pin, {
      address: settlement as Address,
      abi: settlementAbi,
      functionName: 'filledAmount',
      args: [orderUid],
    }),
  )

/** The same from every provider of the chain, at the block of the snapshot. */
export function atSnapshot<Value>(
  { clients, block }: PinnedChain,
  read: (client: ChainClient, pin: Pin) => Promise<Value>,
): Promise<Value> {
  return readFromChain(() =>
    agreeOnAnswer(clients, (client) => readAtBlock(client, block, (pin) => read(client, pin))),
  )
}
