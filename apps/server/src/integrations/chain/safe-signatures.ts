import {
  type Address,
  concatHex,
  domainSeparator,
  getAddress,
  type Hex,
  hashMessage,
  hashStruct,
  hexToBigInt,
  isAddressEqual,
  parseAbi,
  size,
  slice,
} from 'viem'
import { keccak256 } from '../../keccak256.ts'
import { CallRevertedError } from './chain-error.ts'
import type { ChainClient } from './client.ts'
import { readContract } from './contract-call.ts'
import type { Pin } from './finalized.ts'
import { recoverSigner, type SplitSignature, splitSignature } from './key-signature.ts'
import { readSafe, type SafeAccount, safeAbi } from './safe-account.ts'

/** EIP-1271, and the variant that Safes before 1.5.0 call. */
const validatorAbi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])
const legacyValidatorAbi = parseAbi([
  'function isValidSignature(bytes data, bytes signature) view returns (bytes4)',
])
const magic = '0x1626ba7e'
const legacyMagic = '0x20c13b0b'

/** Maximum depth of Safes as owners of Safes. */
const deepest = 4
const signatureBytes = 65

export interface SafeVerdict {
  /** The digest that owners sign: the hash of the SafeMessage. */
  readonly messageHash: Hex
  /** Owners who signed, ascending; empty if the message was signed on chain. */
  readonly signers: readonly Address[]
  readonly fault: string | null
}

interface SignatureCheck {
  readonly chainId: number
  readonly safe: SafeAccount
  readonly message: Hex
  readonly signatures: Hex
}

/**
 * Checks Safe signatures over a digest at a pinned block in two independent ways. It recovers the
 * owners from the packed signatures by the contract's rules, and it calls the contract by EIP-1271.
 * Both checks must pass.
 *
 * @param input.digest signed digest, 32 bytes
 * @param input.signatures packed for `checkSignatures`; empty if signed on chain
 * @throws ChainError if a read fails
 * @see Safe 1.3.0 and 1.4.1: `checkNSignatures`; CompatibilityFallbackHandler: `isValidSignature`
 */
export async function checkSafeSignatures(
  client: ChainClient,
  pin: Pin,
  requested: Omit<SignatureCheck, 'message'> & { readonly digest: Hex },
): Promise<SafeVerdict> {
  const { chainId, safe, signatures, digest } = requested
  // The handler wraps the digest as bytes; a 32-byte word is encoded unchanged.
  const verdict = await verdictOf(client, pin, { chainId, safe, message: digest, signatures }, 1)
  if (verdict.fault !== null) return verdict
  const answer = await answerOf(() =>
    readContract(client, pin, {
      address: safe.address,
      abi: validatorAbi,
      functionName: 'isValidSignature',
      args: [digest, signatures],
    }),
  )
  return answer === magic
    ? verdict
    : { ...verdict, fault: `isValidSignature of the Safe returned ${answer ?? 'nothing'}` }
}

async function verdictOf(
  client: ChainClient,
  pin: Pin,
  requestedValue: SignatureCheck,
  depth: number,
): Promise<SafeVerdict> {
  const { safe, signatures } = requestedValue
  const encoded = encodedMessage(requestedValue)
  const messageHash = keccak256(encoded)
  const checkResult = (fault: string | null, signers: readonly Address[] = []): SafeVerdict => ({
    messageHash,
    signers,
    fault,
  })
  if (size(signatures) === 0) {
    const signed = await readContract(client, pin, {
      address: safe.address,
      abi: safeAbi,
      functionName: 'signedMessages',
      args: [messageHash],
    })
    return checkResult(signed === 0n ? 'the message was not signed on chain' : null)
  }
  const needed = safe.threshold * signatureBytes
  if (size(signatures) < needed) {
    return checkResult(`${safe.threshold} signatures required, got ${size(signatures)} bytes`)
  }
  const signers: Address[] = []
  for (let index = 0; index < safe.threshold; index += 1) {
    const signer = await signerAt(
      client,
      pin,
      { ...requestedValue, encoded, messageHash },
      index,
      depth,
    )
    if (signer === null) return checkResult(`signature ${index} has no valid signer`)
    const fault = orderFault(safe, signer, signers.at(-1))
    if (fault !== null) return checkResult(`signature ${index} ${fault}`)
    signers.push(signer)
  }
  return checkResult(null, signers)
}

