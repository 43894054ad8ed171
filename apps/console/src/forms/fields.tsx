import { type ReactNode, useId } from 'react'
import styles from './form.module.css'

/** Label, input, and the fault or help text that describes the input. */
function Labeled({
  label,
  fault = null,
  help = null,
  children,
}: {
  label: string
  fault?: string | null
  help?: ReactNode
  children: (input: {
    id: string
    'aria-invalid': boolean
    'aria-describedby': string | undefined
  }) => ReactNode
}) {
  const id = useId()
  const note = fault === null ? help : <strong>{fault}</strong>
  return (
    <div className={styles.field} data-fault={fault !== null || undefined}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': fault !== null,
        'aria-describedby': note === null ? undefined : `${id}-note`,
      })}
      {note === null ? null : (
        <p id={`${id}-note`} className={styles.help}>
          {note}
        </p>
      )}
    </div>
  )
}

/** One of several options, by key. */
export function Choice<Key extends string>({
  label,
  value,
  options,
  help = null,
  onChange,
}: {
  label: string
  value: Key
  options: Readonly<Record<string, string>>
  help?: ReactNode
  onChange: (value: Key) => void
}) {
  return (
    <Labeled label={label} help={help}>
      {(input) => (
        <select {...input} value={value} onChange={({ target }) => onChange(target.value as Key)}>
          {Object.entries(options).map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labeled>
  )
}

/** A text, or a decimal number with its unit. */
export function TextField({
  label,
  value,
  unit,
  fault = null,
  help = null,
  onChange,
  onBlur,
}: {
  label: string
  value: string
  unit?: string
  fault?: string | null
  help?: ReactNode
  onChange: (value: string) => void
  onBlur?: () => void
}) {
  return (
    <Labeled label={label} fault={fault} help={help}>
      {(input) => (
        <div className={unit ? styles.withUnit : undefined}>
          <input
            {...input}
            value={value}
            inputMode={unit ? 'decimal' : 'text'}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange(target.value)}
            onBlur={onBlur}
          />
          {unit ? <span>{unit}</span> : null}
        </div>
      )}
    </Labeled>
  )
}

/** A day in UTC. */
export function DayField({
  label,
  value,
  min,
  max,
  help = null,
  onChange,
}: {
  label: string
  value: string
  min?: string | undefined
  max?: string | undefined
  help?: ReactNode
  onChange: (value: string) => void
}) {
  return (
    <Labeled label={label} help={help}>
      {(input) => (
        <input
          {...input}
          type="date"
          value={value}
          min={min}
          max={max}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Labeled>
  )
}
