import { useState } from 'react'
import { useChange } from '../../../api/changes.ts'
import { useMembership } from '../../../api/queries.ts'
import { permissionReason } from '../../../declared/disabled-reasons.ts'
import { DayField, TextField } from '../../../forms/fields.tsx'
import formStyles from '../../../forms/form.module.css'
import { handBody } from '../../../forms/handed-body.ts'
import { Refused } from '../../../forms/refused.tsx'
import type { Json } from '../../../forms/value.ts'
import { Button, ChangeButton } from '../../../ui/button.tsx'
import { toList, toRecord, useOpenPage } from '../../../ui/page-link.tsx'
import { Panel } from '../../../ui/parts.tsx'
import styles from '../../pages.module.css'
import { type Kind, proposalInput, type ReadTerms, type SafeState } from './proposal-terms.ts'

const reason = 'Created in the console'
const dayMilliseconds = 86_400_000
const firstDays = 14
/** A proposal can wait for 30 days; the last day counts to its end. */
const maxDays = 29
const maxApprovals = 20

/** The day after a number of days, in UTC. */
export const dayIn = (days: number): string =>
  new Date(Date.now() + days * dayMilliseconds).toISOString().slice(0, 10)

/** Who must approve, until when, and the button that creates the proposal. */
export function ReviewTerms({
  kind,
  state,
  vaultId,
  result,
  composedTitle,
  isUnqualified,
}: {
  kind: Kind
  state: Pick<SafeState, 'chainId' | 'safe'>
  vaultId: string
  /** Null while the action is incomplete. */
  result: Extract<ReadTerms, { faults: null }> | null
  /** Title until the user types another one. */
  composedTitle: string
  isUnqualified: boolean
}) {
  const { role } = useMembership()
  const openPage = useOpenPage()
  const { change, post, fault, isSending } = useChange()
  const [typedTitle, setTitle] = useState<string | null>(null)
  const [summary, setSummary] = useState('')
  const [required, setRequired] = useState('1')
  const [lastDay, setLastDay] = useState(() => dayIn(firstDays))
  const title = typedTitle ?? (result === null ? '' : composedTitle)
  const approvals = Number(required)
  const approvalsFault =
    Number.isSafeInteger(approvals) && approvals >= 1 && approvals <= maxApprovals
      ? null
      : `Enter a number from 1 to ${maxApprovals}.`
  const disabledReason =
    permissionReason(role, 'prepare') ??
    (isSending
      ? 'Decoding and simulating…'
      : isUnqualified
        ? 'The vault does not qualify.'
        : result === null
          ? 'Complete the action first.'
          : approvalsFault !== null || lastDay === '' || title.trim().length < 3
            ? 'Complete the fields above.'
            : null)
  const payload = result
    ? proposalInput({ kind, state, vaultId }, result, {
        title: title.trim(),
        summary: summary.trim(),
        required: approvals,
        lastDay,
      })
    : null
  const create = () =>
    void change(async () => {
      if (payload === null) return
      const { id } = await post<{ id: string }>({ path: '/proposals', body: { payload, reason } })
      await openPage(toRecord('proposals', id))
    })
  const openForm = () => {
    if (payload === null) return
    handBody('createProposals', { payload, reason } as unknown as Json)
    void openPage(toList('proposals', { form: 'createProposals' }))
  }
  return (
    <Panel title="Review">
      <form
        className={formStyles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (disabledReason === null) create()
        }}
      >
        <div className={formStyles.members}>
          <TextField label="Title" value={title} onChange={setTitle} />
          <TextField
            label="Note for the reviewers"
            value={summary}
            help="Optional: the reason, or the invoice."
            onChange={setSummary}
          />
          <TextField
            label="Required approvals"
            value={required}
            fault={approvalsFault}
            help="With one approval, the preparer can approve."
            onChange={setRequired}
          />
          <DayField
            label="Expires after"
            value={lastDay}
            min={dayIn(0)}
            max={dayIn(maxDays)}
            help="Last day in UTC, at most 29 days from now."
            onChange={setLastDay}
          />
        </div>
        {fault === null ? null : <Refused error={fault} onRead={() => undefined} />}
        <div className={styles.actions}>
          <ChangeButton look="primary" icon="plus" disabledReason={disabledReason} onClick={create}>
            Create proposal
          </ChangeButton>
          <Button
            disabledReason={payload === null ? 'Complete the action first.' : null}
            onClick={openForm}
          >
            Open as full form
          </Button>
        </div>
      </form>
    </Panel>
  )
}
