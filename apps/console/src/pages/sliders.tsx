import { type ReactNode, useState } from 'react'
import { type Answer, useAnswer } from '../api/answers.ts'
import { useChange } from '../api/changes.ts'
import { useMembership } from '../api/queries.ts'
import { permissionReason } from '../declared/disabled-reasons.ts'
import formStyles from '../forms/form.module.css'
import { Button, ChangeButton } from '../ui/button.tsx'
import { Fault } from '../ui/notice.tsx'
import { toRecord, useOpenPage } from '../ui/page-link.tsx'
import { Panel, Skeleton } from '../ui/parts.tsx'
import { DialFields } from './dial-fields.tsx'
import { applyPositions, type DialGroup, type Positions } from './dials.ts'
import styles from './sliders.module.css'

interface Props<Request, Data> {
  title: string
  /** The request of the record. */
  request: Request
  groupsOf: (request: Request) => DialGroup[]
  /**
   * Key of the family. A POST to its path creates the record; `/preview` below it only computes the
   * result.
   */
  familyKey: string
  /**
   * Renders the response of the service. `replace` substitutes another request for the displayed
   * one.
   */
  children: (data: Data, requested: Request, replace: (request: Request) => void) => ReactNode
}

/**
 * Sliders on a request, the previewed result, and a button that stores the record. Requires the
 * `prepare` permission.
 */
export function Sliders<Request extends object, Data>(props: Props<Request, Data>) {
  const disabledReason = permissionReason(useMembership().role, 'prepare')
  return (
    <Panel title={props.title}>
      {disabledReason === null ? <SliderForm {...props} /> : <p>{disabledReason}</p>}
    </Panel>
  )
}

function SliderForm<Request extends object, Data>({
  request,
  groupsOf,
  familyKey,
  children,
}: Props<Request, Data>) {
  const openPage = useOpenPage()
  const { change, post, fault, isSending } = useChange()
  const [replaced, setReplaced] = useState<Request | null>(null)
  const [positions, setPositions] = useState<Positions>({})
  const origin = replaced ?? request
  const groups = groupsOf(origin)
  const requestedValue = applyPositions(origin, groups, positions)
  const answer = useAnswer<Data>(`/${familyKey}/preview`, requestedValue)
  const isMoved = JSON.stringify(requestedValue) !== JSON.stringify(request)
  const replace = (next: Request | null) => {
    setReplaced(next)
    setPositions({})
  }
  const disabledReason = refusalToSave(answer, isMoved, isSending)
  const saveRecord = () =>
    void change(async () => {
      const body = { payload: requestedValue, reason: 'Inputs changed in the console' }
      const { id } = await post<{ id: string }>({ path: `/${familyKey}`, body })
      await openPage(toRecord(familyKey, id))
    })
  return (
    <div className={formStyles.form}>
      <DialFields
        groups={groups}
        positions={positions}
        onMove={(path, position) => setPositions((before) => ({ ...before, [path]: position }))}
      />
      <PreviewResult answer={answer}>
        {(data) => children(data, requestedValue, replace)}
      </PreviewResult>
      <div className={styles.end}>
        <ChangeButton
          look="primary"
          icon="plus"
          disabledReason={disabledReason}
          onClick={saveRecord}
        >
          Save as new record
        </ChangeButton>
        <Button disabledReason={isMoved ? null : 'No changes.'} onClick={() => replace(null)}>
          Reset inputs
        </Button>
      </div>
      {fault === null ? null : <Fault error={fault} />}
    </div>
  )
}

/** Reason the displayed result cannot be stored, or null. */
function refusalToSave(
  { data, error, isStale }: Answer<unknown>,
  isMoved: boolean,
  isSending: boolean,
): string | null {
  if (!isMoved) return 'No changes.'
  if (isSending) return 'Saving…'
  if (isStale) return 'Wait for the result.'
  return error || data === undefined ? 'No result to save. Fix the error above.' : null
}

function PreviewResult<Data>({
  answer: { data, error, isStale, retry },
  children,
}: {
  answer: Answer<Data>
  children: (data: Data) => ReactNode
}) {
  if (error) return <Fault error={error} onRetry={retry} />
  if (data === undefined) return <Skeleton lines={4} />
  return (
    <section className={styles.answer} aria-busy={isStale} aria-label="Result">
      <p role="status">{isStale ? 'Computing…' : 'Computed from current data. Not saved.'}</p>
      {children(data)}
    </section>
  )
}