function orderFault({ owners }: SafeAccount, signer: Address, last?: Address): string | null {
  if (!owners.some((owner) => isAddressEqual(owner, signer)))
    return `is by ${signer}, which is not an owner`
  if (last !== undefined && BigInt(signer) <= BigInt(last))
    return 'is not in ascending order of owners'
  return null
}

/** Preimage: 0x1901, the domain of the Safe, and the hash of SafeMessage(bytes message). */
function encodedMessage({ chainId, safe, message }: SignatureCheck): Hex {
  const domain = { chainId, verifyingContract: safe.address }
  const types = { SafeMessage: [{ name: 'message', type: 'bytes' }] }
  const struct = hashStruct({ data: { message }, types, primaryType: 'SafeMessage' })
  return concatHex(['0x1901', domainSeparator({ domain }), struct])
}

interface Signed extends SignatureCheck {
  readonly encoded: Hex
  readonly messageHash: Hex
}

async function signerAt(
  client: ChainClient,
  pin: Pin,
  request: Signed,
  index: number,
  depth: number,
): Promise<Address | null> {
  const parts = splitSignature(request.signatures, index)
  const { messageHash } = request
  if (parts.v === 0) return contractSigner(client, pin, request, parts, depth)
  if (parts.v === 1) return approver(client, pin, request, parts)
  if (parts.v === 31 || parts.v === 32) {
    const digest = hashMessage({ raw: messageHash })
    return recoverSigner(digest, { ...parts, v: parts.v - 4 })
  }
  return recoverSigner(messageHash, parts)
}

/** v = 1: an owner approved the hash on chain. */
async function approver(
  client: ChainClient,
  pin: Pin,
  { safe, messageHash }: Signed,
  { r }: SplitSignature,
): Promise<Address | null> {
  const owner = addressOf(r)
  const approved = await readContract(client, pin, {
    address: safe.address,
    abi: safeAbi,
    functionName: 'approvedHashes',
    args: [owner, messageHash],
  })
  return approved === 0n ? null : owner
}

/**
 * v = 0: a contract signature. Calls the same function as this Safe version does. If the signer is
 * also a Safe, its owners are recovered as well.
 */
async function contractSigner(
  client: ChainClient,
  pin: Pin,
  query: Signed,
  { r, s }: SplitSignature,
  depth: number,
): Promise<Address | null> {
  const { safe, messageHash, chainId } = query
  const nested = tailOf(query, s)
  if (nested === null || depth >= deepest) return null
  const owner = addressOf(r)
  const legacy = legacyDataOf(query)
  const from = safe.address
  const answer = await answerOf(() =>
    legacy === null
      ? readContract(client, pin, {
          address: owner,
          abi: validatorAbi,
          functionName: 'isValidSignature',
          from,
          args: [messageHash, nested],
        })
      : readContract(client, pin, {
          address: owner,
          abi: legacyValidatorAbi,
          functionName: 'isValidSignature',
          from,
          args: [legacy, nested],
        }),
  )
  if (answer !== (legacy === null ? magic : legacyMagic)) return null
  const inner = await readSafe(client, pin, owner)
  if (inner === null) return owner
  const message = legacy ?? messageHash
  const below = { chainId, safe: inner, message, signatures: nested }
  const verdict = await verdictOf(client, pin, below, depth + 1)
  return verdict.fault === null ? owner : null
}

/** Signature bytes of a contract at offset `s`; null if out of bounds by the rules of the Safe. */
function tailOf({ safe, signatures }: Signed, s: Hex): Hex | null {
  const start = hexToBigInt(s)
  const whole = BigInt(size(signatures))
  if (start < BigInt(safe.threshold * signatureBytes) || start + 32n > whole) return null
  const from = Number(start) + 32
  const length = hexToBigInt(slice(signatures, Number(start), from))
  if (BigInt(from) + length > whole) return null
  return length === 0n ? '0x' : slice(signatures, from, from + Number(length))
}

/**
 * Data that a Safe passes to a signing contract. Handler 1.3.0 passes the plain message, 1.4.1 the
 * encoded SafeMessage. From 1.5.0 it is the hash by EIP-1271: null.
 */
function legacyDataOf({ safe, message, encoded }: Signed): Hex | null {
  const [major = 0, minor = 0] = safe.version.split('.').map(Number)
  if (major > 1 || minor >= 5) return null
  const handler = safe.fallbackHandlerName ?? safe.version
  return handler.endsWith('1.3.0') ? message : encoded
}

const addressOf = (word: Hex): Address => getAddress(slice(word, 12, 32))

async function answerOf(ask: () => Promise<Hex>): Promise<Hex | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof CallRevertedError) return null
    throw error
  }
}
