import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import type { Config } from '../config.ts'
import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'
import type { Database } from '../store/database/database.ts'
import { integerOf, optionalTextOf, type Row, textOf } from '../store/database/row.ts'
import { sql } from '../store/database/sql.ts'
import { relyingParty } from './relying-party.ts'

/** A passkey as its owner sees it. */
export interface PasskeyView {
  id: string
  name: string
  /** True if the passkey is synced across several devices of its owner. */
  isSynced: boolean
  createdAt: string
  lastUsedAt: string | null
}

/** Who asks: a live session and its user. */
export interface Asker {
  readonly sessionHash: string
  readonly userId: string
  readonly email: string
}

/**
 * EdDSA, ES256 and RS256 as COSE algorithm numbers: the signature algorithms of current
 * authenticators.
 */
const supportedAlgorithmIDs = [-8, -7, -257]

type Terms = Pick<Config, 'baseUrl' | 'allowedOrigins'>
type Purpose = 'register' | 'assert'

/** @throws Failure 404 if the address of the deployment allows no passkeys */
function partyOf(terms: Terms): string {
  const party = relyingParty(terms)
  if (party === null) throw new Failure('LIQUIDITY_ROUTE_NOT_FOUND')
  return party
}

const refused = (why: string) =>
  new Failure('LIQUIDITY_PASSKEY_REFUSED', { fieldErrors: { '(passkey)': [why] } })

/** Passkeys of a user, oldest first. */
export async function listPasskeys(database: Database, userId: string): Promise<PasskeyView[]> {
  return (await passkeysOf(database, userId)).map((row) => {
    const used = optionalTextOf(row, 'last_used_at')
    return {
      id: textOf(row, 'id'),
      name: textOf(row, 'name'),
      isSynced: textOf(row, 'is_synced') === 't',
      createdAt: new Date(integerOf(row, 'created_at')).toISOString(),
      lastUsedAt: used === null ? null : new Date(Number(used)).toISOString(),
    }
  })
}

async function passkeysOf(database: Database, userId: string): Promise<Row[]> {
  const [rows = []] = await database.global([
    sql`select id, name, public_key, counter, transports, is_synced, created_at, last_used_at from passkeys
      where user_id = ${userId} order by created_at, id`,
  ])
  return [...rows]
}

const described = (row: Row) => ({
  id: textOf(row, 'id'),
  transports: JSON.parse(textOf(row, 'transports')) as string[],
})

