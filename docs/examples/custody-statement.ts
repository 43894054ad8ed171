import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * A custodian that signs, and a stranger who checks with nothing of ours.
 *
 *     node docs/examples/custody-statement.ts sign <organization> <provider> <asset> <quantity>   prints publicKey and body
 *     node docs/examples/custody-statement.ts check < evidence.json                               prints what holds
 */
const [command = '', ...rest] = process.argv.slice(2)

/** RFC 8785 of what statements and receipts hold: texts, integers, booleans, null. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, of]) => `${JSON.stringify(name)}:${canonical(of)}`).join(',')}}`
}

const bytes = (tag: string, value: unknown) =>
  Buffer.from(`liquidity-os/${tag}\n${canonical(value)}`)
const hashed = (tag: string, value: unknown) =>
  `0x${createHash('sha256').update(bytes(tag, value)).digest('hex')}`

const statementTag = 'treasury-custody-statement/v1'

function signStatement([organizationId, provider, assetKey, quantity]: string[]): void {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const random = () => `0x${randomBytes(32).toString('hex')}`
  const time = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
  const now = Date.now()
  const statement = {
    statementVersion: 'treasury-custody-statement-v1',
    evidenceId: `books:${provider}`,
    organizationHash: hashed('organization/v1', { organizationId }),
    chainId: 0,
    container: `custodian:${provider}:${random()}`,
    controller: provider,
    relation: 'CUSTODIAN',
    holdings: [{ assetKey, quantity }],
    purpose: 'End of the month',
    issuedAt: time(now),
    expiresAt: time(now + 86_400_000),
    nonce: random(),
  }
  const signature = sign(null, bytes(statementTag, statement), privateKey).toString('base64')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const body = {
    statement,
    signature: { scheme: 'ED25519', signature },
    reason: 'End of the month',
  }
  process.stdout.write(`${JSON.stringify({ publicKey: raw.toString('base64'), body })}\n`)
}

const keyOf = (raw: string) =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(raw, 'base64').toString('base64url') },
    format: 'jwk',
  })

function checkEvidence(): void {
  const { statement, signature, receipt } = JSON.parse(readFileSync(0, 'utf8')).data.payload
  const { serviceSignature, ...stated } = receipt
  const holds = (key: string, tag: string, value: unknown, signed: string) =>
    verify(null, bytes(tag, value), keyOf(key), Buffer.from(signed, 'base64'))
  const checks = {
    'the receipt is of the service': holds(
      ...([receipt.servicePublicKey, 'custody-receipt/v1', stated, serviceSignature] as const),
    ),
    'and of this statement': receipt.statementHash === hashed(statementTag, statement),
    'which the custodian signed': holds(
      ...([receipt.authority.publicKey, statementTag, statement, signature.signature] as const),
    ),
  }
  for (const [check, isTrue] of Object.entries(checks))
    process.stdout.write(`${check}: ${isTrue}\n`)
}

if (command === 'sign') signStatement(rest)
else if (command === 'check') checkEvidence()
else throw new Error('Say sign or check.')
