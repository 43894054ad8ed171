import { contract } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { reviewedVersion } from '../../../http/reviewed-version.ts'
import { appendNotes } from '../../event-details.ts'
import { treasurySettingsOf } from '../../plan/treasury-settings/api.ts'
import { recordReply } from '../../record-reply.ts'
import { breakNotes, openSince } from './breaks.ts'
import { reconcile } from './reconcile.ts'
import { reconciliations } from './records.ts'

type Request = HandlerRequest<typeof contract.createTreasuryReconciliation>
type Reconciliation = contract.TreasuryLedgerReconciliation

export default handle(contract.createTreasuryReconciliation, async (request): Promise<Outcome> => {
  const { body, records, services, now } = request
  const current = await currentOf(request)
  request.requireRecentAuthentication()
  if (!body.request.asOf) {
    throw new Failure('LIQUIDITY_RECONCILIATION_REQUEST_INCONSISTENT', {
      fieldErrors: { 'request.asOf': ['must pin the blocks of the preview, got none'] },
    })
  }
  const known = await findExisting(request)
  if (known) return { status: 200, data: known, etag: known.resourceVersion }
  const result = await reconcile(records, services, body.request, { at: 'request.', now })
  if (result.reconciliationHash !== body.expectedReconciliationHash) {
    throw new Failure('LIQUIDITY_RECONCILIATION_SOURCE_CHANGED', {
      fieldErrors: {
        expectedReconciliationHash: [
          `must be ${result.reconciliationHash}, the hash of the comparison, got ${body.expectedReconciliationHash}`,
        ],
      },
    })
  }
  const payload = {
    ...result,
    requireSecondPerson: await secondPersonOf(request, current?.record ?? null),
  }
  const version = { status: statusOf(result), payload, reason: body.reason, evidenceHashes: [] }
  const eventPayload = { agreement: result.agreement, lines: result.lines.length }
  const notes = breakNotes(result, await openSince(records))
  if (current) {
    const event = 'treasury.reconciliation.repeated'
    const { sealed, change } = reconciliations.next(records, current, {
      ...version,
      event,
      eventPayload,
    })
    return recordReply(sealed, appendNotes(records, sealed, change, notes), 201)
  }
  const event = 'treasury.reconciliation.created'
  const { sealed, change } = reconciliations.first(records, { ...version, event, eventPayload })
  return recordReply(sealed, appendNotes(records, sealed, change, notes), 201)
})

/** The repeated reconciliation, in its reviewed version. */
async function currentOf({ body, records, precondition, fail }: Request) {
  const { reconciliationId: id, resourceVersion } = body
  const reviewed = reviewedVersion(precondition, resourceVersion, 'resourceVersion')
  if (id === undefined) {
    if (reviewed === null) return null
    const field = resourceVersion === undefined ? 'If-Match' : 'resourceVersion'
    throw new Failure('LIQUIDITY_RECONCILIATION_REQUEST_INCONSISTENT', {
      fieldErrors: { [field]: ['must be omitted without reconciliationId'] },
    })
  }
  if (reviewed === null) throw fail('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED')
  return records.reviewed<Reconciliation>('TreasuryReconciliation', id, reviewed)
}

/**
 * True if another user must acknowledge the reconciliation. Organization settings, the previous
 * version or the request can require it; the request cannot waive it.
 *
 * @throws Failure 422 if it tries to
 */
async function secondPersonOf(
  { body, records }: Request,
  before: { readonly payload: Reconciliation } | null,
): Promise<boolean> {
  const { reconciliation } = (await treasurySettingsOf(records)).settings
  const why = reconciliation.requireSecondPerson
    ? 'the treasury settings require a second person'
    : before?.payload.requireSecondPerson
      ? 'the previous version requires a second person'
      : null
  if (why === null) return body.requireSecondPerson ?? false
  if (body.requireSecondPerson !== false) return true
  throw new Failure('LIQUIDITY_RECONCILIATION_REQUEST_INCONSISTENT', {
    fieldErrors: { requireSecondPerson: [`must be true or omitted, because ${why}; got false`] },
  })
}

/** Returns the existing record of the same comparison, because a hash is stored only once. */
async function findExisting({ body, records }: Request) {
  const existing = await reconciliations.find(records, { order: 'NEWEST' })
  const found = existing.find(({ id, payload }) => {
    const isOther = body.reconciliationId !== undefined && id !== body.reconciliationId
    return !isOther && payload.reconciliationHash === body.expectedReconciliationHash
  })
  return found && requireSame(found.payload, body, found.id) ? found : undefined
}

/** Requires the stored request and acknowledgment rule to match. @throws Failure 409 */
function requireSame(
  { request, requireSecondPerson }: Reconciliation,
  body: Request['body'],
  id: string,
): true {
  const isSecond = body.requireSecondPerson ?? requireSecondPerson
  const fieldErrors = {
    ...(canonicalize(request) === canonicalize(body.request)
      ? {}
      : {
          request: [`must be the request of ${id}, which has this hash, or a different comparison`],
        }),
    ...(isSecond === requireSecondPerson
      ? {}
      : { requireSecondPerson: [`must be ${requireSecondPerson}, the value of ${id}`] }),
  }
  if (Object.keys(fieldErrors).length === 0) return true
  throw new Failure('LIQUIDITY_RECONCILIATION_ALREADY_KEPT', { fieldErrors })
}

function statusOf({ computation, agreement }: Reconciliation): string {
  if (computation.completeness === 'ABSTAINED') return 'ABSTAINED'
  return agreement === 'INCOMPLETE' ? 'PARTIAL' : 'COMPLETED'
}
