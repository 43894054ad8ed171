import { useQuery } from '@tanstack/react-query'
import { useMembership } from '../api/queries.ts'
import type { Item } from '../api/records.ts'
import { read } from '../api/send.ts'
import { wordOf } from '../fields/meaning.ts'
import { durationOf, exactDecimal, shortHash, utcOf } from '../fields/numbers.ts'
import { Fault, Notice } from '../ui/notice.tsx'
import { Copied, Panel, Progress, Skeleton, Time } from '../ui/parts.tsx'
import styles from './pages.module.css'
import { lockOf, type RunEvent, type RunLeaf } from './research-terms.ts'

interface Run {
  protocolHash: string | null
  nextStep: string | null
  halted: { detail: string } | null
  budget: { maximumSteps?: number; maximumSeconds?: number; maximumModelTokens?: number }
  usage: { steps?: number; milliseconds?: number; modelTokens?: number }
  steps: readonly { step: string; settledAt: string; outcomeHash: string }[]
}

/**
 * Summary of a research run above its charts: the protocol locked before data capture, the budget
 * used, and the phases.
 */
export function ResearchRun({ item }: { item: Item }) {
  const run = item.payload as unknown as Run
  return (
    <>
      {run.protocolHash === null ? null : <Protocol item={item} protocolHash={run.protocolHash} />}
      <BudgetAndPhases run={run} />
    </>
  )
}

function Protocol({ item, protocolHash }: { item: Item; protocolHash: string }) {
  const { organizationId } = useMembership()
  const id = String(item.id)
  const events = useQuery({
    queryKey: [organizationId, 'agent-runs', 'lock', id, item.resourceVersion],
    queryFn: () => read<RunEvent[]>(organizationId, `/records/${id}/events`, { limit: 100 }),
  })
  const leaves = useQuery({
    queryKey: [organizationId, 'agent-runs', 'leaves', id, item.resourceVersion],
    queryFn: () =>
      read<RunLeaf[]>(organizationId, '/proof', { subject: id, kind: 'LEAF', limit: 100 }),
  })
  const error = events.error ?? leaves.error
  if (error) return <Fault error={error} />
  if (!events.data || !leaves.data) return <Skeleton lines={3} />
  const lock = lockOf(events.data, protocolHash)
  const leafOf = (event: RunEvent | null | undefined) =>
    leaves.data.find((leaf) => leaf.event.id === event?.id)
  return (
    <Panel title="Preregistered protocol">
      <dl className={styles.figures}>
        <div>
          <dt>Protocol</dt>
          <dd>
            <Copied text={protocolHash} shown={shortHash(protocolHash)} label="Protocol hash" />
          </dd>
        </div>
        <div>
          <dt>Locked</dt>
          <dd>{lock ? <Time at={lock.event.occurredAt} /> : '—'}</dd>
        </div>
        <div>
          <dt>In the proof log</dt>
          <dd>{lock ? <InLog leaf={leafOf(lock.event)} /> : '—'}</dd>
        </div>
        <div>
          <dt>Data captured</dt>
          <dd>{lock?.capture ? <Time at={lock.capture.occurredAt} /> : 'Not yet'}</dd>
        </div>
      </dl>
      {lock === null ? (
        <Notice tone="hold" title="No protocol lock in the first 100 events" />
      ) : lock.isBeforeData ? (
        <p className={styles.foot}>
          {lock.capture
            ? 'The protocol was locked before data capture, as the event order shows.'
            : 'No data captured yet.'}
        </p>
      ) : (
        <Notice tone="bad" title="Data capture started before the protocol was locked" />
      )}
    </Panel>
  )
}

const InLog = ({ leaf }: { leaf: RunLeaf | undefined }) =>
  leaf ? (
    <>
      leaf {exactDecimal(BigInt(leaf.leafIndex), 0)}, {utcOf(leaf.leaf.loggedAt)}
    </>
  ) : (
    <>Pending: the log includes each event within 10 s</>
  )

const million = 1_000_000
const shareOf = (used: number, max: number) =>
  max === 0 ? million : Math.min(Math.round((used / max) * million), million)

function BudgetAndPhases({ run: { budget, usage, steps, nextStep, halted } }: { run: Run }) {
  const seconds = Math.ceil((usage.milliseconds ?? 0) / 1000)
  const budgetRows = [
    { name: 'Steps', used: usage.steps ?? 0, max: budget.maximumSteps, format: String },
    { name: 'Time', used: seconds, max: budget.maximumSeconds, format: durationOf },
    {
      name: 'Model tokens',
      used: usage.modelTokens ?? 0,
      max: budget.maximumModelTokens,
      format: String,
    },
  ]
  return (
    <Panel title="Budget and phases">
      <dl className={styles.figures}>
        {budgetRows.flatMap(({ name, used, max, format }) =>
          max === undefined
            ? []
            : [
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    {format(used)} of {format(max)}
                    <Progress pips={shareOf(used, max)} label={`${name} used`} />
                  </dd>
                </div>,
              ],
        )}
      </dl>
      <ol className={styles.phases}>
        {steps.map(({ step, settledAt, outcomeHash }) => (
          <li key={step}>
            <strong>{stepWords(step)}</strong> <Time at={settledAt} />{' '}
            <Copied
              text={outcomeHash}
              shown={shortHash(outcomeHash)}
              label={`Outcome of ${step}`}
            />
          </li>
        ))}
        {nextStep === null ? null : (
          <li>
            <strong>{stepWords(nextStep)}</strong> next
          </li>
        )}
      </ol>
      {halted === null ? null : <Notice tone="warn" title={`Halted: ${halted.detail}`} />}
    </Panel>
  )
}

/** Readable form of `TRIAL:alternative-1`. */
const stepWords = (step: string): string => {
  const [kind = step, trial] = step.split(':')
  return trial ? `${wordOf(kind)} ${trial}` : wordOf(kind)
}
