import type { Definitions } from '../declared/schema.ts'
import { resolve } from '../declared/schema.ts'
import type { Schema } from '../declared/types.ts'

export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [name: string]: Json
}

/** Initial value of a field: constants and required members only. */
export function blankOf(schema: Schema | undefined, defs: Definitions): Json | undefined {
  const { schema: found, isNullable } = resolve(schema, defs)
  if (found.const !== undefined) return found.const as Json
  if (isNullable) return null
  if (found.anyOf?.[0]) return blankOf(found.anyOf[0], defs)
  if (found.properties) {
    const required = found.required ?? []
    return Object.fromEntries(
      required.flatMap((name) => {
        const blank = blankOf(found.properties?.[name], defs)
        return blank === undefined ? [] : [[name, blank]]
      }),
    )
  }
  if (found.type === 'array') return []
  if (found.type === 'object') return {}
  if (found.type === 'boolean') return false
  return undefined
}

/** Returns a copy with the member set; `undefined` removes it. */
export function withMember(value: Json | undefined, name: string, member: Json | undefined): Json {
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  const { [name]: _old, ...others } = members
  return member === undefined ? others : { ...members, [name]: member }
}

/** The form of a value: the first whose constants and required members the value has. */
export function formOf(
  value: Json | undefined,
  forms: readonly Schema[],
  defs: Definitions,
): number {
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  const fits = forms.findIndex((form) => {
    const { schema } = resolve(form, defs)
    const constants = Object.entries(schema.properties ?? {}).filter(
      ([, one]) => resolve(one, defs).schema.const !== undefined,
    )
    return constants.length > 0
      ? constants.every(([name, one]) => members[name] === resolve(one, defs).schema.const)
      : (schema.required ?? []).every((name) => name in members)
  })
  return Math.max(fits, 0)
}

/** Display name of a form: its constant, else its description, else its type. */
export function nameOfForm(form: Schema, index: number, defs: Definitions): string {
  const { schema, name, isNullable } = resolve(form, defs)
  if (schema.type === 'null' || isNullable) return 'none'
  const constant = Object.values(schema.properties ?? {})
    .map((one) => resolve(one, defs).schema.const)
    .find((one) => typeof one === 'string')
  return String(constant ?? schema.const ?? name ?? schema.type ?? `form ${index + 1}`)
}
