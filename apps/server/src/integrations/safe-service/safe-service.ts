import { type Address, getAddress, type Hex, isAddress, isHex, size } from 'viem'
import { AnswerJsonError, parseAnswer } from '../../answer-json.ts'
import { limits } from '../../limits.ts'
import type { ProviderAccess } from '../../services.ts'
import type { SafeCall } from '../chain/safe-executions.ts'
import { FeedError } from '../feeds/feed-error.ts'
import { codeForTenants, OutboundError } from '../outbound/outbound-error.ts'
import { type FeedHost, openEndpoint } from '../providers/provider-endpoint.ts'
import { secretFor } from '../providers/provider-secret.ts'

/** A signature in the queue of a Safe, as the provider reports it. */
export interface QueuedSignature {
  readonly owner: Address
  /** Null for an approval on chain. */
  readonly signature: Hex | null
  /** ISO time; null if unreadable. */
  readonly signedAt: string | null
}

/** A transaction in the queue of a Safe. */
export interface QueuedTransaction {
  readonly safeTxHash: Hex
  readonly nonce: string
  readonly signatures: readonly QueuedSignature[]
  readonly isExecuted: boolean
  readonly transactionHash: Hex | null
}

/**
 * Reads the chain that a Safe Transaction Service serves.
 *
 * @throws FeedError UNAVAILABLE without a response; ANSWER_REFUSED for another form
 * @see Safe Transaction Service, `GET /api/v1/about/ethereum-rpc/`
 */
export async function readServiceChain(host: FeedHost, services: ProviderAccess): Promise<number> {
  const body = membersOf(await get(host, '/api/v1/about/ethereum-rpc/', services))
  const { chain_id: chainId } = body
  if (typeof chainId === 'number' && Number.isSafeInteger(chainId)) return chainId
  throw shapeFault('chain_id is not an integer')
}

/**
 * Reads a transaction of the queue by its Safe hash.
 *
 * @returns null if the service does not know the hash
 * @throws FeedError as `readServiceChain`
 * @see Safe Transaction Service, `GET /api/v2/multisig-transactions/{safeTxHash}/`
 */
export async function readQueued(
  host: FeedHost,
  safeTxHash: Hex,
  services: ProviderAccess,
): Promise<QueuedTransaction | null> {
  const path = `/api/v2/multisig-transactions/${safeTxHash}/`
  const answer = await get(host, path, services, { isMissingAllowed: true })
  if (answer === null) return null
  const found = transactionOf(answer)
  if (found.safeTxHash === safeTxHash) return found
  throw FeedError.refused('WRONG_SUBJECT', 'a transaction with another safeTxHash')
}

function transactionOf(value: unknown): QueuedTransaction {
  const { safeTxHash, nonce, confirmations, isExecuted, transactionHash } = membersOf(value)
  if (!isHash(safeTxHash)) throw shapeFault('safeTxHash is not a hash')
  if (!/^\d{1,77}$/.test(`${nonce}`)) throw shapeFault('nonce is not an integer')
  const listed = confirmations ?? []
  if (!Array.isArray(listed)) throw shapeFault('confirmations is not a list')
  return {
    safeTxHash: safeTxHash.toLowerCase() as Hex,
    nonce: `${nonce}`,
    signatures: listed.map(signatureOf),
    isExecuted: isExecuted === true,
    transactionHash: isHash(transactionHash) ? transactionHash : null,
  }
}

/**
 * The waiting transactions of a Safe, at most 100.
 *
 * @throws FeedError as `readServiceChain`
 * @see Safe Transaction Service, `GET /api/v2/safes/{address}/multisig-transactions/`
 */
export async function readWaiting(
  host: FeedHost,
  safe: Address,
  services: ProviderAccess,
): Promise<QueuedTransaction[]> {
  const path = `/api/v2/safes/${safe}/multisig-transactions/?executed=false&limit=100`
  const answer = await get(host, path, services, { isMissingAllowed: true })
  if (answer === null) return []
  const { results } = membersOf(answer)
  if (!Array.isArray(results)) throw shapeFault('results is not a list')
  return results.map(transactionOf)
}

/**
 * True if an owner of a Safe has registered an account as a delegate, which may queue transactions.
 * The Safe Transaction Service verified the signature of the owner; a delegate has no authority on
 * chain.
 *
 * @throws FeedError as `readServiceChain`
 * @see Safe Transaction Service, `GET /api/v2/delegates/`
 */
