import type { contract } from '@liquidity-os/contract'
import type { Address } from 'viem'
import { Failure } from '../../../failure.ts'
import { isDelegation } from '../../../integrations/chain/delegation.ts'
import { agreeOnAnswer, readAtBlock } from '../../../integrations/chain/finalized.ts'
import { codeAt, readSafe } from '../../../integrations/chain/safe-account.ts'
import { type PinnedChain, readFromChain } from '../../../market/treasury/treasury-snapshot.ts'

type ChainContainer = Extract<contract.TreasuryContainer, { address: string }>

/**
 * Checks an account against its stated kind at the snapshot's block.
 *
 * @throws Failure 422 LIQUIDITY_TREASURY_CONTAINER_KIND_MISMATCH
 */
export async function requireKind(chain: PinnedChain, container: ChainContainer): Promise<void> {
  const { kind } = container
  const address = container.address as Address
  const found = await readFromChain(() =>
    agreeOnAnswer(chain.clients, (client) =>
      readAtBlock(client, chain.block, async (pin) => {
        const code = await codeAt(client, pin, address)
        if (code === '0x') return 'an account without code'
        if (isDelegation(code)) return 'a delegating account'
        return (await readSafe(client, pin, address)) ? 'a Safe' : 'a contract'
      }),
    ),
  )
  const isKey = found === 'an account without code' || found === 'a delegating account'
  const isOfKind =
    kind === 'MARKET_MAKER_ACCOUNT' ||
    (kind === 'EOA' && isKey) ||
    (kind === 'SAFE' && found === 'a Safe') ||
    ((kind === 'CONTRACT' || kind === 'VESTING_CONTRACT') && !isKey)
  if (isOfKind) return
  throw new Failure('LIQUIDITY_TREASURY_CONTAINER_KIND_MISMATCH', {
    fieldErrors: {
      'payload.container.kind': [`must match the account, ${found}, got ${kind}`],
    },
  })
}
