import { isDeepStrictEqual } from 'node:util'
import type { contract } from '@liquidity-os/contract'
import { type Address, getAddress, type Hex, isAddressEqual, parseAbi } from 'viem'
import { Failure } from '../../../failure.ts'
import { CallRevertedError } from '../../../integrations/chain/chain-error.ts'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import { readContract } from '../../../integrations/chain/contract-call.ts'
import { isDelegation } from '../../../integrations/chain/delegation.ts'
import { agreeOnAnswer, type Pin, readAtBlock } from '../../../integrations/chain/finalized.ts'
import type { Header } from '../../../integrations/chain/header.ts'
import { recoverStrictSigner } from '../../../integrations/chain/key-signature.ts'
import { codeAt, readSafe, type SafeAccount } from '../../../integrations/chain/safe-account.ts'
import {
  checkSafeSignatures,
  type SafeVerdict,
} from '../../../integrations/chain/safe-signatures.ts'
import { keccak256 } from '../../../keccak256.ts'
import { type PinnedChain, readFromChain } from '../../../market/treasury/treasury-snapshot.ts'

type Authority = contract.CustodyReceipt['authority']
type KeySignature = Extract<contract.CustodySignature, { scheme: 'EIP712_EOA' }>
type SafeSignature = Extract<contract.CustodySignature, { scheme: 'EIP712_SAFE' }>

const ownedAbi = parseAbi(['function owner() view returns (address)'])

/** Reads at a block through every provider of the chain; all must agree. */
const readAll = <Answer>(
  { clients }: PinnedChain,
  block: Header,
  read: (client: ChainClient, pin: Pin) => Promise<Answer>,
): Promise<Answer> =>
  readFromChain(() =>
    agreeOnAnswer(clients, (client) => readAtBlock(client, block, (pin) => read(client, pin))),
  )

/**
 * Account whose key signed a digest, at the finalized head.
 *
 * @throws Failure 422 if another key signed, or the account has contract code
 */
export async function keyAuthority(
  chain: PinnedChain,
  controller: Address,
  digest: Hex,
  { signature }: KeySignature,
): Promise<Authority> {
  const signer = await recoverStrictSigner(digest, signature as Hex)
  if (signer === null || !isAddressEqual(signer, controller)) {
    throw signatureInvalid(`must be a signature by ${controller}, got one by ${signer ?? 'nobody'}`)
  }
  const code = await readAll(chain, chain.block, (client, pin) => codeAt(client, pin, controller))
  const isDelegated = isDelegation(code)
  if (code !== '0x' && !isDelegated) {
    throw unproven('controller', `must be an externally owned account, got a contract`)
  }
  return {
    kind: 'EOA',
    address: getAddress(controller),
    codeHash: keccak256(code),
    flags: isDelegated ? ['DELEGATED_EOA'] : [],
  }
}

/**
 * Safe that signed a digest, at the finalized head. Its owners must equal those at the statement's
 * block.
 *
 * @throws Failure 412 if control has changed since, 422 if the Safe did not sign
 */
export async function safeAuthority(
  chain: PinnedChain,
  statementBlock: Header,
  controller: Address,
  digest: Hex,
  { signature }: SafeSignature,
): Promise<Authority> {
  const { chainId } = chain
  const read = (block: Header) =>
    readAll(chain, block, (client, pin) => readSafe(client, pin, controller))
  const [safe, before] = await Promise.all([read(chain.block), read(statementBlock)])
  if (safe === null) throw unproven('controller', `must be a Safe for scheme EIP712_SAFE`)
  requireUnchanged(safe, before)
  const signed = { chainId, safe, digest, signatures: signature as Hex }
  const verdict = await readAll(chain, chain.block, (client, pin) =>
    checkSafeSignatures(client, pin, signed),
  )
  if (verdict.fault !== null) {
    throw signatureInvalid(`must be signatures of ${safe.threshold} owners: ${verdict.fault}`)
  }
  return serializeSafe(safe, verdict)
}

/** Members of a Safe that determine its control: owners, threshold and code. */
type Decisive = {
  readonly owners: readonly string[]
  readonly threshold: number
  readonly singletonCodeHash: string
}
const decisive = ({ owners, threshold, singletonCodeHash }: Decisive) => ({
  owners: [...owners].sort(),
  threshold,
  singletonCodeHash,
})

