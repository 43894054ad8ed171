import { contract } from '@liquidity-os/contract'
import type { SealedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { signReceipt } from './receipt.ts'
import { custodyEvidence, type Evidence, evidenceName, nonceName } from './records.ts'
import { signatureHashOf, statementHashOf } from './signed-statement.ts'
import { requireOfNow, requireSoundStatement } from './validate-statement.ts'
import type { Claim, Verified } from './verified.ts'
import { verifyAccount } from './verify-account.ts'
import { verifyCustodian } from './verify-custodian.ts'

const operation = contract.admitTreasuryCustodyEvidence
type Request = HandlerRequest<typeof operation>

/**
 * Verifies custody evidence on chain and stores it with a signed receipt. Repeated evidence returns
 * the existing record.
 */
export default handle(operation, async (request): Promise<Outcome> => {
  const { body, services, now } = request
  const { statement, signature } = body
  request.requireRecentAuthentication()
  requireSoundStatement(statement, signature)
  // Checked before the identity, which includes the nonce. Otherwise the second of two concurrent
  // requests would report the nonce only.
  const holder = await request.records.holder({ kind: nonceName, name: statement.nonce })
  const known = await existing(request)
  if (known) return { status: 200, ...answerOf(known) }
  requireOfNow(statement, request)
  requireFreshNonce(holder)
  const claim: Claim = { statement, signature, now }
  const verified = await verify(request, claim)
  const receipt = signReceipt(claim, verified, await services.signingKeys.current(now))
  return admit(request, verified, { statement, signature, receipt })
})

/**
 * Existing evidence with this identity.
 *
 * @throws Failure 409 if it binds other content
 */
async function existing({
  body: { statement, signature },
  records,
}: Request): Promise<Evidence | null> {
  const name = { kind: evidenceName, name: statement.evidenceId }
  const id = await records.holder(name)
  const found = id && (await custodyEvidence.current(records, id))
  if (!found) return null
  const { receipt } = found.record.payload
  const isSame =
    receipt.statementHash === statementHashOf(statement) &&
    receipt.signatureHash === signatureHashOf(signature)
  if (isSame) return found.record
  const message = `must have the same content as the first submission, evidence ${id}, got ${statement.evidenceId}`
  throw new Failure('LIQUIDITY_CUSTODY_EVIDENCE_ID_BOUND', {
    fieldErrors: { 'statement.evidenceId': [message] },
  })
}

function requireFreshNonce(holder: string | null): void {
  if (holder === null) return
  throw new Failure('LIQUIDITY_CUSTODY_NONCE_USED', {
    fieldErrors: { 'statement.nonce': [`must be unused, but ${holder} uses it`] },
  })
}

function verify({ records, services }: Request, claim: Claim): Promise<Verified> {
  const { signature } = claim
  return signature.scheme === 'ED25519'
    ? verifyCustodian(records, services, { ...claim, signature })
    : verifyAccount(records, services, claim)
}

/** Of two concurrent requests with one identity or nonce, the second retries and sees the first. */
function admit(
  { records, body }: Request,
  { expects, holdings }: Verified,
  payload: contract.TreasuryCustodyEvidence,
): Outcome {
  const { evidenceId, container } = payload.statement
  const { statementHash, assurance } = payload.receipt
  const { sealed, change } = custodyEvidence.first(records, {
    status: 'ACTIVE',
    payload,
    reason: body.reason,
    event: 'treasury.custody.admitted',
    eventPayload: { evidenceId, container, statementHash, assurance },
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const producer = { id, resourceType, resourceVersion }
  const artifacts = (holdings?.artifacts ?? []).map((one) => ({ ...one, producer }))
  const whole = { ...change, artifacts, expects: [...change.expects, ...expects] }
  return { status: 201, ...answerOf(recordOf(sealed)), change: whole }
}

const recordOf = ({ record }: SealedRecord<contract.TreasuryCustodyEvidence>): Evidence => record

const answerOf = (evidence: Evidence) => ({
  data: { evidence, receipt: evidence.payload.receipt },
  etag: evidence.resourceVersion,
})
