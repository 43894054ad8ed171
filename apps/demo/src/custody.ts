import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { type Client, each } from '@liquidity-os/client'
import type { contract } from '@liquidity-os/contract'
import { canonicalize, organizationHash } from '@liquidity-os/evidence'
import { type Localchain, signSafeMessage } from '@liquidity-os/localchain'
import { type Address, type Hex, hashTypedData, type LocalAccount } from 'viem'
import { firstOf } from './resources.ts'

/** Custody statements of the demo: two owners sign for their Safe, and a bank signs for an account. */

type Statement = contract.CustodyStatement
type Holding = Statement['holdings'][number]

const bankId = 'demo-bank'
const reason = 'Custody of the demo treasury'
const maxMilliseconds = 30 * 86_400_000

const randomHash = (): Hex => `0x${randomBytes(32).toString('hex')}`
const wholeSeconds = (milliseconds: number) =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}Z`

function statementOf(
  organizationId: string,
  stated: Partial<Statement> &
    Pick<Statement, 'container' | 'controller' | 'relation' | 'holdings'>,
): Statement {
  const now = Date.now()
  const nonce = randomHash()
  return {
    statementVersion: 'treasury-custody-statement-v1',
    chainId: 0,
    nonce,
    evidenceId: `demo:${nonce.slice(2, 18)}`,
    purpose: 'Month-end close',
    organizationHash: organizationHash(organizationId),
    issuedAt: wholeSeconds(now),
    expiresAt: wholeSeconds(now + maxMilliseconds),
    ...stated,
  }
}

interface OwnSafe {
  readonly organizationId: string
  readonly safe: Address
  readonly signers: readonly LocalAccount[]
  readonly holding: Holding
}

/**
 * Enough Safe owners sign a custody statement, and the holding is read at the last finalized block.
 */
export async function proveSafe(
  client: Client,
  { chainId, publicClient }: Localchain,
  { organizationId, safe, signers, holding }: OwnSafe,
): Promise<void> {
  const { number, hash } = await publicClient.getBlock({ blockTag: 'finalized' })
  const statement = statementOf(organizationId, {
    container: `eip155:${chainId}:${safe.toLowerCase()}`,
    controller: safe,
    chainId,
    relation: 'SELF',
    holdings: [holding],
    blockNumber: Number(number),
    blockHash: hash,
  })
  const signature = await signSafeMessage(chainId, safe, digestOf(statement), signers)
  await client.admitTreasuryCustodyEvidence({
    body: { statement, signature: { scheme: 'EIP712_SAFE', signature, signer: safe }, reason },
  })
}

/** EIP-712 digest that a Safe owner signs, as wallets display it. */
function digestOf(statement: Statement): Hex {
  const seconds = (time: string) => BigInt(Date.parse(time) / 1000)
  const { issuedAt, expiresAt, addresses = [] } = statement
  return hashTypedData({
    domain: {
      name: 'Liquidity OS Treasury Custody',
      version: '1',
      chainId: statement.chainId,
      salt: statement.organizationHash as Hex,
    },
    types: {
      CustodyStatement: [
        { name: 'statementVersion', type: 'string' },
        { name: 'evidenceId', type: 'string' },
        { name: 'organizationHash', type: 'bytes32' },
        { name: 'container', type: 'string' },
        { name: 'controller', type: 'address' },
        { name: 'relation', type: 'string' },
        { name: 'holdings', type: 'Holding[]' },
        { name: 'blockNumber', type: 'uint256' },
        { name: 'blockHash', type: 'bytes32' },
        { name: 'addresses', type: 'address[]' },
        { name: 'purpose', type: 'string' },
        { name: 'issuedAt', type: 'uint64' },
        { name: 'expiresAt', type: 'uint64' },
        { name: 'nonce', type: 'bytes32' },
      ],
      Holding: [
        { name: 'assetKey', type: 'string' },
        { name: 'quantity', type: 'uint256' },
      ],
    },
    primaryType: 'CustodyStatement',
    message: {
      ...statement,
      addresses,
      issuedAt: seconds(issuedAt),
      expiresAt: seconds(expiresAt),
    },
  } as unknown as Parameters<typeof hashTypedData>[0])
}

/**
 * A bank attests an account balance. The key is generated here and never stored, so a bank of an
 * interrupted start is given a new one.
 *
 * @returns the account, and the evidence for its quantity
 */
export async function attestAccount(client: Client, organizationId: string, holding: Holding) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  // Every Ed25519 key has its one coordinate.
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64')
  const known = await firstOf(
    each(client.listOperatingSystemProviders),
    ({ payload }) => payload.providerId === bankId,
  )
  await client.putOperatingSystemProvider({
    ...(known ? { ifMatch: known.resourceVersion } : {}),
    body: {
      payload: {
        providerId: bankId,
        kind: 'CUSTODIAN',
        displayName: 'Demo bank',
        configuration: {},
        publicKeys: [raw],
      },
      reason,
    },
  })
  const accountReferenceHash = randomHash()
  const statement = statementOf(organizationId, {
    container: `custodian:${bankId}:${accountReferenceHash}`,
    controller: bankId,
    relation: 'CUSTODIAN',
    holdings: [holding],
  })
  const bytes = `liquidity-os/treasury-custody-statement/v1\n${canonicalize(statement)}`
  const signature = sign(null, Buffer.from(bytes), privateKey).toString('base64')
  const { body } = await client.admitTreasuryCustodyEvidence({
    body: { statement, signature: { scheme: 'ED25519', providerId: bankId, signature }, reason },
  })
  const { resourceType, id, resourceVersion } = body.data.evidence
  return {
    container: { kind: 'BANK_ACCOUNT', providerId: bankId, accountReferenceHash },
    evidence: { resourceType, id, resourceVersion },
  } as const
}
