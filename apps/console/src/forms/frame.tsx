import { type ReactNode, useContext, useId } from 'react'
import type { Schema } from '../declared/types.ts'
import { labelOf } from '../fields/meaning.ts'
import styles from './form.module.css'
import { FormContext } from './form-context.ts'
import { helpText } from './help-text.ts'

export function Frame({
  name,
  path,
  schema,
  isRequired,
  note,
  fault,
  children,
}: {
  name: string
  path: string
  schema: Schema
  isRequired: boolean
  note?: ReactNode
  fault?: string | null
  children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode
}) {
  const id = useId()
  const { faults } = useContext(FormContext)
  const messages = [...(fault ? [fault] : []), ...(faults[path] ?? [])]
  return (
    <div className={styles.field} data-fault={messages.length > 0 || undefined}>
      <label htmlFor={id}>
        {labelOf(name) || 'Entry'} {isRequired ? null : <small>optional</small>}
      </label>
      {children({ id, 'aria-describedby': `${id}-help`, 'aria-invalid': messages.length > 0 })}
      <p id={`${id}-help`} className={styles.help}>
        {messages.map((one) => (
          <strong key={one}>{one} </strong>
        ))}
        {note} {helpText(schema.description)}
      </p>
    </div>
  )
}
