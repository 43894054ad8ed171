import type { Schema } from './types.ts'

export type Definitions = Readonly<Record<string, Schema>>

/** A schema with its reference resolved, and its published name. */
export interface Resolved {
  schema: Schema
  name: string | null
  /** Null is allowed as well. */
  isNullable: boolean
}

/** Follows references, and looks through a choice between one schema and null. */
export function resolve(schema: Schema | undefined, defs: Definitions): Resolved {
  let found = schema ?? {}
  let name: string | null = null
  let isNullable = false
  for (let step = 0; step < 8; step++) {
    if (found.$ref !== undefined) {
      name = found.$ref
      const { $ref, ...siblings } = found
      found = { ...(defs[$ref] ?? {}), ...siblings }
      continue
    }
    const others = found.anyOf?.filter(({ type }) => type !== 'null')
    if (others?.length === 1 && found.anyOf?.length === 2) {
      isNullable = true
      const { anyOf, ...restMembers } = found
      found = { ...others[0], ...restMembers }
      continue
    }
    break
  }
  return { schema: found, name, isNullable }
}

/**
 * Schema of a member; for choices, the first alternative that has the member. For a list, the
 * schema of its entries, regardless of the key.
 */
export function memberOf(
  schema: Schema | undefined,
  key: string,
  defs: Definitions,
): Schema | undefined {
  const { schema: found } = resolve(schema, defs)
  const own = found.properties?.[key]
  if (own) return own
  if (found.items) return found.items
  for (const choice of found.anyOf ?? []) {
    const inside = memberOf(choice, key, defs)
    if (inside) return inside
  }
  return typeof found.additionalProperties === 'object' ? found.additionalProperties : undefined
}

/** The schema at a path such as `payload.pair.base`. */
export function schemaAt(
  schema: Schema | null,
  path: string,
  defs: Definitions,
): Schema | undefined {
  return path
    .split('.')
    .reduce<Schema | undefined>((at, key) => memberOf(at, key, defs), schema ?? undefined)
}

/** The value at a path; undefined if a segment is absent. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, key) =>
        typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined,
      value,
    )
}
