import { createContext } from 'react'
import type { Definitions } from '../declared/schema.ts'
import type { Schema } from '../declared/types.ts'
import type { Json } from './value.ts'

export interface FormContextValue {
  defs: Definitions
  /** Field errors from the service, by path in the body: `payload.pair.base`. */
  faults: Readonly<Record<string, readonly string[]>>
  /** Reports invalid input by path; null if the input is valid. */
  onTyped: (path: string, fault: string | null) => void
}
export const FormContext = createContext<FormContextValue>({
  defs: {},
  faults: {},
  onTyped: () => {},
})

export interface FieldProps {
  name: string
  path: string
  schema: Schema | undefined
  value: Json | undefined
  isRequired: boolean
  onChange: (value: Json | undefined) => void
}
