import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { reconciliations } from './records.ts'

type Reconciliation = contract.TreasuryLedgerReconciliation

export default reconciliations.supersede(contract.acknowledgeTreasuryReconciliation, {
  isReviewed: true,
  isRecent: true,
  status: 200,
  decide: async ({ body, actor, now, records }, before) => {
    const { payload } = before
    const lineKeys = namedLines(payload, body.lineKeys)
    if (payload.acknowledgements.length >= limits.acknowledgements) {
      throw new Failure('LIQUIDITY_RECONCILIATION_REQUEST_INCONSISTENT', {
        fieldErrors: { lineKeys: [`holds ${limits.acknowledgements} acknowledgements already`] },
      })
    }
    const [created] = await records.versions<Reconciliation>('TreasuryReconciliation', before.id, {
      ...{ sequence: 1, limit: 1 },
    })
    const selfAcknowledged = created?.createdBy.id === actor.id
    if (selfAcknowledged && payload.requireSecondPerson) {
      throw new Failure('LIQUIDITY_RECONCILIATION_SELF_ACKNOWLEDGEMENT')
    }
    const acknowledgement = {
      ...{ lineKeys, assertion: body.assertion, note: body.note, selfAcknowledged },
      actor: { kind: actor.kind, id: actor.id },
      at: new Date(now).toISOString(),
    }
    return {
      payload: { ...payload, acknowledgements: [...payload.acknowledgements, acknowledgement] },
      event: 'treasury.reconciliation.acknowledged',
      eventPayload: { lines: lineKeys.length, selfAcknowledged },
    }
  },
})

/** @throws Failure 422 for a key of no line */
function namedLines({ lines }: Reconciliation, named: 'ALL' | readonly string[]): string[] {
  const keys = lines.map(({ lineKey }) => lineKey)
  if (named === 'ALL') return keys
  const unknown = named.findIndex((key) => !keys.includes(key))
  if (unknown < 0) return [...new Set(named)]
  throw new Failure('LIQUIDITY_RECONCILIATION_LINE_UNKNOWN', {
    fieldErrors: { [`lineKeys.${unknown}`]: [`must be a lineKey of it, got ${named[unknown]}`] },
  })
}