function requireUnchanged(now: SafeAccount, before: SafeAccount | null): void {
  const change = changeOfAuthority(before, now)
  if (change === null) return
  throw new Failure('LIQUIDITY_CUSTODY_AUTHORITY_CHANGED', {
    fieldErrors: {
      'statement.blockNumber': [`must match the current owners, threshold and code: ${change}`],
    },
  })
}

/** Change of control as text, or null. An account without a Safe is null. */
function changeOfAuthority(before: Decisive | null, now: Decisive | null): string | null {
  if (before && now && isDeepStrictEqual(decisive(now), decisive(before))) return null
  const describeSafe = (safe: Decisive | null) =>
    safe
      ? `${safe.threshold} of ${[...safe.owners].sort().join(', ')} with code ${safe.singletonCodeHash}`
      : 'no Safe'
  return `then ${describeSafe(before)}, now ${describeSafe(now)}`
}

/**
 * Checks at the finalized head that the signing authority is unchanged and still controls the
 * container.
 *
 * @returns the change as text, or null
 */
export async function findLostAuthority(
  chain: PinnedChain,
  statement: contract.CustodyStatement,
  authority: Authority,
): Promise<string | null> {
  if (authority.kind === 'SAFE') {
    const safe = await readAll(chain, chain.block, (client, pin) =>
      readSafe(client, pin, authority.address as Address),
    )
    const change = changeOfAuthority(authority, safe)
    if (change !== null) return change
  }
  try {
    await requireControl(chain, statement, getAddress(statement.container.slice(-42)))
    return null
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'LIQUIDITY_CUSTODY_CONTROL_UNPROVEN') {
      throw error
    }
    return Object.values(error.detail.fieldErrors ?? {})
      .flat()
      .join(' ')
  }
}

function serializeSafe(safe: SafeAccount, { messageHash, signers }: SafeVerdict): Authority {
  const { nonce: _, owners, modules, ...known } = safe
  return {
    kind: 'SAFE',
    ...known,
    owners: [...owners],
    modules: [...modules],
    messageHash,
    signers: [...signers],
    flags: modules.length > 0 ? ['MODULE_CAN_MOVE_FUNDS'] : [],
  }
}

/**
 * Verifies a relation to a container at the finalized head.
 *
 * @returns the finding as text
 * @throws Failure 422 LIQUIDITY_CUSTODY_CONTROL_UNPROVEN
 */
export async function requireControl(
  chain: PinnedChain,
  { relation, controller }: contract.CustodyStatement,
  container: Address,
): Promise<string> {
  if (relation === 'SELF') return 'The controller is the container.'
  const found =
    relation === 'OWNER'
      ? await readAll(chain, chain.block, (client, pin) => ownerOf(client, pin, container))
      : await readAll(chain, chain.block, (client, pin) => soleSigner(client, pin, container))
  if (typeof found === 'object' && found.some((one) => one === controller)) {
    return relation === 'OWNER'
      ? 'owner() of the container returns the controller.'
      : 'The container is a Safe with a threshold of 1, and the controller is one of its owners.'
  }
  const came = typeof found === 'string' ? found : `one of ${found.join(', ')}`
  throw unproven('relation', `must have the relation ${relation} to ${container}`, came)
}

async function ownerOf(
  client: ChainClient,
  pin: Pin,
  container: Address,
): Promise<readonly Address[] | string> {
  try {
    return [
      await readContract(client, pin, { address: container, abi: ownedAbi, functionName: 'owner' }),
    ]
  } catch (error) {
    if (error instanceof CallRevertedError) return 'an account without owner()'
    throw error
  }
}

async function soleSigner(
  client: ChainClient,
  pin: Pin,
  container: Address,
): Promise<readonly Address[] | string> {
  const safe = await readSafe(client, pin, container)
  if (safe === null) return 'an account that is not a Safe'
  return safe.threshold === 1 ? safe.owners : `a Safe with a threshold of ${safe.threshold}`
}

export function signatureInvalid(message: string): Failure {
  return new Failure('LIQUIDITY_CUSTODY_SIGNATURE_INVALID', {
    // Either the signature or the statement could be wrong.
    fieldErrors: {
      'signature.signature': [message],
      statement: ['must match the signed statement'],
    },
  })
}

const unproven = (member: string, expected: string, came?: string) =>
  new Failure('LIQUIDITY_CUSTODY_CONTROL_UNPROVEN', {
    fieldErrors: { [`statement.${member}`]: [came ? `${expected}, got ${came}` : expected] },
  })