/** Options for the browser to create a passkey. @throws Failure 404 or 403 */
export async function beginRegistration(
  database: Database,
  terms: Terms,
  { sessionHash, userId, email }: Asker,
  now: number,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const rpID = partyOf(terms)
  const known = await passkeysOf(database, userId)
  if (known.length >= limits.passkeysOfUser) {
    throw refused(
      `the account has ${limits.passkeysOfUser} passkeys, the maximum; remove one first`,
    )
  }
  const options = await generateRegistrationOptions({
    rpName: 'Liquidity OS',
    rpID,
    userName: email,
    supportedAlgorithmIDs,
    userID: new TextEncoder().encode(userId),
    excludeCredentials: known.map(described),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
  await keepChallenge(database, { sessionHash, purpose: 'register', ...options }, now)
  return options
}

/** Stores the passkey that the browser created. @throws Failure LIQUIDITY_PASSKEY_REFUSED */
export async function endRegistration(
  database: Database,
  terms: Terms,
  { sessionHash, userId }: Asker,
  made: { name: string; credential: object },
  now: number,
): Promise<PasskeyView> {
  const expectedRPID = partyOf(terms)
  const expectedChallenge = await spendChallenge(
    database,
    { sessionHash, purpose: 'register' },
    now,
  )
  const response = made.credential as RegistrationResponseJSON
  refuseAttestation(response)
  const verified = await verifyRegistrationResponse({
    expectedChallenge,
    expectedRPID,
    expectedOrigin: [...terms.allowedOrigins],
    supportedAlgorithmIDs,
    response,
  }).catch((error: Error) => {
    throw refused(error.message)
  })
  if (!verified.verified) throw refused('the attestation is invalid')
  const { credential, credentialBackedUp } = verified.registrationInfo
  const { id, publicKey, counter } = credential
  if (Buffer.from(id, 'base64url').length > maxIdLength) throw refused('the passkey ID is too long')
  const [inserted] = await database.global([
    // A new passkey ends the recency of email sign-ins: another session may belong to an attacker
    // with access to the mailbox.
    sql`with added as (
        insert into passkeys (id, user_id, name, public_key, counter, transports, is_synced, created_at)
        select ${id}, ${userId}, ${made.name}, ${Buffer.from(publicKey).toString('base64url')}, ${counter},
          ${JSON.stringify(transportsOf(response))}, ${credentialBackedUp}, ${now}
        where (select count(*) from passkeys where user_id = ${userId}) < ${limits.passkeysOfUser}
        and exists (select from sessions where token_hash = ${sessionHash} and revoked_at is null
          and authenticated_at >= ${now - limits.recentAuthenticationMilliseconds})
        on conflict do nothing returning id)
      update sessions set authenticated_at = case when token_hash = ${sessionHash} then authenticated_at else 0 end
      from added where user_id = ${userId} returning token_hash`,
  ])
  if (!inserted?.length)
    throw refused(
      'the passkey is already registered, the account has too many passkeys, or the sign-in is no longer recent',
    )
  const createdAt = new Date(now).toISOString()
  return { id, name: made.name, isSynced: credentialBackedUp, createdAt, lastUsedAt: null }
}

/** Of WebAuthn, in bytes. */
const maxIdLength = 1023
const maxTransports = 10

/**
 * The service requests no attestation. For an unsolicited one, the library would fetch URLs from
 * its certificates. Self-attestation contains none.
 *
 * @throws Failure LIQUIDITY_PASSKEY_REFUSED
 */
function refuseAttestation({ response }: RegistrationResponseJSON): void {
  let statement: ReturnType<typeof decodeAttestationObject>
  try {
    statement = decodeAttestationObject(
      new Uint8Array(Buffer.from(response.attestationObject, 'base64url')),
    )
    const format = statement.get('fmt')
    const isOfKeyAlone = format === 'packed' && statement.get('attStmt').get('x5c') === undefined
    if (format === 'none' || isOfKeyAlone) return
  } catch {
    throw refused('the response of the authenticator cannot be decoded')
  }
  throw refused(`the attestation format ${statement.get('fmt')} was not requested`)
}

/** Authenticator transports as reported by the browser; only ever returned to the browser. */
function transportsOf({ response }: RegistrationResponseJSON): string[] {
  const transports: unknown = response.transports
  if (!Array.isArray(transports)) return []
  const known = transports.filter((one) => typeof one === 'string' && /^[a-z-]{1,20}$/.test(one))
  return known.slice(0, maxTransports)
}

/** @returns name of the removed passkey; null if the user has no passkey with this ID */
export async function removePasskey(
  database: Database,
  { userId, id }: { userId: string; id: string },
): Promise<string | null> {
  const [removed] = await database.global([
    sql`delete from passkeys where id = ${id} and user_id = ${userId} returning name`,
  ])
  const row = removed?.[0]
  return row ? textOf(row, 'name') : null
}

/** Challenge for the browser to sign. @throws Failure 404; 403 if the user has no passkey */
export async function beginAssertion(
  database: Database,
  terms: Terms,
  { sessionHash, userId }: Asker,
  now: number,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const rpID = partyOf(terms)
  const known = await passkeysOf(database, userId)
  if (known.length === 0) throw refused('the account has no passkeys')
  const options = await generateAuthenticationOptions({
    rpID,
    allowCredentials: known.map(described),
    userVerification: 'required',
  })
  await keepChallenge(database, { sessionHash, purpose: 'assert', ...options }, now)
  return options
}

/** Marks the session as recently authenticated. @throws Failure LIQUIDITY_PASSKEY_REFUSED */
export async function endAssertion(
  database: Database,
  terms: Terms,
  { sessionHash, userId }: Asker,
  credential: object,
  now: number,
): Promise<void> {
  const expectedRPID = partyOf(terms)
  const expectedChallenge = await spendChallenge(database, { sessionHash, purpose: 'assert' }, now)
  const response = credential as AuthenticationResponseJSON
  const row = (await passkeysOf(database, userId)).find((one) => textOf(one, 'id') === response.id)
  if (!row) throw refused('the passkey does not belong to this account')
  const counter = integerOf(row, 'counter')
  const publicKey = new Uint8Array(Buffer.from(textOf(row, 'public_key'), 'base64url'))
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedRPID,
    expectedOrigin: [...terms.allowedOrigins],
    credential: { id: response.id, publicKey, counter },
  }).catch((error: Error) => {
    throw refused(error.message)
  })
  if (!verified.verified) throw refused('the signature is invalid')
  const { newCounter } = verified.authenticationInfo
  // Fails if the passkey or the session was removed after the check.
  const [used] = await database.global([
    sql`with used as (
        update passkeys set counter = ${newCounter}, last_used_at = ${now}
        where id = ${response.id} and user_id = ${userId} and counter = ${counter} returning 1)
      update sessions set authenticated_at = greatest(authenticated_at, ${now}::bigint) from used
      where token_hash = ${sessionHash} and revoked_at is null and expires_at > ${now} returning user_id`,
  ])
  if (used?.length !== 1) throw refused('the passkey or the session changed during sign-in')
}

const keepChallenge = (
  database: Database,
  requestedValue: { sessionHash: string; purpose: Purpose; challenge: string },
  now: number,
) =>
  database.global([
    sql`update sessions set challenge = ${`${requestedValue.purpose}:${requestedValue.challenge}`}, challenge_until = ${now + limits.passkeyChallengeMilliseconds}
      where token_hash = ${requestedValue.sessionHash} and revoked_at is null`,
  ])

/** Consumes the session's last challenge. @throws Failure LIQUIDITY_PASSKEY_REFUSED */
async function spendChallenge(
  database: Database,
  { sessionHash, purpose }: { sessionHash: string; purpose: Purpose },
  now: number,
): Promise<string> {
  const [rows] = await database.global([
    sql`with asked as (select token_hash, challenge from sessions where token_hash = ${sessionHash}
        and challenge like ${`${purpose}:%`} and challenge_until > ${now} for update)
      update sessions s set challenge = null, challenge_until = null from asked
      where s.token_hash = asked.token_hash returning asked.challenge`,
  ])
  const row = rows?.[0]
  if (!row)
    throw refused('the session has no challenge for this request, or the challenge has expired')
  return textOf(row, 'challenge').slice(purpose.length + 1)
}
