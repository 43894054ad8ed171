import type { contract } from '@liquidity-os/contract'
import { type Address, type Hex, parseAbi } from 'viem'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import { answered, readContract } from '../../../integrations/chain/contract-call.ts'
import { agreeOnAnswer, type Pin, readAtBlock } from '../../../integrations/chain/finalized.ts'
import { readRunningCode } from '../../../integrations/chain/running-code.ts'
import { type PinnedChain, readFromChain } from '../../../market/treasury/treasury-snapshot.ts'
import { readSigned, type Signed } from './authority.ts'
import { type ControlClaim, defaultAdminRole, type WalkedPath, walkPath } from './control-path.ts'
import { type RoleHolders, readOtherHolders } from './roles.ts'

const tokenAbi = parseAbi([
  'function symbol() view returns (string)',
  'function pendingOwner() view returns (address)',
  'function pendingDefaultAdmin() view returns (address newAdmin, uint48 schedule)',
])

const zero = '0x0000000000000000000000000000000000000000'

/** Runs reads at the block of the snapshot through every provider of the chain; all must agree. */
function agreed<Answer>(
  { clients, block }: PinnedChain,
  read: (client: ChainClient, pin: Pin) => Promise<Answer>,
): Promise<Answer> {
  return readFromChain(() =>
    agreeOnAnswer(clients, (client) => readAtBlock(client, block, (pin) => read(client, pin))),
  )
}

/** Current path of a claim, and the token symbol if it is safe to display. */
export function readClaim(
  chain: PinnedChain,
  claim: ControlClaim,
): Promise<{ walked: WalkedPath; tokenSymbol: string | null }> {
  return agreed(chain, async (client, pin) => {
    const [walked, tokenSymbol] = await Promise.all([
      walkPath(client, pin, claim),
      readSymbol(client, pin, claim.token),
    ])
    return { walked, tokenSymbol }
  })
}

/** The path of a claim, without the token symbol. */
export const readPath = (chain: PinnedChain, claim: ControlClaim): Promise<WalkedPath> =>
  agreed(chain, (client, pin) => walkPath(client, pin, claim))

export interface ControlReading {
  readonly walked: WalkedPath
  readonly signed: Signed
  readonly code: contract.RunningCode
  readonly pending: contract.ProjectControlProof['pending']
  readonly holders: RoleHolders | null
}

export function readControl(
  chain: PinnedChain,
  claim: ControlClaim,
  { digest, signature }: { readonly digest: Hex; readonly signature: Hex },
): Promise<ControlReading> {
  const { chainId } = chain
  return agreed(chain, async (client, pin) => {
    const [walked, signed, code, pending, holders] = await Promise.all([
      walkPath(client, pin, claim),
      readSigned(client, pin, { chainId, digest, signature, signer: claim.claimant }),
      readRunningCode(client, pin, claim.token),
      readPending(client, pin, claim.token),
      readHolders(client, pin, claim),
    ])
    return { walked, signed, code, pending, holders }
  })
}

/**
 * Token symbol, if it is safe in a signed message. A token chooses its symbol, so a line break
 * could forge a line of the message.
 */
async function readSymbol(client: ChainClient, pin: Pin, address: Address): Promise<string | null> {
  const symbol = await answered(() =>
    readContract(client, pin, { address, abi: tokenAbi, functionName: 'symbol' }),
  )
  return symbol !== null && /^[A-Za-z0-9$._+-]{1,32}$/.test(symbol) ? symbol : null
}

async function readPending(client: ChainClient, pin: Pin, address: Address) {
  const at = { address, abi: tokenAbi } as const
  const [owner, admin] = await Promise.all([
    answered(() => readContract(client, pin, { ...at, functionName: 'pendingOwner' })),
    answered(() => readContract(client, pin, { ...at, functionName: 'pendingDefaultAdmin' })),
  ])
  const orNull = (found: Address | undefined | null) => (!found || found === zero ? null : found)
  return { pendingOwner: orNull(owner), pendingDefaultAdmin: orNull(admin?.[0]) }
}

async function readHolders(
  client: ChainClient,
  pin: Pin,
  { method, role, token, via, claimant }: ControlClaim,
): Promise<RoleHolders | null> {
  const claimed = method === 'ROLE' ? role : method === 'DEFAULT_ADMIN' ? defaultAdminRole : null
  if (claimed === null) return null
  // The account named by the token is the first step of the path.
  return readOtherHolders(client, pin, token, { role: claimed, account: via[0] ?? claimant })
}
