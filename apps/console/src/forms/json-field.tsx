import { useContext, useState } from 'react'
import type { Schema } from '../declared/types.ts'
import { type FieldProps, FormContext } from './form-context.ts'
import { Frame } from './frame.tsx'
import type { Json } from './value.ts'

export function JsonField({
  name,
  path,
  schema,
  value,
  isRequired,
  onChange,
}: FieldProps & { schema: Schema }) {
  const { onTyped } = useContext(FormContext)
  const [typed, setTyped] = useState(value === undefined ? '' : JSON.stringify(value, null, 2))
  const [fault, setFault] = useState<string | null>(null)
  const take = (text: string) => {
    setTyped(text)
    let problem: string | null = null
    try {
      onChange(text.trim() === '' ? undefined : (JSON.parse(text) as Json))
    } catch {
      problem = 'Invalid JSON.'
    }
    setFault(problem)
    onTyped(path, problem)
  }
  return (
    <Frame
      name={name}
      path={path}
      schema={schema}
      isRequired={isRequired}
      fault={fault}
      note="JSON."
    >
      {(ids) => (
        <textarea
          {...ids}
          className="mono"
          rows={4}
          value={typed}
          spellCheck={false}
          onChange={(event) => take(event.target.value)}
        />
      )}
    </Frame>
  )
}
