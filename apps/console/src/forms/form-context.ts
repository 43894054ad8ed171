import { createContext } from 'react'
import type { Definitions } from '../declared/schema.ts'
import type { Schema } from '../declared/types.ts'
import type { Json } from './value.ts'

export interface FormGround {
  defs: Definitions
  /** What the service said of fields, by the path of the body: `payload.pair.base`. */
  faults: Readonly<Record<string, readonly string[]>>
  /** Tells of what was typed and cannot be sent, by path; null where it can. */
  onTyped: (path: string, fault: string | null) => void
}
export const FormContext = createContext<FormGround>({ defs: {}, faults: {}, onTyped: () => {} })

export interface FieldProps {
  name: string
  path: string
  schema: Schema | undefined
  value: Json | undefined
  isRequired: boolean
  onChange: (value: Json | undefined) => void
}
