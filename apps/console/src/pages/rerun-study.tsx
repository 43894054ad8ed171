import { useId, useState } from 'react'
import { useChange } from '../api/changes.ts'
import { useMembership } from '../api/queries.ts'
import type { Item } from '../api/records.ts'
import { permissionReason } from '../declared/disabled-reasons.ts'
import { valueAt } from '../declared/schema.ts'
import formStyles from '../forms/form.module.css'
import { ChangeButton } from '../ui/button.tsx'
import { Fault } from '../ui/notice.tsx'
import { toRecord, useOpenPage } from '../ui/page-link.tsx'
import { Panel } from '../ui/parts.tsx'
import styles from './pages.module.css'
import { RangeField } from './range-field.tsx'
import {
  type Drawn,
  movableArms,
  type RerunArm,
  type RerunSpec,
  rangeOf,
  rerunRequest,
} from './rerun-terms.ts'

/**
 * Reruns a study with another range for one arm. Renders null if no arm has an adjustable range.
 */
export function RerunStudy({ item }: { item: Item }) {
  const spec = valueAt(item, 'payload.spec') as RerunSpec
  const arms = movableArms(spec)
  const [first] = arms
  return first ? <RerunForm item={item} spec={spec} arms={arms} first={first} /> : null
}

interface FormProps {
  item: Item
  spec: RerunSpec
  arms: readonly RerunArm[]
  first: RerunArm
}

function RerunForm({ item, spec, arms, first }: FormProps) {
  const { role } = useMembership()
  const id = useId()
  const openPage = useOpenPage()
  const { change, post, fault, isSending } = useChange()
  const [armId, setArmId] = useState(first.armId)
  const [range, setRange] = useState(() => rangeOf(first))
  const drawn = spec.kind === 'REPLAY' ? null : drawnIn(item)
  const choose = (next: string) => {
    setArmId(next)
    setRange(rangeOf(arms.find((arm) => arm.armId === next) ?? first))
  }
  const disabledReason =
    permissionReason(role, 'simulate') ??
    (drawn === undefined ? 'Requires a completed study.' : null)
  const run = () =>
    void change(async () => {
      const payload = rerunRequest(spec, armId, range, drawn ?? null)
      const body = { payload, reason: `Rerun with a new range for ${armId}` }
      const made = await post<{ id: string } | { study: { id: string } }>({
        path: '/studies',
        body,
      })
      const next = 'study' in made ? made.study.id : made.id
      await openPage(toRecord('studies', next))
    })
  return (
    <Panel title="Rerun with a changed candidate">
      <div className={formStyles.form}>
        <div className={formStyles.field}>
          <label htmlFor={id}>Candidate</label>
          <select id={id} value={armId} onChange={({ target }) => choose(target.value)}>
            {arms.map((arm) => (
              <option key={arm.armId} value={arm.armId}>
                {arm.label}
              </option>
            ))}
          </select>
          <p className={formStyles.help}>
            All other inputs{spec.kind === 'REPLAY' ? '' : ', including price paths,'} stay the
            same.
          </p>
        </div>
        <RangeField name="New range" range={range} onChange={setRange} onRemove={null} />
        <div className={styles.actions}>
          <ChangeButton
            look="primary"
            icon="flask-conical"
            disabledReason={disabledReason ?? (isSending ? 'Starting the study…' : null)}
            onClick={run}
          >
            Rerun study
          </ChangeButton>
        </div>
        {fault === null ? null : <Fault error={fault} />}
      </div>
    </Panel>
  )
}

/** Seed and step length of a Monte Carlo study; undefined until it has ended. */
function drawnIn(item: Item): Drawn | undefined {
  const seed = valueAt(item, 'payload.result.evidence.seed')
  const stepSeconds = valueAt(item, 'payload.result.paths.stepSeconds')
  return typeof seed === 'string' && typeof stepSeconds === 'number'
    ? { seed, stepSeconds }
    : undefined
}
