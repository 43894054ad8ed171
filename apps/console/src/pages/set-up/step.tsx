import { type ReactNode, useId, useState } from 'react'
import { Icon } from '../../ui/icons.tsx'
import styles from './step.module.css'

/** `LATER` steps require the steps before them. */
export type StepState = 'DONE' | 'OPEN' | 'LATER'

/** A numbered step. A completed step shows its result, and its content on request. */
export function Step({
  number,
  title,
  state,
  summary,
  reopenLabel = 'Change',
  children,
}: {
  number: number
  title: string
  state: StepState
  /** Result of a completed step, or the purpose of a later one. */
  summary: ReactNode
  /** Button that shows the content of a completed step. "Show" if the content cannot be changed. */
  reopenLabel?: 'Change' | 'Show'
  children: ReactNode
}) {
  const id = useId()
  const [isReopened, setReopened] = useState(false)
  const isShown = state === 'OPEN' || (state === 'DONE' && isReopened)
  return (
    <li
      className={styles.step}
      data-state={state}
      aria-current={state === 'OPEN' ? 'step' : undefined}
    >
      <header>
        <span className={styles.number} aria-hidden="true">
          {state === 'DONE' ? <Icon name="check" size={14} /> : number}
        </span>
        <h2>
          <span className="visually-hidden">Step {number}: </span>
          {title}
          {state === 'DONE' ? <span className="visually-hidden"> (done)</span> : null}
        </h2>
        {state === 'OPEN' ? null : <p>{summary}</p>}
        {state === 'DONE' ? (
          <button
            type="button"
            aria-expanded={isReopened}
            aria-controls={id}
            aria-label={`${isReopened ? 'Hide' : reopenLabel}: ${title}`}
            onClick={() => setReopened(!isReopened)}
          >
            {isReopened ? 'Hide' : reopenLabel}
          </button>
        ) : null}
      </header>
      <div id={id} className={styles.body} hidden={!isShown}>
        {state === 'LATER' ? null : children}
      </div>
    </li>
  )
}