export async function isDelegateOf(
  { safe, owners, delegate }: { safe: Address; owners: readonly string[]; delegate: Address },
  host: FeedHost,
  services: ProviderAccess,
): Promise<boolean> {
  const isSame = (value: unknown, address: string) =>
    typeof value === 'string' && value.toLowerCase() === address.toLowerCase()
  const isFound = (one: Readonly<Record<string, unknown>>) => {
    // Without a Safe, the delegate is one of all Safes of the owner.
    const isOfSafe = one.safe === null || isSame(one.safe, safe)
    const isOfOwner = owners.some((owner) => isSame(one.delegator, owner))
    return isOfSafe && isOfOwner && isSame(one.delegate, delegate) && !hasExpired(one.expiryDate)
  }
  for (let page = 0; page < maxDelegatePages; page += 1) {
    // The filter `safe` is exact, so it would exclude delegates without a Safe.
    const query = new URLSearchParams({
      delegate: getAddress(delegate),
      limit: `${delegatesPerPage}`,
      offset: `${page * delegatesPerPage}`,
    })
    const answer = membersOf(await get(host, `/api/v2/delegates/?${query}`, services))
    const { results, next = null } = answer
    if (!Array.isArray(results)) throw shapeFault('results is not a list')
    if (results.map(membersOf).some(isFound)) return true
    if (next === null) return false
  }
  return false
}

/** The service returns at most 100 delegations per page. */
const delegatesPerPage = 100
/** Anyone can register an account as a delegate, so the list has no limit of its own. */
const maxDelegatePages = 5

const hasExpired = (expiry: unknown) =>
  typeof expiry === 'string' && !(Date.parse(expiry) > Date.now())

interface Queueing {
  readonly safe: Address
  readonly call: SafeCall
  readonly nonce: string
  readonly safeTxHash: Hex
  readonly owner: Address
  readonly signature: Hex
}

/**
 * Puts a signed transaction into the queue of a Safe.
 *
 * @throws FeedError UNAVAILABLE without a response; ANSWER_REFUSED if the service rejects it
 * @see Safe Transaction Service, `POST /api/v2/safes/{address}/multisig-transactions/`
 */
export async function queueTransaction(
  host: FeedHost,
  { safe, call, nonce, safeTxHash, owner, signature }: Queueing,
  services: ProviderAccess,
): Promise<void> {
  await send(host, `/api/v2/safes/${safe}/multisig-transactions/`, services, {
    to: call.to,
    value: `${call.value}`,
    data: call.data === '0x' ? null : call.data,
    operation: call.operation,
    safeTxGas: `${call.safeTxGas}`,
    baseGas: `${call.baseGas}`,
    gasPrice: `${call.gasPrice}`,
    gasToken: call.gasToken,
    refundReceiver: call.refundReceiver,
    nonce,
    contractTransactionHash: safeTxHash,
    sender: owner,
    signature,
    origin: JSON.stringify({ name: 'Liquidity OS' }),
  })
}

function signatureOf(one: unknown): QueuedSignature {
  const { owner, signature, submissionDate } = membersOf(one)
  if (typeof owner !== 'string' || !isAddress(owner, { strict: false })) {
    throw shapeFault('the owner of a confirmation is not an address')
  }
  const at = typeof submissionDate === 'string' ? Date.parse(submissionDate) : Number.NaN
  return {
    owner: getAddress(owner),
    signature: isHex(signature) && size(signature) <= maxSignatureBytes ? signature : null,
    signedAt: Number.isNaN(at) ? null : new Date(at).toISOString(),
  }
}

const maxSignatureBytes = 4096

const isHash = (value: unknown): value is Hex => isHex(value) && size(value) === 32

const shapeFault = (detail: string) => FeedError.refused('SHAPE', detail)

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>
  }
  throw shapeFault('not an object')
}

async function get(
  host: FeedHost,
  path: string,
  services: ProviderAccess,
  { isMissingAllowed = false } = {},
): Promise<unknown> {
  const { status, body } = await exchange(host, path, services)
  if (status === 404 && isMissingAllowed) return null
  if (status !== 200) throw FeedError.unavailable(`HTTP ${status}`)
  try {
    return parseAnswer(body)
  } catch (error) {
    if (!(error instanceof AnswerJsonError)) throw error
    throw FeedError.refused(error.fault, error.message)
  }
}

/** Statuses that mean a rejected transaction, not an unreachable service. */
const rejections: ReadonlySet<number> = new Set([400, 422])

async function send(
  host: FeedHost,
  path: string,
  services: ProviderAccess,
  content: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { status } = await exchange(host, path, services, content)
  if (rejections.has(status)) {
    throw FeedError.refused('WRONG_SUBJECT', `the transaction is rejected with HTTP ${status}`)
  }
  if (status < 200 || status > 299) throw FeedError.unavailable(`HTTP ${status}`)
}

async function exchange(
  host: FeedHost,
  path: string,
  services: ProviderAccess,
  content?: Readonly<Record<string, unknown>>,
) {
  const outbound = await services.outbound()
  const endpoint = openEndpoint(host, host.organizationId, services.sealing).replace(/\/+$/, '')
  const owner = { organizationId: host.organizationId, host: new URL(endpoint).hostname }
  const secret = secretFor(host.credentialReference, owner, services.sealing)
  try {
    return await outbound.request(`${endpoint}${path}`, {
      headers: {
        accept: 'application/json',
        ...(content ? { 'content-type': 'application/json' } : {}),
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
      },
      ...(content ? { method: 'POST' as const, body: JSON.stringify(content) } : {}),
      timeoutMs: limits.feedMilliseconds,
      maxBytes: limits.feedAnswerBytes,
    })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw FeedError.unavailable(codeForTenants(error.code), { cause: error })
  }
}
