import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Answer, useAnswer } from '../api/answers.ts'
import { useChange } from '../api/changes.ts'
import { usePlace } from '../api/queries.ts'
import { refusalOf } from '../declared/refusals.ts'
import formStyles from '../forms/form.module.css'
import { Button, ChangeButton } from '../ui/button.tsx'
import { Fault } from '../ui/notice.tsx'
import { Panel, Skeleton } from '../ui/parts.tsx'
import { DialFields } from './dial-fields.tsx'
import { type DialGroup, type Positions, turned } from './dials.ts'
import styles from './sliders.module.css'

interface Props<Request, Data> {
  title: string
  /** The request that the record answers. */
  request: Request
  groupsOf: (request: Request) => DialGroup[]
  /** Key of the family: its path makes the record, `/preview` below it answers and keeps nothing. */
  familyKey: string
  /** What the service answers; `replace` puts another request in the place of that which is shown. */
  children: (data: Data, asked: Request, replace: (request: Request) => void) => ReactNode
}

/** A request whose numbers are moved, what the service answers to them, and the record that keeps them; for who may ask. */
export function Sliders<Request extends object, Data>(props: Props<Request, Data>) {
  const refusal = refusalOf(usePlace().role, 'prepare')
  return (
    <Panel title={props.title}>
      {refusal === null ? <Moved {...props} /> : <p>To try other numbers: {refusal}</p>}
    </Panel>
  )
}

function Moved<Request extends object, Data>({
  request,
  groupsOf,
  familyKey,
  children,
}: Props<Request, Data>) {
  const { organizationId } = usePlace()
  const navigate = useNavigate()
  const { change, post, fault, isSending } = useChange()
  const [replaced, setReplaced] = useState<Request | null>(null)
  const [positions, setPositions] = useState<Positions>({})
  const origin = replaced ?? request
  const groups = groupsOf(origin)
  const asked = turned(origin, groups, positions)
  const answer = useAnswer<Data>(`/${familyKey}/preview`, asked)
  const isMoved = JSON.stringify(asked) !== JSON.stringify(request)
  const replace = (next: Request | null) => {
    setReplaced(next)
    setPositions({})
  }
  const refusal = refusalToKeep(answer, isMoved, isSending)
  const keep = () =>
    void change(async () => {
      const body = { payload: asked, reason: 'Asked again with other numbers' }
      const { id } = await post<{ id: string }>({ path: `/${familyKey}`, body })
      await navigate({ to: `/o/${organizationId}/${familyKey}/${id}` as never })
    })
  return (
    <div className={formStyles.form}>
      <DialFields
        groups={groups}
        positions={positions}
        onMove={(path, position) => setPositions((before) => ({ ...before, [path]: position }))}
      />
      <Answered answer={answer}>{(data) => children(data, asked, replace)}</Answered>
      <div className={styles.end}>
        <ChangeButton look="primary" icon="plus" refusal={refusal} onClick={keep}>
          Keep it as shown
        </ChangeButton>
        <Button refusal={isMoved ? null : 'Nothing was moved.'} onClick={() => replace(null)}>
          As it was
        </Button>
      </div>
      {fault === null ? null : <Fault error={fault} />}
    </div>
  )
}

/** Why what is shown cannot be kept, or null. */
function refusalToKeep(
  { data, error, isStale }: Answer<unknown>,
  isMoved: boolean,
  isSending: boolean,
): string | null {
  if (!isMoved) return 'Nothing was moved.'
  if (isSending) return 'It is being kept.'
  if (isStale) return 'It is being recomputed.'
  return error || data === undefined ? 'The service refuses it as it stands.' : null
}

function Answered<Data>({
  answer: { data, error, isStale, retry },
  children,
}: {
  answer: Answer<Data>
  children: (data: Data) => ReactNode
}) {
  if (error) return <Fault error={error} onRetry={retry} />
  if (data === undefined) return <Skeleton lines={4} />
  return (
    <section className={styles.answer} aria-busy={isStale} aria-label="What it takes">
      <p role="status">
        {isStale
          ? 'Being recomputed.'
          : 'Computed by the service from what it knows now; nothing is kept yet.'}
      </p>
      {children(data)}
    </section>
  )
}
