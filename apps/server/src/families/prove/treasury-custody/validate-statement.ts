import { contract, type FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { validateSignedScalar } from '../../../http/signed-scalars.ts'
import { limits } from '../../../limits.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { isIdOf } from '../../../store/records/resource-types.ts'
import { dayMilliseconds } from '../../../units.ts'
import { organizationHashOf } from './signed-statement.ts'

type Statement = contract.CustodyStatement
type Signature = contract.CustodySignature

/**
 * Rejects a statement without verifiable content, independent of its signer.
 *
 * @throws Failure 422 LIQUIDITY_CUSTODY_STATEMENT_INVALID with every invalid field
 */
export function requireSoundStatement(statement: Statement, signature: Signature): void {
  const scalars = {
    ...validateSignedScalar(contract.CustodyStatement, statement, 'statement'),
    ...validateSigner(signature),
  }
  refuse(scalars)
  refuse({
    ...validateId(statement),
    ...validateHolding(statement),
    ...(signature.scheme === 'ED25519'
      ? validateCustodian(statement, signature)
      : validateAccount(statement, signature)),
  })
}

/**
 * Checks the times and the organization of a statement.
 *
 * @throws Failure 412 if it has expired, otherwise 422
 */
export function requireOfNow(
  { issuedAt, expiresAt, organizationHash }: Statement,
  { now, organizationId }: { now: number; organizationId: string },
): void {
  const [issued, expires] = [Date.parse(issuedAt), Date.parse(expiresAt)]
  const faults: FieldErrors = {}
  const latest = now + limits.custodyClockSkewMilliseconds
  if (issued > latest) {
    faults['statement.issuedAt'] = [`must be at most ${timeOf(latest)}, got ${issuedAt}`]
  }
  const longest = issued + limits.custodyLifetimeDays * dayMilliseconds
  if (expires > longest || expires <= issued) {
    const bound = `after issuedAt and at most ${timeOf(longest)}`
    faults['statement.expiresAt'] = [`must be ${bound}, got ${expiresAt}`]
  }
  const ours = organizationHashOf(organizationId)
  if (organizationHash !== ours) {
    faults['statement.organizationHash'] = [`must be ${ours}, got ${organizationHash}`]
  }
  refuse(faults)
  if (expires > now) return
  throw new Failure('LIQUIDITY_CUSTODY_AUTHORITY_CHANGED', {
    fieldErrors: { 'statement.expiresAt': [`must be after ${timeOf(now)}, got ${expiresAt}`] },
  })
}

const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString()

function validateSigner(signature: Signature): FieldErrors {
  if (signature.scheme === 'ED25519' || signature.signer === undefined) return {}
  const schema = contract.CustodyStatement.properties.addresses.items
  return validateSignedScalar(schema, signature.signer, 'signature.signer')
}

/** An evidence id must not look like a record id, because URLs accept both. */
function validateId({ evidenceId }: Statement): FieldErrors {
  if (!isIdOf('TreasuryCustodyEvidence', evidenceId)) return {}
  const message = `must not have the form of a record ID, got ${evidenceId}`
  return { 'statement.evidenceId': [message] }
}

function validateHolding({ holdings, chainId }: Statement): FieldErrors {
  const faults: FieldErrors = {}
  for (const [index, { assetKey }] of holdings.entries()) {
    const at = `statement.holdings.${index}.assetKey`
    const asset = namedAsset(assetKey)
    if (holdings.findIndex((other) => other.assetKey === assetKey) < index) {
      faults[at] = [`must be listed once, got ${assetKey} again`]
    } else if (chainId !== 0 && (asset.kind === 'MONEY' || asset.chainId !== chainId)) {
      faults[at] = [`must be an asset on chain ${chainId}, got ${assetKey}`]
    }
  }
  return faults
}

/** Validates a statement about an on-chain account, signed by a key or a Safe. */
function validateAccount(statement: Statement, signature: Signature): FieldErrors {
  const { chainId, container, controller, relation, addresses } = statement
  const faults: FieldErrors = validateBlock(statement)
  if (!container.startsWith(`eip155:${chainId}:`)) {
    faults['statement.container'] = [
      `must be an account on chain ${chainId} for ${signature.scheme}, got ${container}`,
    ]
  }
  const schema = contract.CustodyStatement.properties.addresses.items
  const isAddress = /^0x[0-9a-fA-F]{40}$/.test(controller)
  Object.assign(
    faults,
    isAddress
      ? validateSignedScalar(schema, controller, 'statement.controller')
      : { 'statement.controller': [`must be an address, got ${controller}`] },
  )
  if (relation === 'CUSTODIAN') {
    faults['statement.relation'] = [`must be SELF, OWNER or SIGNATORY, got ${relation}`]
  } else if ((relation === 'SELF') !== container.endsWith(`:${controller.toLowerCase()}`)) {
    const expected = relation === 'SELF' ? 'the container itself' : 'different from the container'
    faults['statement.controller'] = [`must be ${expected} for ${relation}, got ${controller}`]
  }
  if (addresses?.length) {
    faults['statement.addresses'] = ['must be omitted in a statement about an account']
  }
  if (signature.scheme !== 'ED25519' && (signature.signer ?? controller) !== controller) {
    faults['signature.signer'] = [`must be the controller ${controller}, got ${signature.signer}`]
  }
  return faults
}

function validateBlock({ blockNumber, blockHash, chainId }: Statement): FieldErrors {
  const faults: FieldErrors = {}
  if (chainId === 0) faults['statement.chainId'] = ['must be the chain of the account, got 0']
  if (blockNumber === undefined)
    faults['statement.blockNumber'] = ['is required for an on-chain account']
  if (blockHash === undefined)
    faults['statement.blockHash'] = ['is required for an on-chain account']
  return faults
}

/**
 * Validates a statement about a custodian account. Only its listed deposit addresses can be read on
 * chain.
 */
function validateCustodian(
  statement: Statement,
  signature: Extract<Signature, { scheme: 'ED25519' }>,
): FieldErrors {
  const { chainId, container, controller, relation, addresses = [] } = statement
  const faults: FieldErrors = {}
  if (!container.startsWith(`custodian:${controller}:`)) {
    // Either of the two fields could be wrong.
    faults['statement.controller'] = [
      `must be the custodian of the container ${container}, got ${controller}`,
    ]
    faults['statement.container'] = [
      `must be an account at the custodian ${controller}, got ${container}`,
    ]
  }
  if (relation !== 'CUSTODIAN')
    faults['statement.relation'] = [`must be CUSTODIAN, got ${relation}`]
  if ((signature.providerId ?? controller) !== controller) {
    faults['signature.providerId'] = [
      `must be the controller ${controller}, got ${signature.providerId}`,
    ]
  }
  if (addresses.length === 0) {
    if (chainId !== 0) faults['statement.chainId'] = [`must be 0 without addresses, got ${chainId}`]
    for (const member of ['blockNumber', 'blockHash'] as const) {
      if (statement[member] !== undefined) {
        faults[`statement.${member}`] = ['must be omitted without addresses']
      }
    }
    return faults
  }
  if (new Set(addresses).size < addresses.length) {
    faults['statement.addresses'] = ['must list each address once']
  }
  return { ...faults, ...validateBlock(statement) }
}

function refuse(fieldErrors: FieldErrors): void {
  if (Object.keys(fieldErrors).length === 0) return
  throw new Failure('LIQUIDITY_CUSTODY_STATEMENT_INVALID', { fieldErrors })
}
