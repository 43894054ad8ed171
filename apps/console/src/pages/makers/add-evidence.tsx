import { useId, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useMembership } from '../../api/queries.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import { utcOf } from '../../fields/numbers.ts'
import formStyles from '../../forms/form.module.css'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault, Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import { type EvidenceFile, parseEvidence } from './evidence-file.ts'
import type { MandateRecord } from './mandates.ts'

const observed: readonly string[] = ['ACTIVE', 'PAUSED']

/** Adds order books from a file to the evidence of a mandate. */
export function AddEvidence({ mandate: { id, status, payload } }: { mandate: MandateRecord }) {
  const { role } = useMembership()
  const { change, post, fault, isSending, forget } = useChange()
  const [chosen, setChosen] = useState<EvidenceFile | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [added, setAdded] = useState<EvidenceFile | null>(null)
  const [additions, setAdditions] = useState(0)
  const fieldId = useId()
  const choose = async (file: File | undefined) => {
    forget()
    setChosen(null)
    setProblem(null)
    setAdded(null)
    if (!file) return
    try {
      setChosen(parseEvidence(file.name, await file.text()))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const add = (file: EvidenceFile) =>
    void change(async () => {
      await post({
        path: `/market-maker-mandates/${id}/observations`,
        body: { payload: file.batch, reason: `File ${file.name}`.slice(0, 500) },
      })
      setAdded(file)
      setAdditions((count) => count + 1)
      setChosen(null)
    })
  const disabledReason =
    permissionReason(role, 'operate') ??
    (observed.includes(status)
      ? isSending
        ? 'Adding the evidence…'
        : chosen === null
          ? 'Choose a file first.'
          : null
      : 'The mandate has ended.')
  const venueOf = ({ batch }: EvidenceFile) =>
    payload.venues.find(({ venueKey }) => venueKey === batch.venueKey)?.name ?? batch.venueKey
  return (
    <Panel title="Evidence">
      <div className={styles.form}>
        <div className={formStyles.field}>
          <label htmlFor={fieldId}>File with order books (JSON)</label>
          <input
            key={additions}
            id={fieldId}
            type="file"
            accept=".json,application/json"
            onChange={({ target }) => void choose(target.files?.[0])}
          />
        </div>
        {problem === null ? null : <Notice tone="bad" title={problem} />}
        {chosen === null ? (
          <p>
            Up to 1,440 samples of one venue. <a href="/docs/market-makers#evidence">Format</a>
          </p>
        ) : (
          <p role="status">
            {chosen.batch.samples.length} samples of {venueOf(chosen)}, {utcOf(chosen.from)} to{' '}
            {utcOf(chosen.to)}
            {chosen.batch.signature === undefined ? '' : ', signed'}.
          </p>
        )}
        <ChangeButton
          look="primary"
          disabledReason={disabledReason}
          onClick={() => (chosen === null ? undefined : add(chosen))}
        >
          Add evidence
        </ChangeButton>
        {fault === null ? null : <Fault error={fault} />}
        {added === null ? null : (
          <p role="status">
            Added {added.batch.samples.length} samples of {venueOf(added)}.
          </p>
        )}
      </div>
    </Panel>
  )
}
