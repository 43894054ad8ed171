import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { treasurySettingsOf } from '../../plan/treasury-settings/api.ts'
import { reconciliations } from './records.ts'

type Reconciliation = contract.TreasuryLedgerReconciliation

export default reconciliations.supersede(contract.acknowledgeTreasuryReconciliation, {
  isRecent: true,
  status: 200,
  decide: async ({ body, actor, now, records }, before) => {
    const { payload } = before
    const lineKeys = namedLines(payload, body.lineKeys)
    if (payload.acknowledgements.length >= limits.acknowledgements) {
      throw new Failure('LIQUIDITY_RECONCILIATION_REQUEST_INCONSISTENT', {
        fieldErrors: {
          lineKeys: [`already has the maximum of ${limits.acknowledgements} acknowledgments`],
        },
      })
    }
    const authors = await authorsOf(records, before.id)
    const selfAcknowledged = authors.has(actor.id)
    const { reconciliation } = (await treasurySettingsOf(records)).settings
    if (selfAcknowledged && (payload.requireSecondPerson || reconciliation.requireSecondPerson)) {
      throw new Failure('LIQUIDITY_RECONCILIATION_SELF_ACKNOWLEDGEMENT')
    }
    const acknowledgement = {
      lineKeys,
      assertion: body.assertion,
      note: body.note,
      selfAcknowledged,
      actor: { kind: actor.kind, id: actor.id },
      at: new Date(now).toISOString(),
    }
    return {
      payload: { ...payload, acknowledgements: [...payload.acknowledgements, acknowledgement] },
      event: acknowledged,
      eventPayload: { lines: lineKeys.length, selfAcknowledged },
    }
  },
})

const acknowledged = 'treasury.reconciliation.acknowledged'

/**
 * Authors of the acknowledged comparison: all users who created or repeated it since the previous
 * comparison was acknowledged. Acknowledging other lines of the comparison does not make a user an
 * author.
 */
async function authorsOf(records: TenantRecords, id: string): Promise<ReadonlySet<string>> {
  const kinds = [
    'treasury.reconciliation.created',
    'treasury.reconciliation.repeated',
    acknowledged,
  ]
  const events = (await records.events(id, { kinds })).toReversed()
  const comparisons = events.slice(events.findIndex(({ kind }) => kind !== acknowledged))
  const before = comparisons.findIndex(({ kind }) => kind === acknowledged)
  const written = before < 0 ? comparisons : comparisons.slice(0, before)
  return new Set(written.map(({ actor }) => actor.id))
}

/** @throws Failure 422 for a key of no line */
function namedLines({ lines }: Reconciliation, named: 'ALL' | readonly string[]): string[] {
  const keys = lines.map(({ lineKey }) => lineKey)
  if (named === 'ALL') return keys
  const unknown = named.findIndex((key) => !keys.includes(key))
  if (unknown < 0) return [...new Set(named)]
  throw new Failure('LIQUIDITY_RECONCILIATION_LINE_UNKNOWN', {
    fieldErrors: {
      [`lineKeys.${unknown}`]: [`must be a lineKey of the reconciliation, got ${named[unknown]}`],
    },
  })
}
