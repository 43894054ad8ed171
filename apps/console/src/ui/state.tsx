import { stateText } from '../fields/reasons.ts'
import { Icon } from './icons.tsx'
import styles from './ui.module.css'

type Tone = 'good' | 'warn' | 'bad' | 'hold' | 'live' | 'ended'

const tones: Readonly<Record<string, readonly [Tone, string]>> = {
  COMPLETED: ['good', 'check'],
  PARTIAL: ['warn', 'circle-slash'],
  ABSTAINED: ['hold', 'circle-dashed'],
  FAILED: ['bad', 'circle-alert'],
  CANCELLED: ['ended', 'x'],
  ACTIVE: ['live', 'circle-dot'],
  VALIDATED: ['live', 'check'],
  RUNNING: ['live', 'loader'],
  QUEUED: ['hold', 'clock'],
  DRAFT: ['hold', 'circle-dashed'],
  PAUSED: ['warn', 'pause'],
  REVOKED: ['ended', 'x'],
  RETIRED: ['ended', 'x'],
  EXPIRED: ['ended', 'clock'],
  OPEN: ['warn', 'circle-alert'],
  RESOLVED: ['good', 'check'],
  PENDING: ['hold', 'clock'],
  CHANGES_REQUESTED: ['warn', 'circle-alert'],
  APPROVED: ['good', 'check'],
  EXECUTED: ['good', 'check'],
  REJECTED: ['ended', 'x'],
  WITHDRAWN: ['ended', 'x'],
  CRITICAL: ['bad', 'circle-alert'],
  WARNING: ['warn', 'triangle-alert'],
  INFO: ['live', 'circle-dot'],
  ON_TIME: ['good', 'check'],
  LATE: ['warn', 'clock'],
  OVERDUE: ['bad', 'clock'],
  MET: ['good', 'check'],
  BREACHED: ['bad', 'circle-alert'],
  INDETERMINATE: ['hold', 'circle-dashed'],
}

/**
 * A state is a color, a shape and a label; the label alone is sufficient.
 *
 * @param record whose reasons follow the label
 * @param text replaces the label
 */
export function State({
  of: state,
  record,
  text,
}: {
  of: string
  record?: unknown
  text?: string
}) {
  const [tone, icon] = tones[state] ?? ['hold', 'circle-dot']
  return (
    <span
      className={`${styles.state} ${styles[tone]}`}
      data-long={record !== undefined || undefined}
    >
      <Icon name={icon} size={14} />
      <span>{text ?? stateText(state, record)}</span>
    </span>
  )
}

export const isKnownState = (state: string): boolean => state in tones
